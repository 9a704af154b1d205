/// The loading of one prefetch: its pictures in order, as many at once as its prefetcher has places.
struct PrefetchLoad: Sendable {
    let pipeline: ImagePipeline
    let destination: ImagePrefetcher.Destination
    let slots: WorkQueue
    let prefetch: Prefetch

    func run(_ places: [(request: ImageRequest, ticket: WorkQueue.Ticket)]) async {
        await withDiscardingTaskGroup { group in
            for (request, ticket) in places {
                guard await slots.enter(ticket, priority: PriorityRelay()) else { return }
                group.addTask {
                    prefetch.note(await outcome(of: request))
                    slots.leave(ticket)
                }
            }
        }
    }

    private func outcome(of request: ImageRequest) async -> Prefetch.Outcome {
        do throws(ImageError) {
            switch destination {
            case .memory: return try await bringToMemory(request)
            case .disk: return try await bringToDisk(request)
            }
        } catch {
            return .failed
        }
    }

    private func bringToMemory(_ request: ImageRequest) async throws(ImageError) -> Prefetch.Outcome {
        if pipeline.isAnsweredByMemory(request) { return .skipped }
        _ = try await pipeline.task(for: request, in: .prefetch).response
        return .completed
    }

    /// The original is what is brought, also where the request would keep only the finished picture.
    private func bringToDisk(_ request: ImageRequest) async throws(ImageError) -> Prefetch.Outcome {
        var request = request
        request.options.diskContent = .original
        if await pipeline.isAnsweredByDisk(request) { return .skipped }
        let origin = try await pipeline.data(for: request, in: .prefetch).origin
        return origin == .network ? .completed : .skipped
    }
}
