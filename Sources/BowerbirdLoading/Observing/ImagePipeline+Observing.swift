import BowerbirdCore
import FoundationEssentials

extension ImagePipeline {
    /// Does `work`, and tells the observers when it begins and ends.
    func observed<Value, Failure: Error>(
        _ stage: PipelineStage, _ request: AcceptedRequest, _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard isObserved else { return try await work() }
        let address = request.request.source.address
        let start = ContinuousClock.now
        tell(.began(stage, address: address))
        do throws(Failure) {
            let value = try await work()
            tell(.ended(stage, address: address, duration: start.duration(to: .now), error: nil))
            return value
        } catch {
            tell(.ended(stage, address: address, duration: start.duration(to: .now), error: error as? ImageError))
            throw error
        }
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
