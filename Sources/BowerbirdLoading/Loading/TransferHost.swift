import FoundationEssentials

/// What connections are made to.
struct TransferHost: Hashable {
    private let scheme: String?
    private let name: String?
    private let port: Int

    init(of url: URL) {
        scheme = url.scheme?.lowercased()
        name = url.host()?.lowercased()
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}
