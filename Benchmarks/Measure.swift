import Glibc

/// What is read before and after each run.
enum Stopwatch {
    /// The time that this process has computed: what other programs do in the meantime hardly touches its minimum.
    case processor
    /// The same of programs that this one started and that have ended.
    case children
    case wall

    /// In seconds.
    var now: Double {
        switch self {
        case .processor: Self.time(of: CLOCK_PROCESS_CPUTIME_ID)
        case .children: Self.timeOfChildren
        case .wall: Self.time(of: CLOCK_MONOTONIC)
        }
    }

    private static func time(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static var timeOfChildren: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}

/// How long runs of the same thing took, in seconds.
struct Samples {
    private(set) var seconds: [Double] = []

    mutating func add(_ stopwatch: Stopwatch, _ run: () async throws -> Void) async rethrows {
        let start = stopwatch.now
        try await run()
        seconds.append(stopwatch.now - start)
    }

    /// One more run, which has been timed elsewhere.
    mutating func add(_ seconds: Double) { self.seconds.append(seconds) }

    /// Each run's time divided by what happened in it so many times.
    func divided(by count: Int) -> Samples { Samples(seconds: seconds.map { $0 / Double(count) }) }

    var spread: Spread { Spread(of: seconds) }
}

/// The smallest, the middle and the largest of some numbers.
struct Spread: Encodable {
    let minimum: Double
    let median: Double
    let maximum: Double

    /// Of at least one number.
    init(of numbers: [Double]) {
        let sorted = numbers.sorted()
        minimum = sorted[0]
        median = sorted[sorted.count / 2]
        maximum = sorted[sorted.count - 1]
    }

    func scaled(by factor: Double) -> Spread {
        Spread(of: [minimum * factor, median * factor, maximum * factor])
    }

    var inverted: Spread { Spread(of: [1 / minimum, 1 / median, 1 / maximum]) }
}

/// Two things that were run in turn, and the first of them once more in each turn, which shows what the measurement
/// itself is worth.
struct Comparison {
    /// Fewer do not reach a minimum that can be trusted to a few per cent.
    static let pairCount = 15

    private(set) var subject = Samples()
    private(set) var reference = Samples()
    private(set) var again = Samples()

    static func interleaved(
        _ stopwatch: Stopwatch, pairs: Int = pairCount, _ subject: () async throws -> Void,
        _ reference: () async throws -> Void
    ) async rethrows -> Comparison {
        try await subject()
        try await reference()
        var comparison = Comparison()
        for _ in 0..<pairs {
            try await comparison.subject.add(stopwatch, subject)
            try await comparison.reference.add(stopwatch, reference)
            try await comparison.again.add(stopwatch, subject)
        }
        return comparison
    }

    /// The same where the reference takes its own time.
    static func interleaved(
        _ stopwatch: Stopwatch, pairs: Int = pairCount, _ subject: () async throws -> Void,
        timed reference: () async throws -> Double
    ) async rethrows -> Comparison {
        try await subject()
        _ = try await reference()
        var comparison = Comparison()
        for _ in 0..<pairs {
            try await comparison.subject.add(stopwatch, subject)
            comparison.reference.add(try await reference())
            try await comparison.again.add(stopwatch, subject)
        }
        return comparison
    }

    /// The same where each run has something that is made before it and given up after it, neither of which is timed.
    static func interleaved<Subject, Reference>(
        _ stopwatch: Stopwatch, pairs: Int = pairCount, with makeSubject: () throws -> Subject,
        _ subject: (Subject) async throws -> Void, with makeReference: () throws -> Reference,
        _ reference: (Reference) async throws -> Void
    ) async rethrows -> Comparison {
        var comparison = Comparison()
        // The first of all shows what the caches of the machine do not have yet.
        for pair in 0...pairs {
            let (first, other, second) = (try makeSubject(), try makeReference(), try makeSubject())
            try await comparison.subject.add(stopwatch) { try await subject(first) }
            try await comparison.reference.add(stopwatch) { try await reference(other) }
            try await comparison.again.add(stopwatch) { try await subject(second) }
            if pair == 0 { comparison = Comparison() }
        }
        return comparison
    }

    /// The subject's least time by the reference's.
    var ratio: Double { subject.spread.minimum / reference.spread.minimum }
    /// The subject's least time by that of the same code: 1 but for the noise.
    var ratioToItself: Double { subject.spread.minimum / again.spread.minimum }
    /// The ratios of the pairs.
    var ratios: Spread { Spread(of: zip(subject.seconds, reference.seconds).map { $0 / $1 }) }
    var ratiosToItself: Spread { Spread(of: zip(subject.seconds, again.seconds).map { $0 / $1 }) }
}
