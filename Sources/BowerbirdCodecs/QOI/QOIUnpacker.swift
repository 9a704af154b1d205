import BowerbirdCore

/// What both sides of a QOI file remember of the pixels so far. A pixel here is red, green, blue and alpha, the first
/// in the lowest byte.
struct QOIMemory {
    static let black: UInt32 = 0xFF00_0000

    var last = QOIMemory.black
    /// The pixel that was seen last in each of 64 places.
    var seen = Array(repeating: UInt32(0), count: 64)

    @inline(__always)
    static func place(of pixel: UInt32) -> Int {
        let sum = (pixel & 255) &* 3 &+ (pixel >> 8 & 255) &* 5 &+ (pixel >> 16 & 255) &* 7 &+ (pixel >> 24) &* 11
        return Int(sum & 63)
    }
}

/// Turns the chunks of a QOI file into pixels, some at a time.
struct QOIUnpacker {
    private var memory = QOIMemory()
    private var position = QOIHeader.byteCount
    /// How many more times the last pixel comes.
    private var run = 0
    private let hasAlpha: Bool
    private let packing: PackedPixel

    init(_ header: QOIHeader, _ format: PixelFormat) {
        hasAlpha = header.hasAlpha
        packing = PackedPixel(format)
    }

    /// Fills `pixels`. Gives how many there were; fewer only where the file ends.
    mutating func unpack(_ file: UnsafeRawBufferPointer, into pixels: UnsafeMutableBufferPointer<UInt32>) -> Int {
        var count = 0
        while count < pixels.count {
            if run == 0 {
                guard let next = next(of: file) else { return count }
                memory.last = next
                memory.seen[QOIMemory.place(of: next)] = next
                run = max(run, 1)
            }
            let end = count + min(run, pixels.count - count)
            run -= end - count
            let pixel = output(memory.last)
            while count < end {
                pixels[count] = pixel
                count += 1
            }
        }
        return count
    }

    /// What is wrong with the end of a file whose pixels are all there.
    func warning(at file: RawSpan) -> ImageWarning? {
        if file.matches(QOIHeader.endMarker, at: position) { return nil }
        if file.byteCount - position < QOIHeader.endMarker.count { return .truncated(atByte: file.byteCount) }
        return .corrupt("something else is where its end should be")
    }

    /// The pixel of the next chunk; `run` is set where it comes several times.
    @inline(__always)
    private mutating func next(of file: UnsafeRawBufferPointer) -> UInt32? {
        guard position < file.count else { return nil }
        let chunk = UInt32(file[position])
        let byteCount = chunk == 0xFE ? 4 : chunk == 0xFF ? 5 : chunk >> 6 == 2 ? 2 : 1
        guard byteCount <= file.count - position else { return nil }
        defer { position += byteCount }
        switch byteCount {
        case 4, 5: return whole(file, hasAlpha: byteCount == 5)
        case 2: return moved(by: chunk & 63, UInt32(file[position + 1]))
        default: break
        }
        switch chunk >> 6 {
        case 0: return memory.seen[Int(chunk)]
        case 1: return nudged(by: chunk)
        default:
            run = Int(chunk & 63) + 1
            return memory.last
        }
    }

    @inline(__always)
    private func whole(_ file: UnsafeRawBufferPointer, hasAlpha: Bool) -> UInt32 {
        let colors = UInt32(file[position + 1]) | UInt32(file[position + 2]) << 8 | UInt32(file[position + 3]) << 16
        return colors | (hasAlpha ? UInt32(file[position + 4]) << 24 : memory.last & 0xFF00_0000)
    }

    /// Each colour differs by −2 to 1.
    @inline(__always)
    private func nudged(by chunk: UInt32) -> UInt32 {
        changed(by: (chunk >> 4 & 3) &- 2, (chunk >> 2 & 3) &- 2, (chunk & 3) &- 2)
    }

    /// Green differs by −32 to 31, and the others by −8 to 7 more.
    @inline(__always)
    private func moved(by green: UInt32, _ others: UInt32) -> UInt32 {
        let green = green &- 32
        return changed(by: green &+ (others >> 4) &- 8, green, green &+ (others & 15) &- 8)
    }

    @inline(__always)
    private func changed(by red: UInt32, _ green: UInt32, _ blue: UInt32) -> UInt32 {
        let last = memory.last
        let (newRed, newGreen) = ((last &+ red) & 255, ((last >> 8) &+ green) & 255)
        return newRed | newGreen << 8 | (((last >> 16) &+ blue) & 255) << 16 | last & 0xFF00_0000
    }

    @inline(__always)
    private func output(_ pixel: UInt32) -> UInt32 {
        packing.pack(
            UInt8(truncatingIfNeeded: pixel), UInt8(truncatingIfNeeded: pixel >> 8),
            UInt8(truncatingIfNeeded: pixel >> 16), hasAlpha ? UInt8(truncatingIfNeeded: pixel >> 24) : 255)
    }
}
