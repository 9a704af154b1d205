import BowerbirdCore
import FoundationEssentials

extension ImagePipeline {
    /// Does `work`, and tells the observers when it begins and ends.
    func observed<Value>(
        _ stage: PipelineStage, _ request: AcceptedRequest, _ work: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        guard isObserved else { return try await work() }
        let address = request.request.source.address
        let start = ContinuousClock.now
        tell(.began(stage, address: address))
        do throws(ImageError) {
            let value = try await work()
            tell(.ended(stage, address: address, duration: start.duration(to: .now), error: nil))
            return value
        } catch {
            tell(.ended(stage, address: address, duration: start.duration(to: .now), error: error))
            throw error
        }
    }

    /// The same for what cannot fail.
    func observed<Value>(
        _ stage: PipelineStage, _ request: AcceptedRequest, _ work: () async -> Value
    ) async -> Value {
        guard isObserved else { return await work() }
        let address = request.request.source.address
        let start = ContinuousClock.now
        tell(.began(stage, address: address))
        defer { tell(.ended(stage, address: address, duration: start.duration(to: .now), error: nil)) }
        return await work()
    }

    var isObserved: Bool { !configuration.observers.isEmpty }

    /// The event is made only where somebody hears it.
    func tell(_ event: @autoclosure () -> PipelineEvent) {
        guard isObserved else { return }
        let event = event()
        for observer in configuration.observers { observer.receive(event) }
    }

    /// Whoever hands the figures of a transfer to the observers; nil where there are none.
    func metricsReceiver(for request: AcceptedRequest) -> (@Sendable (TransferMetrics) -> Void)? {
        guard isObserved else { return nil }
        let address = request.request.source.address
        return { [observers = configuration.observers] metrics in
            for observer in observers { observer.receive(.transferred(metrics, address: address)) }
        }
    }

    /// Once for each host.
    func warnOfPlainHTTP(_ request: AcceptedRequest) {
        guard isObserved, request.options.plainHTTP == .warn, let url = request.request.source.url,
            url.scheme?.lowercased() == "http", let host = url.host()?.lowercased(),
            plainHosts.withLock({ $0.insert(host).inserted })
        else { return }
        tell(.plainHTTP(host: host))
    }
}
