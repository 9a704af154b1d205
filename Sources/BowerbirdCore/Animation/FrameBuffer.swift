/// The frames of one animation, decoded ahead of need, for all views that show it.
///
/// Each view joins, and says where it is with every frame that it shows; the frames that come next are decoded then, one
/// at a time, away from the caller's thread, for as many as the budget allows. What was shown longest ago goes first.
/// Frame 0 always stays. When nobody looks, nothing is decoded; what there is stays.
///
///     let viewer = buffer.join { index in … }        // a frame is ready, or has failed
///     if let bitmap = viewer.frame(at: 3) { … }      // at once, or nil and the closure later
///
/// Any thread may use it; no call waits for a decoder.
public final class FrameBuffer: Sendable {
    private let guarded: Lock<Guarded>
    private let executor: (any TaskExecutor)?
    private let memory: @Sendable () -> MemoryAvailability

    private struct Guarded: Sendable {
        var state: State
        var listeners: [State.ViewerID: @Sendable (Int) -> Void] = [:]
        var task: (id: Int, task: Task<Void, Never>)?
    }

    /// - Parameters:
    ///   - poster: Frame 0, where it has been decoded before; it is not decoded again.
    ///   - executor: Where frames are decoded. Each blocks its thread; nil is Swift's pool, which has one thread a core
    ///     for everything, so a program with its own threads for decoding gives them here.
    ///   - memory: Asked now where the budget is automatic, and when the buffer may grow again.
    public init(
        _ source: any FrameSource, budget: FrameBudget = .automatic, poster: Bitmap? = nil,
        executor: (any TaskExecutor)? = nil,
        memory: @escaping @Sendable () -> MemoryAvailability = { MemoryAvailability.current() }
    ) {
        let available = budget == .automatic ? memory() : MemoryAvailability(total: 0, free: 0)
        guarded = Lock(Guarded(state: State(source, budget, available, poster: poster)))
        self.executor = executor
        self.memory = memory
    }

    deinit { guarded.withLock { $0.task?.task }?.cancel() }

    /// The newest that it was given.
    public var source: any FrameSource { guarded.withLock { $0.state.source } }
    /// What the frames that are kept take, in bytes.
    public var byteCount: Int { guarded.withLock { $0.state.byteCount } }
    /// How many frames may be kept now.
    public var capacity: Int { guarded.withLock { $0.state.capacity } }

    /// A frame, if it is there; asks for nothing.
    public func bitmap(at index: Int) -> Bitmap? { guarded.withLock { $0.state.bitmap(at: index) } }

    /// Whether a frame is there. One that there is not in the file, or not yet, is waited for.
    public func readiness(of index: Int) -> FrameReadiness { guarded.withLock { $0.state.readiness(of: index) } }

    /// Why a frame cannot be had. It is not tried again before there is a new source; after `.outOfMemory`, before
    /// `restore()`.
    public func failure(at index: Int) -> DecodingError? { guarded.withLock { $0.state.failure(at: index) } }
}

// MARK: Looking

extension FrameBuffer {
    /// Looks at the animation, at frame 0 to begin with. The work goes on for as long as the viewer lives and has not
    /// left.
    /// - Parameter onChange: Told of each frame that is ready, or has failed, one after the other, on the thread that
    ///   decoded it, which waits meanwhile. It may use the buffer. After `leave()` it is not told any more, but for a
    ///   call that has begun.
    public func join(onChange: @escaping @Sendable (_ index: Int) -> Void = { _ in }) -> Viewer {
        let (id, actions) = guarded.withLock { guarded in
            let (id, actions) = guarded.state.join()
            guarded.listeners[id] = onChange
            return (id, actions)
        }
        perform(actions)
        return Viewer(self, id)
    }

    /// Somebody who looks at an animation: a view.
    public final class Viewer: Sendable {
        /// What is looked at.
        public let buffer: FrameBuffer
        private let id: Int

        fileprivate init(_ buffer: FrameBuffer, _ id: Int) {
            self.buffer = buffer
            self.id = id
        }

        deinit { leave() }

        /// A frame, at once, or nil where it is not there; then it is decoded next. Those that follow are decoded after
        /// it, in the order of `mode`. Nothing happens where there is no such frame, or after `leave()`.
        /// - Parameter isReturning: Whether a round that bounces is on its way back.
        public func frame(at index: Int, mode: PlaybackMode = .forward, isReturning: Bool = false) -> Bitmap? {
            buffer.decide { $0.state.move(id, to: index, mode, isReturning: isReturning) }
            return buffer.bitmap(at: index)
        }

        /// Where a playback is.
        public func frame(of playback: AnimationPlayback) -> Bitmap? {
            frame(at: playback.frameIndex, mode: playback.mode, isReturning: playback.isReturning)
        }

        /// Looks no more. When nobody does, the frame that is being decoded is given up.
        public func leave() {
            buffer.decide { guarded in
                guarded.listeners[id] = nil
                return guarded.state.leave(id)
            }
        }
    }
}

// MARK: Changing

extension FrameBuffer {
    /// A file has grown: `source` has at least the frames that there were, and those that are kept stay. One of another
    /// size, or with fewer frames, is another picture: everything begins anew.
    public func replaceSource(_ source: any FrameSource) {
        decide { $0.state.replace(source) }
    }

    /// Gives memory back: until `restore()`, it keeps frame 0 and, for each view, the frame that is shown and the next.
    public func trim() {
        decide { $0.state.trim() }
    }

    /// May take memory again, by what is free now.
    public func restore() {
        let memory = memory()
        decide { $0.state.restore(memory) }
    }

    /// Trims under pressure, and restores when it is over.
    public func respond(to level: MemoryPressure.Level) {
        if level > .normal { return trim() }
        if guarded.withLock({ $0.state.isTrimmed }) { restore() }
    }
}

// MARK: Working

extension FrameBuffer {
    private func decide(_ change: (inout Guarded) -> State.Actions) {
        perform(guarded.withLock { change(&$0) })
    }

    /// What was dropped is freed at the end of this, without the lock.
    private func perform(_ actions: State.Actions) {
        if let id = actions.cancel { task(id)?.cancel() }
        if let decode = actions.start { start(decode) }
    }

    private func task(_ id: Int) -> Task<Void, Never>? {
        guarded.withLock { $0.task?.id == id ? $0.task?.task : nil }
    }

    private func start(_ decode: State.Decode) {
        let task = Task.detached(executorPreference: executor, priority: .userInitiated) { [weak self] in
            let result = Self.result(of: decode)
            self?.end(decode, result)
        }
        let isUnwanted = guarded.withLock { guarded in
            if guarded.state.isDecoding(decode.id) { guarded.task = (decode.id, task) }
            return guarded.state.isCancelled(decode.id)
        }
        if isUnwanted { task.cancel() }
    }

    private static func result(of decode: State.Decode) -> Result<Bitmap, DecodingError> {
        do throws(DecodingError) {
            if Task.isCancelled { throw .cancelled }
            return .success(try decode.source.frame(at: decode.index))
        } catch {
            return .failure(error)
        }
    }

    private func end(_ decode: State.Decode, _ result: Result<Bitmap, DecodingError>) {
        let listening = guarded.withLock { guarded in
            guarded.state.ended(decode, result) ? guarded.listeners.keys.sorted() : []
        }
        for id in listening { guarded.withLock { $0.listeners[id] }?(decode.index) }
        decide { $0.state.goOn(after: decode) }
    }
}
