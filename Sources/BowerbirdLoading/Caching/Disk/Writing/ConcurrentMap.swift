import BowerbirdCore
import Dispatch

extension Array where Element: Sendable {
    /// What `transform` makes of each element, in their order, on as many threads as the machine has cores. All have
    /// ended when it returns or throws; of several errors it throws one.
    func concurrentlyMapped<E: Error>(
        _ transform: @Sendable (Element) throws(E) -> Element
    ) throws(E) -> [Element] {
        guard count > 1 else { return try map(transform) }
        let results = Lock<[Result<Element, E>?]>(Array<Result<Element, E>?>(repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = Result { () throws(E) in try transform(self[index]) }
            results.withLock { $0[index] = result }
        }
        return try results.withLock { $0 }.compactMap { $0 }.map { result throws(E) in try result.get() }
    }
}
