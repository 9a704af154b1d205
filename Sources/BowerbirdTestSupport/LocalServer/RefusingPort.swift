/// A port of the loopback interface where connections are refused as long as this lives. The port of a server that was
/// stopped would do only until another one is given it.
public final class RefusingPort: Sendable {
    /// On 127.0.0.1.
    public let number: Int
    private let socket: Socket

    public init() throws {
        socket = try Socket.bound()
        number = try socket.port()
    }

    deinit { socket.close() }

    /// The address of `target` on it, which must be encoded already.
    public func address(_ target: String) -> String { "http://127.0.0.1:\(number)\(target)" }
}
