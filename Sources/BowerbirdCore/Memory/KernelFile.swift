import Glibc

/// The small files in which Linux tells what it knows.
enum KernelFile {
    /// The text of a file, or its first 64 KB; nil where it cannot be read.
    static func text(_ path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var count = 0
        while count < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                return unsafe read(file, room.baseAddress, room.count)
            }
            if got < 0, errno == EINTR { continue }
            if got < 0 { return nil }
            if got == 0 { break }
            count += got
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// The number that a file consists of; nil for one that says “max”, that makes no sense, or that is not there.
    static func number(_ path: String) -> Int? {
        text(path).flatMap { text in text.split(whereSeparator: \.isWhitespace).first.flatMap { count(in: $0) } }
    }

    /// The number that follows each first word of a line: `MemTotal:  12 kB`, `oom_kill 3`. Lines of another kind are
    /// passed over.
    static func counts(in text: String) -> [Substring: Int] {
        var counts: [Substring: Int] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split { $0 == " " || $0 == "\t" || $0 == ":" }
            if words.count >= 2, let count = count(in: words[1]) { counts[words[0]] = count }
        }
        return counts
    }

    private static func count(in word: Substring) -> Int? { Int(word).flatMap { $0 >= 0 ? $0 : nil } }
}
