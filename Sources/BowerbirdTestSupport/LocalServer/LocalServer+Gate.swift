import BowerbirdCore
import Glibc
import Synchronization

extension LocalServer {
    /// A place in an answer where the server waits for the test. It opens once, for all.
    public final class Gate: Sendable {
        /// A pipe: its reading end becomes ready when the writing end is closed, so a server can wait for it and for
        /// its client at once.
        private let ends: (reading: Int32, writing: Int32)
        private let state = Lock(State())

        private struct State {
            var isOpen = false
            var isReached = false
            var waiters: [CheckedContinuation<Void, Never>] = []
        }

        /// A closed one.
        public init() {
            var ends: [Int32] = [-1, -1]
            precondition(unsafe pipe(&ends) == 0, "no descriptors are left")
            self.ends = (ends[0], ends[1])
        }

        deinit {
            open()
            close(ends.reading)
        }

        /// Lets all pass who wait and who come later. Doing it again does nothing.
        public func open() {
            let isFirst = state.withLock { state in
                defer { state.isOpen = true }
                return !state.isOpen
            }
            if isFirst { close(ends.writing) }
        }

        /// Returns when a server has come here.
        public func reached() async {
            await withCheckedContinuation { continuation in
                let isReached = state.withLock { state in
                    if !state.isReached { state.waiters.append(continuation) }
                    return state.isReached
                }
                if isReached { continuation.resume() }
            }
        }

        /// False: the client went away.
        func pass(for client: Socket) -> Bool {
            announce()
            return client.waitUntilReady(orGoneBefore: ends.reading)
        }

        private func announce() {
            let waiters = state.withLock { state in
                state.isReached = true
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }
}
