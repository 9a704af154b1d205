#if TIFF
    import BowerbirdCore
    import BowerbirdRaster

    /// Turns the samples of stored pixels into pixels.
    struct TIFFSamples {
        private let layout: TIFFLayout
        private let palette: [[UInt8]]
        private let inks: InkConversion
        private let format: PixelFormat
        /// Samples of each pixel, one pixel after the other: all of 8 bits, or of 16.
        private var samples: [UInt16]
        private let samplesPerPixel: Int
        private let alphaIndex: Int?

        /// For at most `width` pixels at once.
        init(_ layout: TIFFLayout, palette: [[UInt8]], _ inks: InkConversion, _ format: PixelFormat, width: Int) {
            self.layout = layout
            self.palette = palette
            self.inks = inks
            self.format = format
            samplesPerPixel = layout.isPlanar ? layout.usedSamples.count : layout.samplesPerPixel
            alphaIndex = layout.isPlanar ? layout.alphaIndex.map { _ in layout.kind.colorCount } : layout.alphaIndex
            samples = Array(repeating: 0, count: width * samplesPerPixel)
        }

        private var maximum: Int { layout.isDeep ? 65535 : 255 }

        /// Takes stored pixels, or, where components have rows of their own, the one of number `plane`.
        mutating func take(_ stored: UnsafeRawBufferPointer, plane: Int, width: Int) {
            let step = layout.isPlanar ? samplesPerPixel : 1
            let count = layout.isPlanar ? width : width * samplesPerPixel
            let (layout, isDeep) = (layout, layout.isDeep)
            samples.withUnsafeMutableBufferPointer { samples in
                var target = layout.isPlanar ? plane : 0
                switch (layout.bits, layout.numbers) {
                case (8, _):
                    let flip: UInt8 = layout.numbers == .signed ? 0x80 : 0
                    for index in 0..<min(count, stored.count) {
                        samples[target] = UInt16(stored[index] ^ flip)
                        target += step
                    }
                default:
                    for index in 0..<count {
                        samples[target] = Self.sample(stored, index, layout, isDeep: isDeep)
                        target += step
                    }
                }
            }
        }

        private static func sample(
            _ stored: UnsafeRawBufferPointer, _ index: Int, _ layout: TIFFLayout, isDeep: Bool
        ) -> UInt16 {
            let deep: UInt16
            switch (layout.bits, layout.numbers) {
            case (64, _):
                guard index * 8 + 8 <= stored.count else { return 0 }
                deep = light(stored.loadUnaligned(fromByteOffset: index * 8, as: Double.self))
            case (32, .float):
                guard index * 4 + 4 <= stored.count else { return 0 }
                deep = light(stored.loadUnaligned(fromByteOffset: index * 4, as: Float.self))
            case (32, _):
                guard index * 4 + 4 <= stored.count else { return 0 }
                let value = UInt16(stored.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self) >> 16)
                deep = layout.numbers == .signed ? value ^ 0x8000 : value
            case (16, _):
                guard index * 2 + 2 <= stored.count else { return 0 }
                let value = stored.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)
                deep = layout.numbers == .signed ? value ^ 0x8000 : value
            default: return packed(stored, index, layout, isDeep: isDeep)
            }
            return isDeep ? deep : UInt16((UInt32(deep) * 255 + 32895) >> 16)
        }

        /// 0 is no light and 1 the most; rounded in the precision of the file, as other programs do.
        private static func light<Number: BinaryFloatingPoint>(_ value: Number) -> UInt16 {
            value > 0 ? UInt16((min(value, 1) * 65535).rounded()) : 0
        }

        /// Bits in a row without gaps, the highest first.
        private static func packed(
            _ stored: UnsafeRawBufferPointer, _ index: Int, _ layout: TIFFLayout, isDeep: Bool
        ) -> UInt16 {
            var value: UInt32 = 0
            for bit in index * layout.bits..<(index + 1) * layout.bits {
                guard bit / 8 < stored.count else { return 0 }
                value = value << 1 | UInt32(stored[bit / 8] >> (7 - bit % 8) & 1)
            }
            guard layout.kind != .palette else { return UInt16(value) }
            let (most, full) = (UInt32(1) << UInt32(layout.bits) - 1, UInt32(isDeep ? 65535 : 255))
            return UInt16((value * full + most / 2) / most)
        }

        /// Writes as many pixels as were taken.
        func write(_ width: Int, into result: UnsafeMutableRawBufferPointer) {
            switch layout.kind {
            case .cmyk: writeInks(width, into: result)
            case .rgb, .gray, .palette: writeColors(width, into: result)
            case .other: break
            }
        }

        private func writeInks(_ width: Int, into result: UnsafeMutableRawBufferPointer) {
            for pixel in 0..<width {
                for ink in 0..<4 {
                    result[4 * pixel + ink] = UInt8(truncatingIfNeeded: samples[pixel * samplesPerPixel + ink])
                }
            }
            let pixels = UnsafeMutableRawBufferPointer(rebasing: result[..<(4 * width)])
            inks.convert(pixels, isInverted: false)
            guard format != .bgra8Premultiplied else { return }
            for pixel in 0..<width { pixels.swapAt(4 * pixel, 4 * pixel + 2) }
        }

        private func writeColors(_ width: Int, into result: UnsafeMutableRawBufferPointer) {
            let maximum = maximum
            samples.withUnsafeBufferPointer { samples in
                for pixel in 0..<width {
                    let start = pixel * samplesPerPixel
                    var (red, green, blue) = color(samples, start)
                    var alpha = maximum
                    if let alphaIndex { alpha = Int(samples[start + alphaIndex]) }
                    if layout.alpha == .premultiplied {
                        (red, green, blue) = (
                            unmultiplied(red, alpha), unmultiplied(green, alpha), unmultiplied(blue, alpha)
                        )
                    }
                    store(red, green, blue, alpha, at: pixel, in: result)
                }
            }
            let hasMultiplied = layout.alpha == .premultiplied
            if format == .bgra8Premultiplied, alphaIndex != nil, !hasMultiplied {
                Premultiplying.premultiply(bgra: UnsafeMutableRawBufferPointer(rebasing: result[..<(4 * width)]))
            }
        }

        @inline(__always)
        private func color(_ samples: UnsafeBufferPointer<UInt16>, _ start: Int) -> (Int, Int, Int) {
            let first = Int(samples[start])
            switch layout.kind {
            case .gray(let isInverted):
                let light = isInverted ? maximum - first : first
                return (light, light, light)
            case .palette:
                guard first < palette.count else { return (0, 0, 0) }
                return (Int(palette[first][0]), Int(palette[first][1]), Int(palette[first][2]))
            default: return (first, Int(samples[start + 1]), Int(samples[start + 2]))
            }
        }

        /// For display the colour stays as it is, but never above alpha.
        @inline(__always)
        private func unmultiplied(_ color: Int, _ alpha: Int) -> Int {
            if format == .bgra8Premultiplied { return min(color, alpha) }
            return alpha == 0 ? 0 : min(maximum, (color * maximum + alpha / 2) / alpha)
        }

        @inline(__always)
        private func store(
            _ red: Int, _ green: Int, _ blue: Int, _ alpha: Int, at pixel: Int, in result: UnsafeMutableRawBufferPointer
        ) {
            switch format {
            case .rgba16Straight:
                let deep = result.assumingMemoryBound(to: UInt16.self)
                deep[4 * pixel] = UInt16(truncatingIfNeeded: red)
                deep[4 * pixel + 1] = UInt16(truncatingIfNeeded: green)
                deep[4 * pixel + 2] = UInt16(truncatingIfNeeded: blue)
                deep[4 * pixel + 3] = UInt16(truncatingIfNeeded: alpha)
            case .rgba8Straight, .bgra8Premultiplied:
                let word = PackedPixel(format).pack(shallow(red), shallow(green), shallow(blue), shallow(alpha))
                result.storeBytes(of: word, toByteOffset: 4 * pixel, as: UInt32.self)
            }
        }

        @inline(__always)
        private func shallow(_ value: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: layout.isDeep ? (value * 255 + 32895) >> 16 : value)
        }
    }
#endif
