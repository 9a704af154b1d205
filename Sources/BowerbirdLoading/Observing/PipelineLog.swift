import BowerbirdCore
import Glibc

/// Writes a line for each thing that a pipeline does.
///
///     configuration.observers = [PipelineLog()]
public final class PipelineLog: PipelineObserver {
    private let write: @Sendable (String) -> Void

    /// `write` is given one line at a time, without a break at its end or within it, on whichever thread works. By
    /// default they go to the standard error.
    public init(_ write: @escaping @Sendable (String) -> Void = { line in PipelineLog.print(line) }) {
        self.write = write
    }

    public func receive(_ event: PipelineEvent) {
        if let line = event.line { write(line.withoutControls) }
    }

    /// Writes to the standard error, in one piece, so that lines of several threads do not mix.
    public static func print(_ line: String) {
        var text = line + "\n"
        text.withUTF8 { bytes in _ = unsafe Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }
}

extension PipelineEvent {
    /// One line; nil for what would only be noise.
    fileprivate var line: String? {
        switch self {
        case .asked(let id, let address): "#\(id) asked for \(address)"
        case .memoryLookup(let isHit, let address): "\(isHit ? "in memory" : "not in memory"): \(address)"
        case .diskLookup(let byteCount?, let address): "on disk, \(byteCount) bytes: \(address)"
        case .diskLookup(nil, let address): "not on disk: \(address)"
        case .damagedEntry(let byteCount, let address): "damaged on disk, \(byteCount) bytes: \(address)"
        case .began: nil
        case .ended(let stage, let address, let duration, let error):
            "\(stage.rawValue) \(error == nil ? "took" : "failed after") \(duration.inMilliseconds): \(address)"
        case .transferred(let metrics, let address): "\(metrics): \(address)"
        case .plainHTTP(let host): "warning: \(host) is asked without encryption (http:)"
        case .answered(let id, _, .success(let response)):
            "#\(id) answered from \(response.origin.rawValue) after \(response.timings.total.inMilliseconds)"
        case .answered(let id, _, .failure(let error)): "#\(id) failed: \(error)"
        }
    }
}

extension Duration {
    /// To a tenth of a millisecond.
    fileprivate var inMilliseconds: String {
        let tenths = (self / .milliseconds(1) * 10).rounded() / 10
        return "\(tenths) ms"
    }
}

extension String {
    /// Addresses come from strangers: a line break would begin a line of their own, and other control characters would
    /// work on the terminal. They are shown as `\u{a}`.
    fileprivate var withoutControls: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            text += scalar.isControl ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
    }
}

extension Unicode.Scalar {
    /// Format characters too: some turn the direction of what follows.
    fileprivate var isControl: Bool {
        [.control, .format, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
    }
}
