import Dispatch
import Glibc

/// The ends that come from outside: Ctrl-C, a request to terminate, nobody left to read the output. Each ends the program
/// at once, with the status that shells expect, and leaves no partial file. (The disk cache is safe against it by itself.)
final class Interruption: Sendable {
    private let partialFiles: PartialFiles

    init(_ partialFiles: PartialFiles) { self.partialFiles = partialFiles }

    /// Ends the program as this signal would.
    func end(by signal: Int32) -> Never { partialFiles.end(exitStatus: 128 + signal) }

    /// Watches for as long as the answer is kept.
    func watchSignals() -> [any DispatchSourceSignal] {
        signal(SIGPIPE, SIG_IGN)
        return [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }.map(watch)
    }

    private func watch(_ number: Int32) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
        source.setEventHandler { self.end(by: number) }
        source.resume()
        return source
    }

    /// Whether whoever started the program wants the signal ignored, as `nohup` does.
    private func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
