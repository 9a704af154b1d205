/// How urgent a request is among the others of a pipeline.
///
/// It decides who waits, not how fast anybody is: work that runs is not stopped for something more urgent.
public enum RequestPriority: Int, Comparable, Sendable, CaseIterable {
    /// From the least to the most urgent; `normal` is the default.
    case veryLow, low, normal, high, veryHigh

    public static func < (left: RequestPriority, right: RequestPriority) -> Bool { left.rawValue < right.rawValue }
}
