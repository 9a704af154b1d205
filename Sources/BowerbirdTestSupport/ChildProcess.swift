import BowerbirdCore
import FoundationEssentials
import Glibc

/// A program that runs beside this one. It does not end with this one by itself; see `Nginx` for how that is done.
public final class ChildProcess: Sendable {
    private let id: pid_t
    private let status = Lock<Int32?>(nil)

    /// Starts `arguments[0]`, which is looked for in `PATH`.
    ///
    /// - Parameters:
    ///   - environment: Besides this program's own.
    ///   - descriptors: What the program gets under which number. Standard streams that are not named are this
    ///     program's; nothing else of it is open there.
    public init(
        _ arguments: [String], environment: [String: String] = [:], descriptors: [Int32: Int32] = [:]
    ) throws {
        let environment = ProcessInfo.processInfo.environment.merging(environment) { _, added in added }
        id = try Spawning.start(arguments, environment.map { "\($0.key)=\($0.value)" }, descriptors)
    }

    /// Waits for its end. Its exit status, or 128 and the number of the signal that ended it.
    @discardableResult
    public func wait() -> Int32 {
        status.withLock { status in
            if let status { return status }
            var state: Int32 = 0
            while unsafe waitpid(id, &state, 0) < 0 && errno == EINTR {}
            let signal = state & 0x7F
            let ended = signal == 0 ? (state >> 8) & 0xFF : 128 + signal
            status = ended
            return ended
        }
    }

    public static func isInstalled(_ program: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { unsafe access("\($0)/\(program)", X_OK) == 0 }
    }
}

private enum Spawning {
    static func start(_ arguments: [String], _ environment: [String], _ descriptors: [Int32: Int32]) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (theirs, ours) in descriptors { unsafe posix_spawn_file_actions_adddup2(&actions, ours, theirs) }
        unsafe closeAll(from: max(STDERR_FILENO, descriptors.keys.max() ?? 0) + 1, &actions)
        var attributes = attributesWithoutBlockedSignals()
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        let words = CStrings(arguments)
        let variables = CStrings(environment)
        var id: pid_t = 0
        let failure = unsafe posix_spawnp(
            &id, arguments.first ?? "", &actions, &attributes, words.pointers, variables.pointers)
        guard failure == 0 else { throw CocoaError(.executableNotLoadable) }
        return id
    }

    /// Whoever keeps an end of another test's pipe keeps that test from ending. The function is not among those that
    /// Swift's Glibc module shows.
    private static func closeAll(from first: Int32, _ actions: inout posix_spawn_file_actions_t) {
        typealias CloseFrom = @convention(c) (UnsafeMutableRawPointer, Int32) -> Int32
        guard let symbol = unsafe dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else {
            preconditionFailure("this is no glibc from 2.34 on")
        }
        _ = unsafe unsafeBitCast(symbol, to: CloseFrom.self)(&actions, first)
    }

    /// Threads of a pool block most signals, and a program would inherit that.
    private static func attributesWithoutBlockedSignals() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_init(&attributes)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        return attributes
    }
}

/// Texts for C, with a null pointer after the last.
@safe
private final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ texts: [String]) { unsafe pointers = texts.map { unsafe strdup($0) } + [nil] }

    deinit { unsafe pointers.forEach { unsafe free($0) } }
}
