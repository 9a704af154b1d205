import Bowerbird
import BowerbirdCore
import Dispatch
import Glibc

/// The program, from its arguments to its exit status.
struct CommandLineProgram {
    private let partialFiles = PartialFiles()

    /// - Parameter arguments: Without the name of the program.
    func run(_ arguments: [String]) async -> ExitStatus {
        let interruption = Interruption(partialFiles)
        let sources = interruption.watchSignals()
        defer { for source in sources { source.cancel() } }
        let console = Console.standard(wantsBars: !arguments.contains("--json")) { interruption.end(by: SIGPIPE) }
        let request: CommandLineRequest
        do {
            request = try CommandLineRequest(arguments)
        } catch {
            console.printError(error.description)
            return .usage
        }
        return await perform(request, console)
    }

    private func perform(_ request: CommandLineRequest, _ console: Console) async -> ExitStatus {
        do {
            switch request {
            case .show(let text):
                console.print(text)
                return .success
            case .fetch(let command as any Command), .thumbnail(let command as any Command),
                .info(let command as any Command), .convert(let command as any Command),
                .frames(let command as any Command), .formats(let command as any Command),
                .cache(let command as any Command):
                return try await perform(command, console)
            }
        } catch {
            console.printError(error.line)
            return .failure
        }
    }

    private func perform(_ command: some Command, _ console: Console) async throws(Failure) -> ExitStatus {
        let cache = DiskCache(command.cache, warningOnceOn: console)
        let status = try await command.run(in: CommandContext(console, cache: cache, partialFiles))
        await cache?.flush()
        return status
    }
}

/// What the program does when it is asked to.
protocol Command: Sendable {
    /// Where it keeps what it loads.
    var cache: CacheChoice { get }

    /// Throws what keeps it from beginning at all; failures of single inputs are told on the console.
    func run(in context: CommandContext) async throws(Failure) -> ExitStatus
}

extension DiskCache {
    /// Nil where none is wanted. What it does not keep is loaded again, so trouble with it is worth one line and no more.
    fileprivate convenience init?(_ choice: CacheChoice, warningOnceOn console: Console) {
        let hasWarned = OnceFlag()
        let warn: @Sendable (DiskCacheWarning) -> Void = { warning in
            if hasWarned.set() { console.printError("bowerbird: warning: \("\(warning)".printable)") }
        }
        switch choice {
        case .none: return nil
        case .standard: self.init(onWarning: warn)
        case .folder(let path): self.init(folder: path, onWarning: warn)
        }
    }
}

private final class OnceFlag: Sendable {
    private let isSet = Lock(false)

    /// True the first time.
    func set() -> Bool {
        isSet.withLock { isSet in
            defer { isSet = true }
            return !isSet
        }
    }
}
