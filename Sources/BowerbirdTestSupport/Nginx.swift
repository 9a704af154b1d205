import BowerbirdCore
import FoundationEssentials
import Glibc

/// nginx on a free port of this machine, serving one folder until `stop()`, or until this object or the whole program is
/// gone, even by SIGKILL.
public final class Nginx: Sendable {
    /// Debian has it in `/usr/sbin`, which the path of an ordinary user lacks.
    private static let program = "/usr/sbin/nginx"

    /// Whether a test that needs it can run here.
    public static var isInstalled: Bool { unsafe access(program, X_OK) == 0 }

    /// Whether one with TLS can run here: its certificate is made by `openssl`.
    public static var canServeTLS: Bool { isInstalled && ChildProcess.isInstalled("openssl") }

    /// How it talks to its clients.
    public enum Transport: Sendable, Hashable, CaseIterable {
        /// HTTP/1.1, in the clear.
        case plain
        /// HTTP/1.1 over TLS.
        case tls
        /// HTTP/2 over TLS.
        case http2
    }

    /// On 127.0.0.1.
    public let port: Int
    private let transport: Transport
    private let state: TemporaryDirectory
    private let keeper: ChildProcess
    private let leash: Leash

    /// - Parameters:
    ///   - folder: An absolute path.
    ///   - transport: Over TLS the certificate is made here, for 127.0.0.1 and signed by nobody else, so that only who
    ///     takes any will take it.
    ///   - compresses: Whether files go out packed by gzip to those who accept it, whatever they are.
    ///   - bytesPerSecond: The most that one request gets; nil for all there is.
    ///   - keepsLog: Whether `requests` tells what was asked for; a server that is measured has better things to do.
    public init(
        serving folder: String, over transport: Transport = .plain, compresses: Bool = false,
        bytesPerSecond: Int? = nil, keepsLog: Bool = true
    ) throws {
        self.transport = transport
        state = try TemporaryDirectory()
        if transport != .plain { try Certificate.make(in: state) }
        let socket = try ListeningSocket()
        port = socket.port
        let settings = NginxSettings(
            folder: folder, port: port, transport: transport, compresses: compresses, bytesPerSecond: bytesPerSecond,
            keepsLog: keepsLog)
        _ = try state.write(Array(settings.text.utf8), to: "nginx.conf")
        leash = try Leash()
        keeper = try ChildProcess(
            ["sh", "-c", Self.keeping, Self.program, "-p", state.path, "-e", "error.log", "-c", "nginx.conf"],
            environment: ["NGINX": "3;"], descriptors: [0: leash.end, 3: socket.descriptor])
        leash.closeEnd()
    }

    deinit { stop() }

    /// Returns when it has ended.
    public func stop() {
        leash.letGo()
        keeper.wait()
    }

    /// `path` as it stands in the address: nothing is encoded here.
    public func address(of path: String) -> String {
        "\(transport == .plain ? "http" : "https")://127.0.0.1:\(port)/\(path)"
    }

    /// One line a request, the status and then what was asked for as it was sent. Whole only after `stop()`.
    public var requests: [String] {
        let log = try? String(contentsOfFile: state.path + "/access.log", encoding: .utf8)
        return log?.split(separator: "\n").map(String.init) ?? []
    }

    /// What it complains of, for the message of a test.
    public var complaints: String {
        (try? String(contentsOfFile: state.path + "/error.log", encoding: .utf8)) ?? ""
    }

    /// A shell that ends nginx when its own input ends, and that takes nginx along where it is killed itself.
    private static let keeping = """
        setpriv --pdeathsig TERM -- "$0" "$@" & server=$!
        exec 3>&-
        read -r _
        kill "$server" 2>/dev/null
        wait "$server"
        """
}

/// A socket that listens before nginx runs: so the port is free for certain, and whoever connects early waits in the
/// queue. nginx takes over the sockets that its variable `NGINX` names, as it does when it replaces itself.
private struct ListeningSocket: ~Copyable {
    let descriptor: Int32
    let port: Int

    init() throws {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(AF_INET, Int32(kind), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, size) == 0 && listen(descriptor, 511) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isReady else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { close(descriptor) }
}

/// A pair of sockets whose far end sees the end of its input when this program lets go, or is gone.
private final class Leash: Sendable {
    let end: Int32
    private let held: Lock<(handle: Int32?, end: Int32?)>

    init() throws {
        var descriptors: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &descriptors) == 0 else { throw CocoaError(.fileWriteUnknown) }
        end = descriptors[0]
        held = Lock((handle: descriptors[1], end: descriptors[0]))
    }

    /// Once the other program has its own.
    func closeEnd() { close(held.withLock { $0.end.take() }) }

    func letGo() { close(held.withLock { $0.handle.take() }) }

    private func close(_ descriptor: Int32?) {
        if let descriptor { Glibc.close(descriptor) }
    }

    deinit {
        closeEnd()
        letGo()
    }
}
