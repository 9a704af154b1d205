public import FoundationEssentials

/// Several loaders, asked in turn: the first that can load an address does. What was added last is asked first, so that
/// one of your own goes before those that are there.
public struct LoaderChain: DataLoader {
    private var loaders: [any DataLoader]

    /// In the order of adding.
    public init(_ loaders: [any DataLoader] = []) { self.loaders = loaders }

    /// Adds a loader, which is asked before all that are there.
    public mutating func add(_ loader: any DataLoader) { loaders.append(loader) }

    /// Whether one of them can.
    public func canLoad(_ url: URL) -> Bool { loaders.contains { $0.canLoad(url) } }

    /// The answer of the chosen loader; `.unsupportedScheme` where none can.
    public func response(for request: DataRequest) async throws(LoadingError) -> DataResponse {
        guard let loader = loaders.last(where: { $0.canLoad(request.url) }) else {
            throw .unsupportedScheme(request.url.scheme ?? "")
        }
        return try await loader.response(for: request)
    }
}
