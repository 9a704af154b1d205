/// One question and the figures that answer it.
struct Topic: Sendable {
    let name: String
    /// Throws `CannotMeasure` where something that it needs is missing.
    let measure: @Sendable () async throws -> [Figure]

    init(_ name: String, _ measure: @escaping @Sendable () async throws -> [Figure]) {
        self.name = name
        self.measure = measure
    }

    static let all: [Topic] =
        [thumbnails, fullDecode, progressive] + codecs + [resampling, pillow, memory] + animations
        + [requests, memoryCache] + diskCaches + [pipeline]
}

/// Why a topic has no figures.
struct CannotMeasure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
