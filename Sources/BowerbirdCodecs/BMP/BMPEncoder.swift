public import BowerbirdCore

/// Writes bitmaps that are not compressed: 24 bits a pixel for opaque pictures, 32 with alpha for the others. Straight
/// pixels of 8 bits come back as they were. ICC profiles for red, green and blue and the density are written as well; pixels
/// with another profile become sRGB. The pixels are written upright.
public struct BMPEncoder: ImageEncoder {
    /// It has no settings; of `EncodingOptions` it takes the profile, the density and the orientation.
    public init() {}

    public var format: ImageFormat { .bmp }

    /// Rows between two looks at `Task.isCancelled`.
    private static let bandHeight = 64

    public func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
        guard BMPLayout(bitmap, options, nil) != nil else { throw .tooLarge(bitmap.size, format: .bmp) }
        let (picture, profile) = try options.inWritableColors(bitmap) { $0.colorSpace == .rgb }
        let bitmap = try options.upright(picture)
        guard let layout = BMPLayout(bitmap, options, profile) else { throw .tooLarge(bitmap.size, format: .bmp) }
        guard let storage = ByteStorage(capacity: layout.byteCount) else { throw .outOfMemory }
        let file = storage.bytes
        file.initializeMemory(as: UInt8.self, repeating: 0)
        file.copyBytes(from: layout.header)
        UnsafeMutableRawBufferPointer(rebasing: file[layout.profileOffset...]).copyBytes(from: layout.profile)
        var rows = EightBitRows(of: bitmap)
        for row in 0..<bitmap.size.height {
            if row.isMultiple(of: Self.bandHeight) { try EncodingError.checkCancellationOfWriting() }
            let start = layout.pixelOffset + (bitmap.size.height - 1 - row) * layout.bytesPerRow
            let result = UnsafeMutableRawBufferPointer(rebasing: file[start..<start + layout.bytesPerRow])
            rows.withRow(row) { Self.write($0, into: result, bytesPerPixel: layout.bytesPerPixel) }
        }
        return EncodedImage(storage: storage, count: layout.byteCount)
    }

    /// Blue, green, red, and alpha where there is some.
    private static func write(
        _ pixels: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer, bytesPerPixel: Int
    ) {
        for x in 0..<pixels.count / 4 {
            let target = x * bytesPerPixel
            for component in 0..<3 { result[target + component] = pixels[4 * x + 2 - component] }
            if bytesPerPixel == 4 { result[target + 3] = pixels[4 * x + 3] }
        }
    }
}

/// Where everything is in a file that is to be written.
private struct BMPLayout {
    let bytesPerPixel: Int
    let bytesPerRow: Int
    let pixelOffset: Int
    let profileOffset: Int
    let byteCount: Int
    let profile: [UInt8]
    let header: [UInt8]

    /// Nil where the numbers have more than their 32 bits.
    init?(_ bitmap: Bitmap, _ options: EncodingOptions, _ profile: ICCProfile?) {
        let size = bitmap.size
        guard max(size.width, size.height) <= Int32.max else { return nil }
        let profile = profile?.bytes ?? []
        self.profile = profile
        bytesPerPixel = bitmap.isOpaque ? 3 : 4
        bytesPerRow = DIBRows.bytesPerRow(width: size.width, bits: 8 * bytesPerPixel)
        let headerByteCount = bitmap.isOpaque && profile.isEmpty ? 40 : 124
        pixelOffset = DIBHeader.fileHeaderByteCount + headerByteCount
        profileOffset = pixelOffset + bytesPerRow * size.height
        byteCount = profileOffset + profile.count
        guard byteCount <= UInt32.max else { return nil }
        var fields = LittleEndianBytes()
        fields.append("BM")
        fields.append32(byteCount, 0, pixelOffset, headerByteCount, size.width, size.height)
        fields.append16(1, 8 * bytesPerPixel)
        let density = options.metadata?.density
        fields.append32(
            bytesPerPixel == 4 ? 3 : 0, bytesPerRow * size.height, Self.dotsPerMetre(density?.horizontal),
            Self.dotsPerMetre(density?.vertical), 0, 0)
        if headerByteCount == 124 {
            let masks = bytesPerPixel == 4 ? [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000] : [0, 0, 0, 0]
            masks.forEach { fields.append32($0) }
            fields.append32(profile.isEmpty ? 0x7352_4742 : 0x4D42_4544)
            fields.bytes += Array(repeating: 0, count: 48)
            // Made to be looked at; where the profile is, counted from the header.
            fields.append32(4, profile.isEmpty ? 0 : profileOffset - DIBHeader.fileHeaderByteCount, profile.count, 0)
        }
        header = fields.bytes
    }

    private static func dotsPerMetre(_ dotsPerInch: Double?) -> Int {
        guard let dotsPerInch, dotsPerInch > 0, dotsPerInch < 1e6 else { return 0 }
        return Int((dotsPerInch / 0.0254).rounded())
    }
}

/// Bytes of a header, the least significant of each number first.
struct LittleEndianBytes {
    var bytes: [UInt8] = []

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func append16(_ values: Int...) {
        for value in values { withUnsafeBytes(of: UInt16(truncatingIfNeeded: value).littleEndian) { bytes += $0 } }
    }

    mutating func append32(_ values: Int...) {
        for value in values { withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { bytes += $0 } }
    }
}
