import BowerbirdCore

/// The 14 bytes before the pixels of a QOI file.
struct QOIHeader {
    static let byteCount = 14
    /// What ends every file: seven bytes of 0, and 1.
    static let endMarker: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
    /// What the numbers of a file mean that says its components are linear.
    static let linear = ColorProfile.cicp(CodingPoints(primaries: 1, transfer: 8))

    let size: PixelSize
    let hasAlpha: Bool
    let isLinear: Bool

    init(size: PixelSize, hasAlpha: Bool, isLinear: Bool) {
        self.size = size
        self.hasAlpha = hasAlpha
        self.isLinear = isLinear
    }

    init(of bytes: RawSpan) throws(DecodingError) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.byteCount >= Self.byteCount else { throw .truncated(atByte: bytes.byteCount) }
        guard bytes.matches("qoif"), let width = bytes.bigEndian32(at: 4), let height = bytes.bigEndian32(at: 8) else {
            throw .corrupt("it does not begin as a QOI file does")
        }
        let (channels, colors) = (try bytes.required8(at: 12), try bytes.required8(at: 13))
        guard channels == 3 || channels == 4 else { throw .corrupt("a pixel has \(channels) components") }
        guard colors <= 1 else { throw .corrupt("\(colors) is no colour space") }
        self.init(
            size: PixelSize(width: Int(width), height: Int(height)), hasAlpha: channels == 4, isLinear: colors == 1)
    }

    var imageHeader: ImageHeader {
        ImageHeader(format: .qoi, storedSize: size, hasAlpha: hasAlpha, profile: isLinear ? Self.linear : .sRGB)
    }

    var bytes: [UInt8] {
        let numbers = [UInt32(truncatingIfNeeded: size.width), UInt32(truncatingIfNeeded: size.height)]
        let sides = numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        return Array("qoif".utf8) + sides + [hasAlpha ? 4 : 3, isLinear ? 1 : 0]
    }
}
