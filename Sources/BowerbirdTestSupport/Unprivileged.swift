import Glibc

/// Runs `body` on a thread whose rights over files are those of the user `nobody`, also where the tests run as root, to
/// whom mode bits forbid nothing. Linux keeps these rights for each thread.
public func unprivileged<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        let thread = OwnThread {
            becomeNobodyForFiles()
            continuation.resume(returning: body())
        }
        thread.detach()
    }
}

/// `setfsuid` is not among the functions that Swift's Glibc module shows.
private func becomeNobodyForFiles() {
    typealias SetUser = @convention(c) (uid_t) -> Int32
    guard let symbol = unsafe dlsym(nil, "setfsuid") else { preconditionFailure("this is not Linux") }
    _ = unsafe unsafeBitCast(symbol, to: SetUser.self)(65_534)
}
