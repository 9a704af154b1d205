public import BowerbirdCore

/// Writes QOI files: straight pixels of 8 bits come back as they were. Opaque pictures are written without alpha. The pixels
/// are written upright, and in sRGB where their profile is not the linear one that the format knows.
public struct QOIEncoder: ImageEncoder {
    /// It has no settings; of `EncodingOptions` it takes the profile and the orientation.
    public init() {}

    public var format: ImageFormat { .qoi }

    /// Rows between two looks at `Task.isCancelled`.
    private static let bandHeight = 64

    public func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
        guard max(bitmap.size.width, bitmap.size.height) <= UInt32.max else {
            throw .tooLarge(bitmap.size, format: .qoi)
        }
        let isLinear = options.profile == QOIHeader.linear
        let bitmap = try options.upright(isLinear ? bitmap : options.inWritableColors(bitmap) { _ in false }.bitmap)
        let header = QOIHeader(size: bitmap.size, hasAlpha: !bitmap.isOpaque, isLinear: isLinear)
        var rows = EightBitRows(of: bitmap)
        var packer = QOIPacker(header)
        for row in 0..<bitmap.size.height {
            if row.isMultiple(of: Self.bandHeight) { try EncodingError.checkCancellationOfWriting() }
            rows.withRow(row) { packer.pack($0.assumingMemoryBound(to: UInt32.self)) }
        }
        guard let file = EncodedImage(packer.finish()) else { throw .outOfMemory }
        return file
    }
}

/// Turns pixels into the chunks of a QOI file.
private struct QOIPacker {
    private var memory = QOIMemory()
    private var run: UInt8 = 0
    private var file: [UInt8]

    private static let longestRun: UInt8 = 62

    init(_ header: QOIHeader) { file = header.bytes }

    mutating func pack(_ pixels: UnsafeBufferPointer<UInt32>) {
        for pixel in pixels { pack(UInt32(littleEndian: pixel)) }
    }

    mutating func finish() -> [UInt8] {
        endRun()
        return file + QOIHeader.endMarker
    }

    @inline(__always)
    private mutating func pack(_ pixel: UInt32) {
        if pixel == memory.last {
            run += 1
            if run == Self.longestRun { endRun() }
            return
        }
        endRun()
        let place = QOIMemory.place(of: pixel)
        if memory.seen[place] == pixel {
            file.append(UInt8(place))
        } else {
            memory.seen[place] = pixel
            append(pixel)
        }
        memory.last = pixel
    }

    private mutating func endRun() {
        guard run > 0 else { return }
        file.append(0xC0 | (run - 1))
        run = 0
    }

    /// The smallest chunk that gives the pixel after the last one.
    @inline(__always)
    private mutating func append(_ pixel: UInt32) {
        let last = memory.last
        guard pixel >> 24 == last >> 24 else {
            file.append(0xFF)
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                file.append(UInt8(truncatingIfNeeded: pixel >> shift))
            }
            return
        }
        let red = difference(pixel, last, 0)
        let green = difference(pixel, last, 8)
        let blue = difference(pixel, last, 16)
        let (redRest, blueRest) = (red &- green, blue &- green)
        if -2..<2 ~= red, -2..<2 ~= green, -2..<2 ~= blue {
            file.append(0x40 | UInt8(red + 2) << 4 | UInt8(green + 2) << 2 | UInt8(blue + 2))
        } else if -32..<32 ~= green, -8..<8 ~= redRest, -8..<8 ~= blueRest {
            file.append(0x80 | UInt8(green + 32))
            file.append(UInt8(redRest + 8) << 4 | UInt8(blueRest + 8))
        } else {
            file.append(0xFE)
            for shift in stride(from: UInt32(0), to: 24, by: 8) {
                file.append(UInt8(truncatingIfNeeded: pixel >> shift))
            }
        }
    }

    @inline(__always)
    private func difference(_ pixel: UInt32, _ last: UInt32, _ shift: UInt32) -> Int8 {
        Int8(truncatingIfNeeded: Int32(bitPattern: pixel >> shift) &- Int32(bitPattern: last >> shift))
    }
}
