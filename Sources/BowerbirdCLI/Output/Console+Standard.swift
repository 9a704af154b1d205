import Glibc

extension Console {
    /// On the standard streams of this process.
    ///
    /// - Parameters:
    ///   - wantsBars: Whether bars are drawn where standard output is a terminal that can show them.
    ///   - onBrokenPipe: Called when nobody reads the output any more.
    static func standard(wantsBars: Bool, onBrokenPipe: @escaping @Sendable () -> Never) -> Console {
        let hasBars = wantsBars && isatty(STDOUT_FILENO) == 1 && !isDumbTerminal
        return Console(
            output: { text in if write(text, to: STDOUT_FILENO) == EPIPE { onBrokenPipe() } },
            errors: { text in _ = write(text, to: STDERR_FILENO) },
            terminalSize: { hasBars ? terminalSize(of: STDOUT_FILENO) : nil })
    }

    private static var isDumbTerminal: Bool {
        guard let terminal = unsafe getenv("TERM") else { return true }
        return unsafe ["", "dumb"].contains(String(cString: terminal))
    }
}

/// Asked each time, because people resize windows. Nil for one that is too narrow for bars.
private func terminalSize(of descriptor: Int32) -> TerminalSize? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= ProgressBar.minimumWidth else {
        return nil
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
}

/// 0, or an `errno`: apart from a broken pipe there is nobody to tell.
private func write(_ text: String, to descriptor: Int32) -> Int32 {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno != EINTR { return errno }
        rest = rest.dropFirst(max(0, count))
    }
    return 0
}
