/// Chooses the colours that stand for those of a picture: boxes of colours are split where they vary most, then each
/// colour moves to the middle of those that are nearest to it.
struct ColorQuantizer {
    private var bins: [Bin] = []

    /// The colours whose components agree in their highest five bits.
    private struct Bin {
        var count = 0.0
        /// Of all pixels, then their mean.
        var color = SIMD3<Double>()
    }

    /// - Parameter pixels: As in `GIFPixels`; nothing does not count.
    init(_ pixels: GIFPixels) {
        var counts = Array(repeating: SIMD4<UInt64>(), count: 1 << 15)
        counts.withUnsafeMutableBufferPointer { counts in
            for pixel in pixels.values where pixel != GIFPixels.nothing {
                let (red, green, blue) = (pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
                counts[Int((red >> 3) << 10 | (green >> 3) << 5 | blue >> 3)] &+= SIMD4(
                    UInt64(red), UInt64(green), UInt64(blue), 1)
            }
        }
        for sum in counts where sum.w > 0 {
            let total = SIMD3(Double(sum.x), Double(sum.y), Double(sum.z))
            bins.append(Bin(count: Double(sum.w), color: total / Double(sum.w)))
        }
    }

    /// Up to `count` colours, as in `GIFPixels`.
    func colors(_ count: Int, rounds: Int) -> [UInt32] {
        var boxes = [Box(bins[...])]
        while boxes.count < count {
            guard let index = boxes.indices.max(by: { boxes[$0].spread < boxes[$1].spread }),
                let (low, high) = boxes[index].halves
            else { break }
            boxes[index] = low
            boxes.append(high)
        }
        var means = boxes.map(\.mean)
        for _ in 0..<rounds { means = refined(means) }
        return means.map(Self.pixel)
    }

    private static func pixel(_ color: SIMD3<Double>) -> UInt32 {
        let (red, green, blue) = (UInt32(color.x.rounded()), UInt32(color.y.rounded()), UInt32(color.z.rounded()))
        return 0xFF00_0000 | red << 16 | green << 8 | blue
    }

    private func refined(_ means: [SIMD3<Double>]) -> [SIMD3<Double>] {
        var sums = Array(repeating: Bin(), count: means.count)
        for bin in bins {
            let nearest = means.nearest(to: bin.color)
            sums[nearest].count += bin.count
            sums[nearest].color += bin.color * bin.count
        }
        return zip(means, sums).map { mean, sum in sum.count > 0 ? sum.color / sum.count : mean }
    }

    /// Some of the colours that occur.
    private struct Box {
        private var bins: [Bin]
        let mean: SIMD3<Double>
        /// How far the colours are from the mean, squared and summed, in each component.
        private let variance: SIMD3<Double>

        init(_ bins: ArraySlice<Bin>) {
            self.bins = Array(bins)
            var (count, sum, squares) = (0.0, SIMD3<Double>(), SIMD3<Double>())
            for bin in bins {
                count += bin.count
                sum += bin.color * bin.count
                squares += bin.color * bin.color * bin.count
            }
            mean = sum / max(1, count)
            variance = squares - sum * mean
        }

        var spread: Double { bins.count < 2 ? -1 : variance.sum() }

        /// Split at the mean of the component that varies most; nil where there is one colour only.
        var halves: (Box, Box)? {
            guard bins.count > 1 else { return nil }
            let axis = (0..<3).max { variance[$0] < variance[$1] } ?? 0
            let sorted = bins.sorted { $0.color[axis] < $1.color[axis] }
            let middle = sorted.firstIndex { $0.color[axis] > mean[axis] } ?? sorted.count / 2
            let split = min(max(1, middle), sorted.count - 1)
            return (Box(sorted[..<split]), Box(sorted[split...]))
        }
    }
}

extension [SIMD3<Double>] {
    /// The index of the colour with the least distance.
    fileprivate func nearest(to color: SIMD3<Double>) -> Int {
        var (best, least) = (0, Double.infinity)
        for index in indices {
            let difference = self[index] - color
            let distance = (difference * difference).sum()
            if distance < least { (best, least) = (index, distance) }
        }
        return best
    }
}
