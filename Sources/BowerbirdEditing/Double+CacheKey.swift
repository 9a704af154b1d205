extension Double {
    /// As cache keys carry it: equal numbers have equal texts, the two zeros too.
    var inCacheKey: String { "\(self + 0)" }
}
