import Glibc

/// The two streams of a terminal, a line at a time: what is said is there even when the program is killed after it.
enum Console {
    static func say(_ text: String) { write(text, to: STDOUT_FILENO) }
    static func complain(_ text: String) { write("bowerbird-viewer: " + text, to: STDERR_FILENO) }

    nonisolated static func write(_ text: String, to descriptor: Int32) {
        var rest = Array((text + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
