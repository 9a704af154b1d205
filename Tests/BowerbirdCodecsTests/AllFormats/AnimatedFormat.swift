import BowerbirdCodecs
import BowerbirdCore
import Testing

/// A format whose files move, written without loss.
struct AnimatedFormat: Sendable, CustomTestStringConvertible {
    let format: ImageFormat
    /// Whether pixels can be half transparent.
    var hasHalves = true
    /// Whether the file says how often it is played; libavif before 1.0 does not write that.
    var saysLoopCount = true
    /// Frames of a long film: 300, or as many as are written in little time, and more than would stay unnoticed in memory.
    var longFrameCount = 300

    var testDescription: String { format.name }

    static let all = [
        AnimatedFormat(format: .gif, hasHalves: false), AnimatedFormat(format: .png), AnimatedFormat(format: .webP),
        AnimatedFormat(format: .avif, saysLoopCount: false, longFrameCount: 42),
        AnimatedFormat(format: .jxl, longFrameCount: 42),
    ].filter { row in WrittenFormat.all.contains { $0.format == row.format } }

    func write(_ film: any FrameSource, isLossless: Bool = true) throws -> [UInt8] {
        var options = EncodingOptions()
        options.isLossless = isLossless
        options.effort = 0
        return try CodecSet.builtIn.encode(film, as: format, options).withUnsafeBytes { Array($0) }
    }

    func film(_ loopCount: LoopCount = .forever) throws -> SampleFilm {
        var film = try SampleFilm(hasHalves: hasHalves)
        film.loopCount = loopCount
        return film
    }

    /// 960 × 540 pixels. Where a file can be put together from parts, the last frame is there many times.
    func longFile() throws -> [UInt8] {
        switch format {
        case .gif: return longGIF()
        case .png: return try longPNG()
        case .webP: return try longWebP()
        default: return try write(LongFilm(frameCount: longFrameCount), isLossless: false)
        }
    }

    private func longGIF() -> [UInt8] {
        var file = GIFFixture(LongFilm.size.width, LongFilm.size.height)
        for index in 0..<longFrameCount {
            file.addControl(delay: 4)
            file.addFrame(UInt8(index % 4), x: 3 * index, y: index, 20, 20)
        }
        return file.bytes
    }

    private func longPNG() throws -> [UInt8] {
        var parts = PNGParts(of: try write(LongFilm(frameCount: 2)))
        let count = try #require(parts.index(of: "acTL"))
        parts.chunks[count].data.replaceSubrange(0..<4, with: bigEndian(UInt32(longFrameCount)))
        let last = try #require(parts.chunks.lastIndex { $0.type == "fcTL" })
        let frame = parts.chunks[last..<parts.chunks.count - 1]
        var sequence = UInt32(1)
        for _ in 1..<longFrameCount {
            for var chunk in frame {
                chunk.data.replaceSubrange(0..<4, with: bigEndian(sequence))
                sequence += 1
                parts.chunks.insert(chunk, at: parts.chunks.count - 1)
            }
        }
        parts.chunks.removeSubrange(last..<last + frame.count)
        return parts.file
    }

    private func longWebP() throws -> [UInt8] {
        let file = try write(LongFilm(frameCount: 2))
        var chunks: [(type: [UInt8], whole: [UInt8])] = []
        var offset = 12
        while offset + 8 <= file.count {
            let length = (0..<4).reduce(0) { $0 | Int(file[offset + 4 + $1]) << (8 * $1) }
            let end = offset + 8 + length + length % 2
            chunks.append((Array(file[offset..<offset + 4]), Array(file[offset..<end])))
            offset = end
        }
        let last = try #require(chunks.lastIndex { $0.type == Array("ANMF".utf8) })
        let body = chunks[...last].flatMap { $0.whole } + (2..<longFrameCount).flatMap { _ in chunks[last].whole }
        return Array("RIFF".utf8) + littleEndian(body.count + 4) + Array("WEBP".utf8) + body
    }
}
