import BowerbirdCore

// How the parts of a request are written down in its keys: no text of a part can pass for a part of its own.

extension SettledOptions {
    /// Always where the disk is not given the finished picture instead.
    func keepsOriginal(isChanged: Bool) -> Bool {
        diskContent.keepsOriginal || !isChanged || transform != nil
    }

    /// What came from a server that nobody vouches for is kept apart from what did not.
    var trustText: String { allowsInvalidCertificate ? "any certificate" : "" }

    /// What changes how a transfer goes, or whether it succeeds: who differs in this does not share one.
    var transferText: String {
        let security = (allowsInvalidCertificate ? "any certificate " : "") + (plainHTTP == .refuse ? "encrypted " : "")
        let retry = retry == .never ? "" : "\(retry) "
        return security + (usesCookies ? "cookies " : "") + retry + String(maximumByteCount)
    }

    /// In which ways bytes may be looked for.
    func searchText(isChanged: Bool) -> String {
        let failures = ignoresFailureList ? "again" : ""
        let keeps = keepsOriginal(isChanged: isChanged) ? "keep" : "drop"
        return "\(cachePolicy.disk.rawValue) \(cachePolicy.network.rawValue) \(freshness.text) \(failures) \(keeps) "
    }

    /// In which ways a picture may be made of them.
    var pictureText: String {
        let limits = limits == DecodingLimits() ? "" : "\(limits)"
        return "\(diskContent.text) \(cachePolicy.memory.rawValue) \(previews.rawValue) \(limits) "
    }
}

extension FreshnessPolicy {
    fileprivate var text: String {
        switch self {
        case .keep: "keep"
        case .keepFor(let duration): "\(duration)"
        case .http: "http"
        }
    }
}

extension DiskContent {
    /// Of the finished pictures. No format is called nothing.
    var formatText: String { processedFormat?.name ?? "" }

    fileprivate var text: String {
        switch self {
        case .original: "original"
        case .processed: "processed \(formatText)"
        case .both: "both \(formatText)"
        }
    }
}

extension ImageRequest {
    /// Without what is for one server only.
    mutating func removeProofs() {
        headers = headers.filter { !["authorization", "cookie"].contains($0.key.lowercased()) }
    }

    var answerChangingHeaders: String {
        guard !headers.isEmpty else { return "" }
        let names: Set = ["authorization", "cookie", "accept", "range"]
        return headers.filter { names.contains($0.key.lowercased()) }.sortedText
    }
}

extension [String: String] {
    var sortedText: String {
        isEmpty ? "" : .joining(map { String.joining([$0.key.lowercased(), $0.value]) }.sorted())
    }
}

extension String {
    /// The parts one behind the other, each after its length, so that no text of a part can pass for a part of its own.
    static func joining(_ parts: [String]) -> String {
        parts.map { "\($0.utf8.count):\($0)" }.joined()
    }
}
