#if PNG
    import BowerbirdCore
    import BowerbirdRaster

    /// How a row of at most 8 bits a component becomes pixels of four bytes.
    struct PNGExpansion {
        private let kind: Kind
        /// Blue first, and premultiplied; else red first, and straight.
        private let isForDisplay: Bool

        private enum Kind {
            /// For grey and palettes: the pixel for each value.
            case table([UInt32], bits: Int)
            /// With the colour that stands for transparency, as a pixel.
            case rgb(key: UInt32?)
            case grayAlpha
            case rgba
        }

        init(_ facts: PNGFacts, in bytes: RawSpan, _ format: PixelFormat) {
            isForDisplay = format == .bgra8Premultiplied
            let colors = PNGColors(facts, in: bytes, beginsWithBlue: isForDisplay)
            switch facts.layout.colors {
            case .gray: kind = .table(colors.grays.premultiplied(isForDisplay), bits: facts.layout.bitDepth)
            case .palette: kind = .table(colors.palette.premultiplied(isForDisplay), bits: facts.layout.bitDepth)
            case .rgb: kind = .rgb(key: colors.key)
            case .grayAlpha: kind = .grayAlpha
            case .rgba: kind = .rgba
            }
        }

        /// `row` has as many pixels as `pixels`.
        func expand(_ row: UnsafeRawBufferPointer, into pixels: UnsafeMutableRawBufferPointer) {
            switch kind {
            case .table(let table, let bits): Scanlines.lookUp(row, bits: bits, in: table, into: pixels)
            case .rgb(let key):
                Scanlines.expand(rgb: row, into: pixels, swaps: isForDisplay)
                guard let key else { return }
                Scanlines.replace(key, with: isForDisplay ? 0 : key & 0xFF_FFFF, in: pixels)
            case .grayAlpha:
                Scanlines.expand(grayAlpha: row, into: pixels)
                if isForDisplay { Premultiplying.premultiply(bgra: pixels) }
            case .rgba where isForDisplay: Scanlines.premultiply(rgba: row, into: pixels)
            case .rgba: pixels.copyMemory(from: row)
            }
        }
    }

    /// The pixels, straight, that the values of a file's rows stand for; the first byte of each is the lowest.
    private struct PNGColors {
        private let layout: PNGLayout
        private let paletteBytes: [UInt8]
        private let transparency: [UInt8]
        private let beginsWithBlue: Bool

        init(_ facts: PNGFacts, in bytes: RawSpan, beginsWithBlue: Bool) {
            layout = facts.layout
            paletteBytes = Self.data(of: facts.palette, in: bytes)
            transparency = Self.data(of: facts.transparency, in: bytes)
            self.beginsWithBlue = beginsWithBlue
        }

        private static func data(of chunk: PNGChunk?, in bytes: RawSpan) -> [UInt8] {
            guard let chunk, chunk.isComplete(in: bytes) else { return [] }
            return bytes.extracting(chunk.data).withUnsafeBytes { Array($0) }
        }

        private func pixel(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255) -> UInt32 {
            let (first, third) = beginsWithBlue ? (blue, red) : (red, blue)
            return UInt32(first) | UInt32(green) << 8 | UInt32(third) << 16 | UInt32(alpha) << 24
        }

        /// Values without an entry are black, as in libpng.
        var palette: [UInt32] {
            (0..<256).map { index in
                guard 3 * index + 2 < paletteBytes.count else { return pixel(0, 0, 0) }
                let alpha = index < transparency.count ? transparency[index] : 255
                return pixel(
                    paletteBytes[3 * index], paletteBytes[3 * index + 1], paletteBytes[3 * index + 2], alpha)
            }
        }

        var grays: [UInt32] {
            let maximum = 1 << layout.bitDepth - 1
            // The key has 16 bits; only as many as pixels have are compared.
            let key = transparency.count == 2 ? Int(transparency[1]) & maximum : -1
            return (0..<256).map { value in
                let gray = UInt8(truncatingIfNeeded: min(value, maximum) * 255 / maximum)
                return pixel(gray, gray, gray, value == key ? 0 : 255)
            }
        }

        var key: UInt32? {
            guard layout.colors == .rgb, transparency.count == 6 else { return nil }
            return pixel(transparency[1], transparency[3], transparency[5])
        }
    }

    extension [UInt32] {
        fileprivate func premultiplied(_ isWanted: Bool) -> [UInt32] {
            guard isWanted else { return self }
            var pixels = self
            pixels.withUnsafeMutableBytes { Premultiplying.premultiply(bgra: $0) }
            return pixels
        }
    }
#endif
