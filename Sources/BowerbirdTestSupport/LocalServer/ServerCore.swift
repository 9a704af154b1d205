import BowerbirdCore
import Synchronization

/// What a `LocalServer` and its threads share.
final class ServerCore: Sendable {
    private let listener: Socket
    private let state = Lock(State())

    private struct State {
        var scripts: [String: RunningScript] = [:]
        var requests: [LocalServer.Request] = []
        var sentByteCount = 0
        var connections: Set<Int32> = []
        /// Nil before the start and after the end.
        var acceptor: OwnThread?
        var threads: [OwnThread] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private init(listener: Socket) { self.listener = listener }

    static func start() throws -> ServerCore {
        let core = ServerCore(listener: try Socket.listening())
        let acceptor = OwnThread { core.acceptAll() }
        core.state.withLock { $0.acceptor = acceptor }
        return core
    }

    /// No new connections first, then no old ones: so no thread is forgotten.
    func stop() {
        guard let acceptor = state.withLock({ $0.acceptor.take() }) else { return }
        listener.shutDown()
        acceptor.join()
        listener.close()
        let threads = state.withLock { state in
            for descriptor in state.connections { Socket(descriptor: descriptor).shutDown() }
            defer { state.threads = [] }
            return state.threads
        }
        for thread in threads { thread.join() }
    }

    func port() throws -> Int { try listener.port() }

    func script(_ target: String, _ script: LocalServer.Script) {
        state.withLock { $0.scripts[target] = RunningScript(script: script) }
    }

    var requests: [LocalServer.Request] { state.withLock { $0.requests } }
    var sentByteCount: Int { state.withLock { $0.sentByteCount } }
    var connectionCount: Int { state.withLock { $0.connections.count } }

    func connections(become count: Int) async {
        await withCheckedContinuation { continuation in
            let isSo = state.withLock { state in
                if state.connections.count == count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isSo { continuation.resume() }
        }
    }

    /// Notes the request and finds its answer.
    func answer(to request: LocalServer.Request) -> LocalServer.Answer {
        let (script, earlierCount) = state.withLock { state in
            state.requests.append(request)
            return state.scripts[request.target]?.next() ?? (.always(.status(404)), 0)
        }
        return script.answer(request, earlierCount)
    }

    func sent(_ count: Int) { state.withLock { $0.sentByteCount += count } }
}

private struct RunningScript {
    let script: LocalServer.Script
    private var answeredCount = 0

    init(script: LocalServer.Script) { self.script = script }

    mutating func next() -> (script: LocalServer.Script, earlierCount: Int) {
        defer { answeredCount += 1 }
        return (script, answeredCount)
    }
}

/// Its threads.
extension ServerCore {
    private func acceptAll() {
        while let socket = listener.accept() {
            changeConnections { $0.insert(socket.descriptor) }
            let thread = OwnThread { self.serve(socket) }
            state.withLock { $0.threads.append(thread) }
        }
    }

    private func serve(_ socket: Socket) {
        Connection(socket: socket, server: self).serve()
        // Under the lock: the descriptor's number may belong to another as soon as it is closed.
        changeConnections { connections in
            connections.remove(socket.descriptor)
            socket.close()
        }
    }

    private func changeConnections(_ change: (inout Set<Int32>) -> Void) {
        let ready = state.withLock { state in
            change(&state.connections)
            let count = state.connections.count
            defer { state.waiters.removeAll { $0.count == count } }
            return state.waiters.filter { $0.count == count }.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }
}
