import BowerbirdCodecs
import BowerbirdCore
import Testing

/// Transparent pixels to write.
func makeBuffer(
    _ width: Int, _ height: Int, _ format: PixelFormat = .bgra8Premultiplied, isOpaque: Bool = false
) throws(DecodingError) -> PixelBuffer {
    let size = PixelSize(width: width, height: height)
    guard let buffer = PixelBuffer(size: size, format: format, isOpaque: isOpaque) else { throw .outOfMemory(size) }
    return buffer
}

/// A picture of our own making, with what photographs have: soft slopes, hard edges, and some noise.
func makePicture(
    _ width: Int, _ height: Int, format: PixelFormat = .bgra8Premultiplied, isOpaque: Bool = true
) throws -> Bitmap {
    var buffer = try makeBuffer(width, height, format, isOpaque: isOpaque)
    var noise: UInt32 = 1
    for y in 0..<height {
        buffer.withRow(y) { row in
            for x in 0..<width {
                noise = noise &* 1_664_525 &+ 1_013_904_223
                let edge = (x / 16 + y / 16).isMultiple(of: 2) ? 60 : 0
                let values = [x * 180 / width + edge, y * 180 / height + edge, 90 + Int(noise >> 29) + edge]
                let alpha = isOpaque ? 255 : (x * 7 + y * 3) % 256
                store(values, alpha, format, x, &row)
            }
        }
    }
    return buffer.freeze()
}

private func store(_ color: [Int], _ alpha: Int, _ format: PixelFormat, _ x: Int, _ row: inout MutableRawSpan) {
    let components = (format == .bgra8Premultiplied ? color.reversed() : color) + [alpha]
    for (index, value) in components.enumerated() {
        switch format {
        case .bgra8Premultiplied:
            let stored = index == 3 ? value : (value * alpha + 127) / 255
            row.storeBytes(of: UInt8(stored), toByteOffset: 4 * x + index, as: UInt8.self)
        case .rgba8Straight:
            row.storeBytes(of: UInt8(value), toByteOffset: 4 * x + index, as: UInt8.self)
        case .rgba16Straight:
            // Not only multiples of 257, so that a conversion by way of 8 bits would be seen.
            let stored = value * 257 - (value == 0 || value == 255 ? 0 : x % 7)
            row.storeBytes(of: UInt16(stored), toByteOffset: 8 * x + 2 * index, as: UInt16.self)
        }
    }
}

/// The bytes of a file with `bitmap`.
func encode(_ bitmap: Bitmap, with encoder: some ImageEncoder, quality: Double = 0.9) throws -> [UInt8] {
    let file = try encoder.encode(bitmap, EncodingOptions(quality: quality))
    return file.withUnsafeBytes { Array($0) }
}

extension Bitmap {
    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let start = y * bytesPerRow + x * format.bytesPerPixel
        return withUnsafeBytes { Array($0[start..<start + format.bytesPerPixel]) }
    }

    /// The mean difference of the bytes of two pictures of one size, in levels.
    func meanDifference(to other: Bitmap) throws -> Double {
        try #require(size == other.size && format == other.format)
        return withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                var sum = 0
                for index in left.indices { sum += abs(Int(left[index]) - Int(right[index])) }
                return Double(sum) / Double(max(1, left.count))
            }
        }
    }
}

extension ImageDecoder {
    func decode(_ bytes: [UInt8], _ options: DecodingOptions = DecodingOptions()) throws(DecodingError) -> DecodedImage
    {
        try decode(bytes.span.bytes, options)
    }

    /// Why the bytes do not become a picture; nil when they do.
    func failure(of bytes: [UInt8], _ options: DecodingOptions = DecodingOptions()) -> DecodingError? {
        do throws(DecodingError) {
            _ = try decode(bytes, options)
            return nil
        } catch {
            return error
        }
    }

    func header(of bytes: [UInt8]) throws(DecodingError) -> ImageHeader { try header(of: bytes.span.bytes) }

    func metadata(of bytes: [UInt8], _ limits: DecodingLimits) throws(DecodingError) -> ImageMetadata {
        try metadata(of: bytes.span.bytes, limits)
    }
}

extension DecodingOptions {
    static func fitting(_ width: Int, _ height: Int, _ scaling: Scaling = .quality) -> DecodingOptions {
        DecodingOptions(targetSize: PixelSize(width: width, height: height), scaling: scaling)
    }
}

/// EXIF data with nothing but an orientation.
func exif(orientation: UInt8, isBigEndian: Bool) -> [UInt8] {
    isBigEndian
        ? [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
        : [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
}

/// A JPEG file with the EXIF segment that says so.
func jpeg(_ file: [UInt8], orientation: Orientation, isBigEndian: Bool = true) -> [UInt8] {
    let payload = Array("Exif\0\0".utf8) + exif(orientation: orientation.rawValue, isBigEndian: isBigEndian)
    let length = payload.count + 2
    return file[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + payload + file[2...]
}
