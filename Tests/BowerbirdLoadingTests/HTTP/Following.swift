import BowerbirdLoading
import Testing

/// Who follows redirects. What a user sees must be the same.
enum Following: CaseIterable, CustomTestStringConvertible {
    case libcurl, handler

    var testDescription: String { self == .libcurl ? "libcurl follows" : "a handler is asked" }

    func loader() -> HTTPLoader {
        var configuration = HTTPLoader.Configuration()
        if self == .handler { configuration.onRedirect = { $0.proposed } }
        return HTTPLoader(configuration: configuration)
    }
}
