import BowerbirdCore

/// The parts of an animated PNG file of opaque RGBA pixels, each frame one colour.
struct APNGParts {
    var parts = PNGParts(of: [])
    private var sequence: UInt32 = 0
    private let size: (Int, Int)

    init(_ width: Int, _ height: Int, frameCount: UInt32, playCount: UInt32 = 0) {
        size = (width, height)
        parts.chunks = [
            ("IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 6, 0, 0, 0]),
            ("acTL", bigEndian(frameCount) + bigEndian(playCount)),
        ]
    }

    /// The file as it is now.
    var file: [UInt8] {
        var whole = parts
        whole.chunks.append(("IEND", []))
        return whole.file
    }

    /// The picture for programs that know no animations.
    mutating func addStill(_ color: [UInt8]) {
        parts.chunks.append(("IDAT", Self.data(color, size.0, size.1)))
    }

    /// A frame; the first `isStill` where it is the still picture too.
    mutating func addFrame(
        _ color: [UInt8], x: Int = 0, y: Int = 0, width: Int? = nil, height: Int? = nil, delay: (Int, Int) = (1, 10),
        disposal: UInt8 = 0, blend: UInt8 = 0, isStill: Bool = false
    ) {
        let (width, height) = (width ?? size.0, height ?? size.1)
        let numbers = [width, height, x, y].flatMap { bigEndian(UInt32($0)) }
        let delays = [delay.0, delay.1].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        parts.chunks.append(("fcTL", next() + numbers + delays + [disposal, blend]))
        let data = Self.data(color, width, height)
        if isStill { return parts.chunks.append(("IDAT", data)) }
        parts.chunks.append(("fdAT", next() + data[..<(data.count / 2)]))
        parts.chunks.append(("fdAT", next() + data[(data.count / 2)...]))
    }

    private mutating func next() -> [UInt8] {
        defer { sequence += 1 }
        return bigEndian(sequence)
    }

    private static func data(_ color: [UInt8], _ width: Int, _ height: Int) -> [UInt8] {
        let row = [0] + Array(repeating: color, count: width).flatMap(\.self)
        return stored(Array(repeating: row, count: height).flatMap(\.self))
    }
}
