/// One line of the results.
struct Figure: Encodable {
    let name: String
    /// What counts: of times the least, of ratios that of the least times.
    let value: Double
    let unit: Unit
    var spread: Spread?
    var limit: Limit?

    enum Unit: String, Encodable {
        case milliseconds = "ms"
        case microseconds = "µs"
        case nanoseconds = "ns"
        case megabytes = "MB"
        case perSecond = "/s"
        case megapixelsPerSecond = "MP/s"
        case ratio = "×"

        /// How many of it a second has.
        fileprivate var perOneSecond: Double {
            switch self {
            case .milliseconds: 1e3
            case .microseconds: 1e6
            case .nanoseconds: 1e9
            default: 1
            }
        }
    }

    enum Limit: Encodable {
        case atMost(Double)
        case atLeast(Double)
    }

    /// Nil where there is no limit.
    var holds: Bool? {
        switch limit {
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        case nil: nil
        }
    }

    private enum Key: CodingKey { case name, value, unit, spread, limit, holds }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(unit, forKey: .unit)
        try container.encodeIfPresent(spread, forKey: .spread)
        try container.encodeIfPresent(limit, forKey: .limit)
        try container.encodeIfPresent(holds, forKey: .holds)
    }
}

extension Figure {
    /// The least of some times, in `unit`.
    init(_ name: String, _ samples: Samples, _ unit: Unit) {
        let spread = samples.spread.scaled(by: unit.perOneSecond)
        self.init(name: name, value: spread.minimum, unit: unit, spread: spread)
    }

    /// How often `amount` fits into a second: the most, of times for one.
    init(_ name: String, rateOf samples: Samples, _ amount: Double, _ unit: Unit, limit: Limit? = nil) {
        let spread = Spread(of: samples.seconds.map { amount / $0 })
        self.init(name: name, value: spread.maximum, unit: unit, spread: spread, limit: limit)
    }
}

extension Comparison {
    /// The times of both, their ratio, and that of the subject to itself.
    func figures(_ subject: String, _ reference: String, limit: Figure.Limit? = nil) -> [Figure] {
        [
            Figure(subject, self.subject, .milliseconds),
            Figure(reference, self.reference, .milliseconds),
            figure(subject, reference, limit),
            Figure(name: "\(subject) : itself", value: ratioToItself, unit: .ratio, spread: ratiosToItself),
        ]
    }

    /// Of something that is to be so many times faster the ratio is turned round.
    private func figure(_ subject: String, _ reference: String, _ limit: Figure.Limit?) -> Figure {
        if case .atLeast = limit {
            return Figure(
                name: "\(reference) : \(subject)", value: 1 / ratio, unit: .ratio, spread: ratios.inverted, limit: limit
            )
        }
        return Figure(name: "\(subject) : \(reference)", value: ratio, unit: .ratio, spread: ratios, limit: limit)
    }
}
