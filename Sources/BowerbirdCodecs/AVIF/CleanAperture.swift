#if AVIF
    import BowerbirdCore

    /// The part of a picture that its file wants to be shown: a `clap` box, in fractions of pixels around the centre.
    struct CleanAperture: Hashable {
        var width: Fraction
        var height: Fraction
        var horizontalOffset: Fraction
        var verticalOffset: Fraction

        struct Fraction: Hashable {
            var numerator: Int32
            var denominator: Int32
        }

        /// In whole pixels, halves rounded up, as in link-u's samples. The whole picture where the box makes no sense, as browsers do: it is a
        /// matter of taste, not of reading the file.
        func rect(in size: PixelSize) -> PixelRect {
            guard let columns = Self.range(of: width, horizontalOffset, in: size.width),
                let rows = Self.range(of: height, verticalOffset, in: size.height)
            else { return PixelRect(size) }
            return PixelRect(
                x: columns.lowerBound, y: rows.lowerBound, size: PixelSize(width: columns.count, height: rows.count))
        }

        /// Where a length lies whose centre is so far from the one of `side`. Numbers of 32 bits cannot overflow here.
        private static func range(of length: Fraction, _ offset: Fraction, in side: Int) -> Range<Int>? {
            guard length.denominator > 0, offset.denominator > 0 else { return nil }
            let count = Int(length.numerator) / Int(length.denominator)
            guard count > 0, count <= side else { return nil }
            let twice = 2 * Int(offset.numerator) + (side - count) * Int(offset.denominator)
            let start = (twice + Int(offset.denominator)) / (2 * Int(offset.denominator))
            guard twice >= 0, start + count <= side else { return nil }
            return start..<start + count
        }
    }

    extension PixelBuffer {
        /// The part in `rect`, which lies in the picture.
        consuming func cropped(to rect: PixelRect) throws(DecodingError) -> PixelBuffer {
            guard rect != PixelRect(size) else { return self }
            guard var result = PixelBuffer(size: rect.size, format: format, isOpaque: isOpaque) else {
                throw .outOfMemory(rect.size)
            }
            let start = rect.x * format.bytesPerPixel
            for (target, row) in rect.rows.enumerated() {
                result.withRow(target) { copy in
                    withRow(row) { pixels in
                        pixels.withUnsafeBytes { pixels in
                            copy.withUnsafeMutableBytes { copy in
                                copy.copyMemory(
                                    from: UnsafeRawBufferPointer(rebasing: pixels[start..<start + copy.count]))
                            }
                        }
                    }
                }
            }
            return result
        }
    }
#endif
