import Bowerbird
import BowerbirdTestSupport
import FoundationEssentials

extension Topic {
    /// One for each format that moves: how fast its frames are composed, and what an animation takes of memory.
    static let animations: [Topic] = [
        Topic("GIFFrames") { try await figures(of: .gif, frameCount: longCount) },
        Topic("APNGFrames") { try await figures(of: .png, frameCount: longCount) },
        Topic("WebPFrames") {
            let file = try animation(.webP, frameCount: longCount / 20).repeatingWebPFrames(20)
            return try await figures(of: file, frameCount: longCount)
        },
        Topic("AVIFFrames") { try await figures(of: .avif, frameCount: shortCount) },
        Topic("JXLFrames") { try await figures(of: .jxl, frameCount: shortCount) },
    ]
}

private let longCount = 1000
/// For formats whose encoders take seconds for a frame.
private let shortCount = 20
private let timedCount = 100
private let frameSize = PixelSize(width: 1920, height: 1080)

private func animation(_ format: ImageFormat, frameCount: Int) throws -> EncodedImage {
    var options = EncodingOptions()
    options.effort = 0
    let frames = try MovingSquare(frameCount: frameCount, in: frameSize)
    return try CodecSet.builtIn.encode(frames, as: format, options)
}

private func figures(of format: ImageFormat, frameCount: Int) async throws -> [Figure] {
    try await figures(of: animation(format, frameCount: frameCount), frameCount: frameCount)
}

private func figures(of file: EncodedImage, frameCount: Int) async throws -> [Figure] {
    [try await speed(of: file, frameCount: min(frameCount, timedCount)), try peak(of: file, frameCount: frameCount)]
}

private func speed(of file: EncodedImage, frameCount: Int) async throws -> Figure {
    var samples = Samples()
    for _ in 0..<Comparison.pairCount {
        try await samples.add(.processor) {
            guard let frames = try CodecSet.builtIn.frames(in: file) else { throw CannotMeasure("it does not move") }
            for index in 0..<frameCount { _ = try frames.frame(at: index) }
        }
    }
    return Figure("frames of \(frameSize)", rateOf: samples, Double(frameCount), .perSecond)
}

private func peak(of file: EncodedImage, frameCount: Int) throws -> Figure {
    let folder = try TemporaryDirectory()
    let path = try folder.write(file.withUnsafeBytes { Array($0) }, to: "animation").path
    let megabytes = try MemoryChild.growth(doing: .frames, path)
    let name = "memory for \(frameCount) frames, one after the other"
    let limit = frameCount == longCount ? Figure.Limit.atMost(60) : nil
    return Figure(name: name, value: megabytes, unit: .megabytes, limit: limit)
}
