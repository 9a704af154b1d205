import BowerbirdCore
import FoundationEssentials

/// Refuses what can only fail, before any work is done for it.
enum AddressCheck {
    /// Servers refuse addresses of a tenth of this, and a caller who passes more has passed something else.
    static let maximumByteCount = 64 << 10

    /// Why a request is refused; nil where it is not.
    static func refusal(of request: AcceptedRequest, by loader: any DataLoader) -> ImageError? {
        let source = request.request.source
        guard case .url(let url) = source else { return nil }
        let text = url.absoluteString
        guard let scheme = url.scheme?.lowercased(), !scheme.isEmpty else { return .invalidURL(text) }
        guard scheme == "data" || text.utf8.count <= maximumByteCount else { return .invalidURL(text) }
        guard loader.canLoad(url) else { return ImageError(LoadingError.unsupportedScheme(scheme), source) }
        guard source.isRemote else { return nil }
        guard url.host()?.isEmpty == false else { return .invalidURL(text) }
        guard scheme == "http", request.options.plainHTTP == .refuse else { return nil }
        return ImageError(LoadingError.plainHTTP(host: url.host() ?? ""), source)
    }
}
