import BowerbirdCore
import BowerbirdLoading
import FoundationEssentials

/// What the tests of loaders say often.
extension DataLoader {
    func response(from url: URL) async throws(LoadingError) -> DataResponse {
        try await response(for: DataRequest(url: url))
    }

    /// Why nothing comes from there, or not all; nil where all does.
    func failure(from url: URL) async -> LoadingError? {
        do {
            _ = try await bytes(from: url)
            return nil
        } catch {
            return error
        }
    }

    /// The whole body.
    func bytes(from url: URL) async throws(LoadingError) -> [UInt8] {
        try await response(from: url).body.allBytes()
    }
}

extension DataResponse.Body {
    /// What is left of it.
    func allBytes() async throws(LoadingError) -> [UInt8] {
        switch self {
        case .complete(let image): return image.withUnsafeBytes { [UInt8]($0) }
        case .stream(let stream): return try await stream.allBytes()
        }
    }

    /// Nil at the end, and for a body that is there whole.
    func nextBytes() async throws(LoadingError) -> [UInt8]? {
        guard case .stream(let stream) = self else { return nil }
        return try await stream.next()
    }
}

extension DataStream {
    func allBytes() async throws(LoadingError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = try await next() { bytes += more }
        return bytes
    }
}

/// Bytes that differ from place to place.
func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) } }
