/// Files whose pixels are not the expected ones, each with the reason. What is not here must pass, and what is here must
/// not: a fault that was mended leaves the list.
enum KnownDeviations {
    static let reasons: [String: String] = [:]
}
