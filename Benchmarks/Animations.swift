import Bowerbird
import BowerbirdTestSupport
import FoundationEssentials

extension Topic {
    /// One for each format that moves: how fast its frames are composed, and what a long animation takes.
    static var animations: [Topic] {
        [(ImageFormat.gif, "GIFFrames"), (.png, "APNGFrames"), (.webP, "WebPFrames")].map { format, name in
            Topic(name) { try await figures(of: format) }
        }
    }
}

private let frameCount = 1000
private let timedFrameCount = 100
private let frameSize = PixelSize(width: 1920, height: 1080)

private func figures(of format: ImageFormat) async throws -> [Figure] {
    let frames = try MovingSquare(frameCount: frameCount, in: frameSize)
    let file = try CodecSet.builtIn.encode(frames, as: format)
    return [try await speed(of: file), try peak(of: file)]
}

private func speed(of file: EncodedImage) async throws -> Figure {
    var samples = Samples()
    for _ in 0..<Comparison.pairCount {
        try await samples.add(.processor) {
            guard let frames = try CodecSet.builtIn.frames(in: file) else { throw CannotMeasure("it does not move") }
            for index in 0..<timedFrameCount { _ = try frames.frame(at: index) }
        }
    }
    return Figure("frames of \(frameSize)", rateOf: samples, Double(timedFrameCount), .perSecond)
}

private func peak(of file: EncodedImage) throws -> Figure {
    let folder = try TemporaryDirectory()
    let path = try folder.write(file.withUnsafeBytes { Array($0) }, to: "animation").path
    let megabytes = try (0..<3).map { _ in try MemoryChild.growth(doing: .frames, path) }
    let spread = Spread(of: megabytes)
    return Figure(
        name: "memory for \(frameCount) frames, one after the other", value: spread.maximum, unit: .megabytes,
        spread: spread, limit: .atMost(60))
}
