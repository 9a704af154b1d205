/// A body that is pulled: nothing is read ahead of the reader but a small buffer, so a slow reader costs no memory and
/// holds the sender back. One reader at a time.
///
/// Letting go of the stream before its end stops the transfer.
public struct DataStream: Sendable {
    private let pull: @Sendable () async throws(LoadingError) -> [UInt8]?

    /// A stream of your own. `pull` gives the next bytes, or nil at the end; it throws `.cancelled` when the task is
    /// cancelled. What it captures is released with the stream.
    public init(pull: @escaping @Sendable () async throws(LoadingError) -> [UInt8]?) {
        self.pull = pull
    }

    /// The next bytes, never empty; nil at the end. Waits for them.
    public func next() async throws(LoadingError) -> [UInt8]? { try await pull() }
}
