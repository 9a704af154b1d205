import BowerbirdCore
import Testing

@Suite(Corpus.isPresent)
struct `Public suites of pictures` {
    @Test(arguments: ConformanceSuite.all)
    func areDecodedAsExpected(_ suite: ConformanceSuite) throws {
        let report = try ConformanceReport(suite)
        try report.write()
        for (name, reason) in report.failures where KnownDeviations.reasons[name] == nil {
            Issue.record("\(name): \(reason)")
        }
        for (name, outcome) in report.outcomes where KnownDeviations.reasons[name] != nil && !outcome.isFailure {
            Issue.record("\(name) is right now: it is no known deviation any more")
        }
    }
}
