/// The pictures of an `ImageSequenceLoader`, one after the other.
public struct ImageSequence: AsyncSequence, Sendable {
    /// What happens on the way. Of each picture: any number of the first, then one of the others.
    public enum Step: Sendable {
        /// More of the picture with this index has arrived. A slow reader sees only the newest.
        case progress(Int, TransferProgress)
        /// The picture with this index is there.
        case loaded(Int, ImageResponse)
        /// There is none, for this reason; the next one is begun.
        case failed(Int, ImageError)
    }

    let requests: [ImageRequest]
    let start: Int
    let pipeline: ImagePipeline
    let onLeave: ImageSequenceLoader.OnLeave

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Letting go of it, or cancelling the task that iterates, is leaving.
    public struct Iterator: AsyncIteratorProtocol {
        private let sequence: ImageSequence
        private var next: Int
        private var current: Current?

        fileprivate init(_ sequence: ImageSequence) {
            self.sequence = sequence
            next = Swift.max(0, sequence.start)
        }

        public mutating func next() async -> Step? {
            while !Task.isCancelled, let current = current ?? begin() {
                guard let event = await current.nextEvent() else { break }
                switch event {
                case .progress(let progress): return .progress(current.index, progress)
                case .preview, .cached: continue
                case .finished(let outcome):
                    self.current = nil
                    return Step(outcome, of: current.index)
                }
            }
            current = nil
            next = sequence.requests.count
            return nil
        }

        private mutating func begin() -> Current? {
            guard sequence.requests.indices.contains(next) else { return nil }
            let task = sequence.pipeline.task(for: sequence.requests[next])
            let begun = Current(index: next, task: task, cancels: sequence.onLeave == .cancelCurrent)
            next += 1
            current = begun
            return begun
        }
    }
}

extension ImageSequence.Step {
    fileprivate init(_ outcome: Result<ImageResponse, ImageError>, of index: Int) {
        switch outcome {
        case .success(let response): self = .loaded(index, response)
        case .failure(let error): self = .failed(index, error)
        }
    }
}

/// The picture under way. Where nobody holds it any more before its end, it has been left.
private final class Current {
    let index: Int
    private let task: ImageTask
    private let cancels: Bool
    private var events: ImageEvents.Iterator

    init(index: Int, task: ImageTask, cancels: Bool) {
        self.index = index
        self.task = task
        self.cancels = cancels
        events = task.events.makeAsyncIterator()
    }

    deinit {
        if cancels { task.cancel() }
    }

    func nextEvent() async -> ImageEvent? { await events.next() }
}
