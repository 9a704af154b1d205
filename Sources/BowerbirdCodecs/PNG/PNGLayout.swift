#if PNG
    import BowerbirdCore

    /// What an `IHDR` chunk says: the size of the picture, and how its rows are stored.
    struct PNGLayout: Hashable, Sendable {
        var size: PixelSize
        let bitDepth: Int
        let colors: Colors
        let isInterlaced: Bool

        enum Colors: UInt8, Hashable, Sendable {
            case gray = 0
            case rgb = 2
            case palette = 3
            case grayAlpha = 4
            case rgba = 6

            var componentCount: Int {
                switch self {
                case .gray, .palette: 1
                case .grayAlpha: 2
                case .rgb: 3
                case .rgba: 4
                }
            }

            var hasAlpha: Bool { self == .grayAlpha || self == .rgba }

            fileprivate var bitDepths: [Int] {
                switch self {
                case .gray: [1, 2, 4, 8, 16]
                case .palette: [1, 2, 4, 8]
                case .rgb, .grayAlpha, .rgba: [8, 16]
                }
            }
        }

        /// For a file to be written, which is never interlaced.
        init(size: PixelSize, bitDepth: Int, colors: Colors) {
            self.size = size
            self.bitDepth = bitDepth
            self.colors = colors
            isInterlaced = false
        }

        /// From the data of an `IHDR` chunk.
        init(_ data: RawSpan) throws(DecodingError) {
            guard data.byteCount == 13, let width = data.bigEndian32(at: 0), let height = data.bigEndian32(at: 4),
                let depth = data.byte(at: 8), let color = data.byte(at: 9), let interlacing = data.byte(at: 12)
            else { throw .corrupt("IHDR has \(data.byteCount) bytes") }
            guard width <= Int32.max, height <= Int32.max, width > 0, height > 0 else {
                throw .corrupt("its size is \(width) × \(height)")
            }
            guard let colors = Colors(rawValue: color), colors.bitDepths.contains(Int(depth)) else {
                throw .corrupt("colours of the kind \(color) with \(depth) bits")
            }
            guard data.byte(at: 10) == 0, data.byte(at: 11) == 0, interlacing <= 1 else {
                throw .corrupt("unknown methods of compression, filtering or interlacing")
            }
            size = PixelSize(width: Int(width), height: Int(height))
            bitDepth = Int(depth)
            self.colors = colors
            isInterlaced = interlacing == 1
        }

        var bitsPerPixel: Int { bitDepth * colors.componentCount }
        /// At least 1: so far apart are the bytes that a filter compares.
        var bytesPerPixel: Int { max(1, bitsPerPixel / 8) }
        /// Without the byte for the filter.
        var bytesPerRow: Int { (size.width * bitsPerPixel + 7) / 8 }
    }
#endif
