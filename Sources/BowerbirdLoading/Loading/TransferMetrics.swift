/// What a transfer over HTTP cost.
///
/// The times of `nameLookup`, `connect` and `secure` are those of the steps alone, zero where the step was not needed:
/// on a connection that was there already. `firstByte` and `total` count from the moment when the transfer began, after
/// it had its turn. All are exact to a microsecond. Where redirects were followed, each is the sum over all of them.
public struct TransferMetrics: Sendable, Hashable {
    /// Looking for the host's address.
    public var nameLookup: Duration = .zero
    /// From the address to a TCP connection.
    public var connect: Duration = .zero
    /// From there to an agreement about TLS.
    public var secure: Duration = .zero
    /// From the beginning to the first byte of the answer; zero where none came.
    public var firstByte: Duration = .zero
    /// From the beginning to the end. It contains the time in which the reader was behind.
    public var total: Duration = .zero
    /// The bytes of the body as they came over the network: of a packed one, those of the packing.
    public var receivedByteCount = 0
    /// The request went out over a connection that an earlier one had made, or another is using.
    public var isReusedConnection = false
    /// `"1.0"`, `"1.1"`, `"2"` or `"3"`; nil where there was no answer.
    public var protocolVersion: String?

    /// All zero, for a loader of your own.
    public init() {}
}

extension TransferMetrics {
    /// Both as one: `next` is the transfer to which this one was redirected.
    func followed(by next: TransferMetrics) -> TransferMetrics {
        var sum = next
        sum.nameLookup += nameLookup
        sum.connect += connect
        sum.secure += secure
        sum.firstByte += total
        sum.total += total
        sum.receivedByteCount += receivedByteCount
        return sum
    }
}
