import Bowerbird
import BowerbirdRaster

extension Topic {
    /// The Lanczos filter alone, in pixels that are read.
    static let resampling = Topic("Resampling") {
        let picture = try Photograph.bitmap(in: Photograph.size)
        return try await reducedSizes.asyncFlatMap { size in [try await speed(picture, to: size)] }
    }

    /// The same beside what is known for doing it fast.
    static let pillow = Topic("Pillow") {
        let picture = try Photograph.bitmap(in: Photograph.size)
        let pillow = try Pillow(Photograph.get().baseline)
        return try await reducedSizes.asyncFlatMap { size in
            let comparison = try await Comparison.interleaved(.processor) {
                _ = try picture.resampled(to: size)
            } timed: {
                try pillow.secondsOfResizing(to: size)
            }
            return comparison.figures("to \(size)", pillow.name, limit: .atMost(1))
        }
    }

    /// Four, six and ten times smaller.
    private static let reducedSizes = [(1000, 750), (667, 500), (400, 300)].map { PixelSize(width: $0, height: $1) }
}

private func speed(_ picture: Bitmap, to size: PixelSize) async throws -> Figure {
    var samples = Samples()
    for _ in 0..<Comparison.pairCount {
        try await samples.add(.processor) { _ = try picture.resampled(to: size) }
    }
    let megapixels = Double(picture.size.pixelCount) / 1e6
    return Figure("\(picture.size) to \(size)", rateOf: samples, megapixels, .megapixelsPerSecond, limit: .atLeast(600))
}

extension Array {
    func asyncFlatMap<R>(_ transform: (Element) async throws -> [R]) async rethrows -> [R] {
        var results: [R] = []
        for element in self { results += try await transform(element) }
        return results
    }
}
