public import FoundationEssentials

/// A small HTTP/1.1 server on the loopback interface that answers by a script, for tests of what talks to servers.
///
///     let server = try LocalServer.start()
///     server.script("/photo.jpg", .ok(bytes))
///     …
///     #expect(server.requests(for: "/photo.jpg").count == 1)
///     server.stop()
///
/// It is the faulty server of the tests, too: it cuts bodies, lies about their length, redirects in circles, is busy,
/// forgets about ranges, waits between two pieces. See `Answer` for what it does once, `Script` for what depends on the
/// request.
///
/// Each connection has a thread of its own. Nothing in it waits for time: what shall come later stands behind a `Gate`.
/// It stops, too, when the last reference to it goes.
public final class LocalServer: Sendable {
    /// A request as it arrived.
    public struct Request: Sendable {
        /// `GET`.
        public var method: String
        /// The path and query, as sent.
        public var target: String
        /// Names in lower case.
        public var headers: [String: String]

        /// For tests of a script.
        public init(method: String = "GET", target: String = "/", headers: [String: String] = [:]) {
            self.method = method
            self.target = target
            self.headers = headers
        }
    }

    /// On 127.0.0.1.
    public let port: Int
    /// Held by the threads too, which must not hold the server: they could not wait for their own end.
    private let core: ServerCore

    private init(core: ServerCore) throws {
        self.core = core
        port = try core.port()
    }

    deinit { core.stop() }

    /// A server on a free port that answers all with 404 until it is told better.
    public static func start() throws -> LocalServer { try LocalServer(core: try ServerCore.start()) }

    /// Closes the port and all connections, and returns when all its threads have ended. Gates need not be opened.
    public func stop() { core.stop() }

    /// The address of `target` on this server. `target` is sent as it is, so it must be encoded already.
    public func url(_ target: String) -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(target)", encodingInvalidCharacters: false) else {
            preconditionFailure("\(target) is no path of an address")
        }
        return url
    }

    /// From now on requests for `target` (path and query as sent) get this answer.
    public func script(_ target: String, _ answer: Answer) { script(target, .always(answer)) }

    /// From now on requests for `target` get what the script says to each.
    public func script(_ target: String, _ script: Script) { core.script(target, script) }

    /// From now on requests for `target` get what `answer` makes of each. It runs on the thread of the connection.
    public func script(_ target: String, answer: @escaping @Sendable (Request) -> Answer) {
        script(target, Script { request, _ in answer(request) })
    }

    /// In the order in which they came.
    public func requests(for target: String) -> [Request] { core.requests.filter { $0.target == target } }

    /// What the kernel has taken from this server so far, heads included.
    public var sentByteCount: Int { core.sentByteCount }

    /// How many connections are open. See `connections(become:)`.
    public var connectionCount: Int { core.connectionCount }

    /// Returns as soon as so many connections are open. One that its client closed counts until this server has seen
    /// it, which it does at once.
    public func connections(become count: Int) async { await core.connections(become: count) }
}
