extension FrameBuffer {
    /// What is kept, who looks at what, and which frame is decoded next: a value, with no thread. One frame is decoded
    /// at a time.
    struct State: Sendable {
        typealias ViewerID = Int

        private(set) var source: any FrameSource
        private let budget: FrameBudget
        private var memory: MemoryAvailability
        private(set) var isTrimmed = false
        private var frames: FrameSlots
        /// In the order of coming.
        private var viewers: [(id: ViewerID, place: Place)] = []
        private var inFlight: InFlight?
        /// Counts the pictures that the buffer has been given: a frame of another is not to be kept.
        private var picture = 0
        private var lastID = 0

        /// Where a view is in its round.
        private struct Place: Hashable, Sendable {
            var index = 0
            var mode = PlaybackMode.forward
            var isReturning = false
        }

        private struct InFlight: Sendable {
            var decode: Decode
            var isCancelled = false
        }

        /// A frame that is being decoded.
        struct Decode: Sendable {
            var id: Int
            var index: Int
            var picture: Int
            var source: any FrameSource
        }

        /// What is to be done without the lock.
        struct Actions: Sendable {
            var start: Decode?
            /// The decode that nobody wants any more.
            var cancel: Int?
            /// Given back, so that their memory is freed without the lock.
            var dropped: [Bitmap] = []
        }

        /// - Parameter poster: Frame 0, where it has been decoded before.
        init(_ source: any FrameSource, _ budget: FrameBudget, _ memory: MemoryAvailability, poster: Bitmap? = nil) {
            self.source = source
            self.budget = budget
            self.memory = memory
            frames = FrameSlots(source)
            if let poster, poster.size == source.size { frames.keep(poster, at: 0) }
        }
    }
}

// MARK: What there is

extension FrameBuffer.State {
    var frameCount: Int { frames.count }
    var byteCount: Int { frames.byteCount }
    var heldIndexes: [Int] { frames.indexes { $0 == .ready } }
    var viewerCount: Int { viewers.count }

    func bitmap(at index: Int) -> Bitmap? { frames.bitmap(at: index) }
    func failure(at index: Int) -> DecodingError? { frames.failure(at: index) }
    func readiness(of index: Int) -> FrameReadiness { frames.readiness(of: index) }
    func isDecoding(_ id: Int) -> Bool { inFlight?.decode.id == id }
    func isCancelled(_ id: Int) -> Bool { isDecoding(id) && inFlight?.isCancelled == true }

    /// How many frames may be kept now.
    var capacity: Int {
        let least = 1 + 2 * viewers.count
        if isTrimmed { return min(least, frames.count) }
        let fitting = budget.frameCount(of: frames.count, byteCount: frames.frameByteCount, memory: memory)
        return min(max(least, fitting), frames.count)
    }

    /// The frames that those who look need, the most urgent first: as many as may be kept. The first frame of all is
    /// among them. None where nobody looks.
    var wanted: [Int] {
        if viewers.isEmpty { return [] }
        var list = WantedFrames(of: frames.count, capacity: capacity)
        let ways = viewers.map { way(from: $0.place) }
        for distance in 0..<(ways.map(\.path.stepCount).max() ?? 0) {
            for way in ways where distance < way.path.stepCount {
                if list.isFull { return list.indexes }
                list.add(way.path.frame(atStep: (way.step + distance) % way.path.stepCount))
            }
        }
        return list.indexes
    }

    private func way(from place: Place) -> (path: PlaybackPath, step: Int) {
        let path = PlaybackPath(frameCount: frames.count, mode: place.mode)
        return (path, path.step(showing: place.index, isReturning: place.isReturning) ?? 0)
    }
}

// MARK: What happens

extension FrameBuffer.State {
    /// Somebody looks, at the first frame to begin with.
    mutating func join() -> (ViewerID, Actions) {
        lastID += 1
        viewers.append((lastID, Place()))
        return (lastID, decide())
    }

