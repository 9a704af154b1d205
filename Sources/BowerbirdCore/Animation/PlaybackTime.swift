extension FrameDelay {
    /// Half a year. No sum of so many frames as memory can hold leaves the range of `Duration`.
    static let longest = Duration.seconds(1 << 24)

    /// What a source says, made sure of: between 11 ms and `longest`.
    static func checked(_ delays: [Duration]) -> [Duration] {
        delays.isEmpty ? [shown(.zero)] : delays.map { min(shown($0), longest) }
    }
}

extension Duration {
    /// So much longer, no more than `longest`, and not below zero. Exact for a factor of 1.
    func scaled(by factor: Double, atMost longest: Duration) -> Duration {
        if self <= .zero { return .zero }
        if factor == 1 { return min(self, longest) }
        let product = Double(attoseconds) * factor
        // What is not a number is not less either.
        return product < Double(longest.attoseconds) ? Duration(attoseconds: Int128(product)) : longest
    }
}

/// What a rate means: 1 as the file says, 2 twice as fast. One that is no number, or below 0, stops as 0 does.
func checkedRate(_ rate: Double) -> Double { rate > 0 ? rate : 0 }
