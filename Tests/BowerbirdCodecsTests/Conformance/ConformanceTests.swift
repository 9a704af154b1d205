import BowerbirdCore
import Testing

@Suite
struct `Public suites of pictures` {
    /// Where only a part of the suites is there, the part is.
    @Test(arguments: ConformanceSuite.all)
    func areDecodedAsExpected(_ suite: ConformanceSuite) throws {
        let report = try ConformanceReport(suite)
        try report.write()
        #expect(!report.outcomes.isEmpty || Corpus.folder == nil)
        for (name, reason) in report.failures where KnownDeviations.reasons[name] == nil {
            Issue.record("\(name): \(reason)")
        }
        for (name, outcome) in report.outcomes where KnownDeviations.reasons[name] != nil && !outcome.isFailure {
            Issue.record("\(name) is right now: it is no known deviation any more")
        }
    }
}