    /// A view looks at a frame, and at those after it next. Nothing where there is no such frame.
    mutating func move(_ viewer: ViewerID, to index: Int, _ mode: PlaybackMode, isReturning: Bool) -> Actions {
        guard (0..<frames.count).contains(index), let position = viewers.firstIndex(where: { $0.id == viewer }) else {
            return Actions()
        }
        let place = Place(index: index, mode: mode, isReturning: isReturning)
        // A view asks with every tick. Where it has not moved, everything has been decided.
        if viewers[position].place == place { return Actions() }
        viewers[position].place = place
        frames.use(index)
        return decide()
    }

    /// The frames stay, until somebody trims them or the buffer goes.
    mutating func leave(_ viewer: ViewerID) -> Actions {
        viewers.removeAll { $0.id == viewer }
        return decide()
    }

    /// A decode is over; whether those who look are to be told. It is followed by `goOn` when they have been: until
    /// then no other begins, so that they are told in order.
    mutating func ended(_ decode: Decode, _ result: Result<Bitmap, DecodingError>) -> Bool {
        guard isDecoding(decode.id), decode.picture == picture else { return false }
        switch result {
        case .success(let bitmap): frames.keep(bitmap, at: decode.index)
        case .failure(.cancelled) where isCancelled(decode.id): return false
        case .failure(let error): frames.fail(error, at: decode.index)
        }
        return true
    }

    /// Begins with the next frame, where there is one to decode.
    mutating func goOn(after decode: Decode) -> Actions {
        if isDecoding(decode.id) { inFlight = nil }
        return decide()
    }

    /// Keeps, until `restore`, no more than must be kept.
    mutating func trim() -> Actions {
        isTrimmed = true
        return decide()
    }

    /// May grow again. Frames for which there was no memory are tried again.
    mutating func restore(_ memory: MemoryAvailability) -> Actions {
        isTrimmed = false
        self.memory = memory
        frames.forgetFailures { if case .outOfMemory = $0 { true } else { false } }
        return decide()
    }

    /// Of a file that grows, frames stay, and those that failed are tried again: they may have been cut off. Another
    /// picture begins anew.
    mutating func replace(_ newSource: any FrameSource) -> Actions {
        let isGrowing = newSource.size == source.size && newSource.frameCount >= frames.count
        source = newSource
        if isGrowing {
            frames.grow(to: newSource.frameCount)
            return decide()
        }
        picture += 1
        let dropped = frames.bitmaps
        frames = FrameSlots(newSource)
        for position in viewers.indices { viewers[position].place = Place() }
        var actions = decide()
        actions.cancel = actions.cancel ?? cancelDecode()
        actions.dropped = dropped
        return actions
    }
}

// MARK: Deciding

extension FrameBuffer.State {
    private mutating func decide() -> Actions {
        var actions = Actions()
        if viewers.isEmpty { actions.cancel = cancelDecode() }
        if frames.isSettled, frames.heldCount <= capacity { return actions }
        let wanted = wanted
        let next = inFlight == nil ? wanted.first { readiness(of: $0) == .waiting } : nil
        actions.dropped = frames.drop(downTo: capacity - (next == nil ? 0 : 1), keeping: wanted)
        if let next { actions.start = begin(next) }
        return actions
    }

    private mutating func begin(_ index: Int) -> Decode {
        lastID += 1
        let decode = Decode(id: lastID, index: index, picture: picture, source: source)
        inFlight = InFlight(decode: decode)
        return decode
    }

    /// That which is in flight, unless it has been cancelled before.
    private mutating func cancelDecode() -> Int? {
        guard let decode = inFlight?.decode, inFlight?.isCancelled == false else { return nil }
        inFlight?.isCancelled = true
        return decode.id
    }
}

/// A list of frames without repetitions. The first of all always has a place in it, at the end if nowhere else.
private struct WantedFrames {
    private var list: [Int] = []
    private var contains: [Bool]
    private var room: Int

    init(of count: Int, capacity: Int) {
        contains = Array(repeating: false, count: count)
        room = capacity - 1
    }

    var isFull: Bool { room <= 0 }

    var indexes: [Int] { contains.first == false ? list + [0] : list }

    mutating func add(_ index: Int) {
        if contains[index] { return }
        contains[index] = true
        list.append(index)
        if index != 0 { room -= 1 }
    }
}
