import BowerbirdCore

/// Bins of colours in groups: cut where they vary most, and then moved to the group whose mean is nearest (k-means).
struct Palette {
    private var groups: [Group]

    init(_ bins: [ColorHistogram.Bin]) { groups = bins.isEmpty ? [] : [Group(bins)] }

    /// Cuts the group with the most variance until there are so many, or none varies.
    mutating func split(into count: Int) {
        while groups.count < count {
            guard let index = groups.indices.max(by: { groups[$0].spread < groups[$1].spread }) else { return }
            guard let (lower, upper) = groups[index].halves else { return }
            groups[index] = lower
            groups.append(upper)
        }
    }

    /// A few rounds are enough: the cuts are near already.
    mutating func refine(rounds: Int = 4) {
        guard groups.count > 1 else { return }
        for _ in 0..<rounds {
            let means = groups.map(\.mean)
            var bins = [[ColorHistogram.Bin]](repeating: [], count: means.count)
            for bin in groups.flatMap(\.bins) { bins[Self.nearest(to: bin.color, of: means)].append(bin) }
            groups = bins.filter { !$0.isEmpty }.map(Group.init)
        }
    }

    private static func nearest(to color: SIMD3<Double>, of means: [SIMD3<Double>]) -> Int {
        var (nearest, least) = (0, Double.infinity)
        for (index, mean) in means.enumerated() {
            let difference = mean - color
            let distance = (difference * difference).sum()
            if distance < least { (nearest, least) = (index, distance) }
        }
        return nearest
    }

    /// The greatest share first; of equal ones that which was found first.
    var colors: [DominantColor] {
        let total = groups.reduce(0) { $0 + $1.weight }
        let colors = groups.map { DominantColor(color: $0.color, share: $0.weight / total) }
        return colors.enumerated().sorted { ($1.element.share, $0.offset) < ($0.element.share, $1.offset) }
            .map(\.element)
    }
}

extension Palette {
    /// Bins that one colour stands for; never empty.
    fileprivate struct Group {
        let bins: [ColorHistogram.Bin]
        let weight: Double
        let mean: SIMD3<Double>
        /// The sum of the squares of the distances from the mean, by component.
        private let variances: SIMD3<Double>

        init(_ bins: [ColorHistogram.Bin]) {
            self.bins = bins
            let weight = bins.reduce(0) { $0 + $1.weight }
            let mean = bins.reduce(SIMD3()) { $0 + $1.color * $1.weight } / weight
            self.weight = weight
            self.mean = mean
            variances = bins.reduce(SIMD3()) { $0 + ($1.color - mean) * ($1.color - mean) * $1.weight }
        }

        var spread: Double { variances.max() }

        var color: Color { Color(straight: SIMD4(mean, 1)) }

        /// Cut at the mean of the component that varies most; nil where nothing does.
        var halves: (Group, Group)? {
            guard let axis = (0..<3).max(by: { variances[$0] < variances[$1] }) else { return nil }
            let lower = bins.filter { $0.color[axis] <= mean[axis] }
            let upper = bins.filter { $0.color[axis] > mean[axis] }
            return lower.isEmpty || upper.isEmpty ? nil : (Group(lower), Group(upper))
        }
    }
}
