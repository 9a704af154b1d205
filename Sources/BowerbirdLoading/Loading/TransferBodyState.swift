/// What lies between the loop, which brings an answer, and the one reader, who takes it: a value without a lock or a
/// thread, so that every order of events can be tried.
struct TransferBodyState {
    /// Nothing is taken beyond this until the reader has been here; the last bytes may overshoot it by what libcurl
    /// brings at a time, 16 KB.
    static let highWaterMark = 256 << 10

    /// A body up to this length lies in one piece of memory from its first bytes on.
    private static let smallByteCount = 64 << 10

    private enum Phase {
        case running
        case ended(LoadingError?)
        /// The reader has gone: it was cancelled or let go of the stream.
        case abandoned
    }
    private var phase = Phase.running
    /// It was begun, whatever became of it.
    private(set) var isUnderWay = false
    private var head: ResponseHead?
    private(set) var unread: [UInt8] = []
    private(set) var isPaused = false
    /// The reader came too early and has not been called since.
    private(set) var isReaderWaiting = false

    enum Reception: Equatable {
        case taken
        /// Nothing was taken. The transfer rests until `takeBytes()` says `resumes`.
        case full
        /// Nobody will read them.
        case abandoned
    }

    enum Taken<Value> {
        case value(Value)
        case failed(LoadingError)
        /// Nothing yet.
        case wait
    }
}

/// The loop's side.
extension TransferBodyState {
    /// False: the reader has gone, so there is nothing to begin.
    mutating func begin() -> Bool {
        guard case .running = phase else { return false }
        isUnderWay = true
        return true
    }

    mutating func receive(_ head: ResponseHead) {
        self.head = head
        isReaderWaiting = false
    }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Reception {
        guard case .running = phase else { return .abandoned }
        isPaused = unread.count >= Self.highWaterMark
        if isPaused { return .full }
        if let count = head?.expectedByteCount, count <= Self.smallByteCount { unread.reserveCapacity(count) }
        unsafe unread.append(contentsOf: bytes)
        isReaderWaiting = false
        return .taken
    }

    /// Nothing more will come. What is unread can still be read.
    mutating func end(_ error: LoadingError?) {
        guard case .running = phase else { return }
        phase = .ended(error)
        isReaderWaiting = false
    }
}

/// The reader's side.
extension TransferBodyState {
    mutating func takeHead() -> Taken<ResponseHead> {
        if case .abandoned = phase { return .failed(.cancelled) }
        if let head { return .value(head) }
        return takeEnd { .failed(.connectionLost("there was no answer")) }
    }

    /// All that is unread; nil at the end. With `resumes`, the transfer rests and shall go on.
    mutating func takeBytes() -> (taken: Taken<[UInt8]?>, resumes: Bool) {
        if case .abandoned = phase { return (.failed(.cancelled), false) }
        guard !unread.isEmpty else { return (takeEnd { .value(nil) }, false) }
        defer {
            unread = []
            isPaused = false
        }
        return (.value(unread), isPaused)
    }

    /// True: the transfer runs and shall be stopped.
    mutating func abandon() -> Bool {
        defer {
            phase = .abandoned
            unread = []
            isReaderWaiting = false
        }
        if case .running = phase { return true }
        return false
    }

    private mutating func takeEnd<Value>(orElse finished: () -> Taken<Value>) -> Taken<Value> {
        switch phase {
        case .running:
            isReaderWaiting = true
            return .wait
        case .ended(let error): return error.map { .failed($0) } ?? finished()
        case .abandoned: return .failed(.cancelled)
        }
    }
}
