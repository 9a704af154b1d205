import Bowerbird
import Glibc

/// What stands behind `-`.
enum StandardInput {
    /// What the loader of files allows too.
    private static let maximumByteCount = 512 << 20

    /// All of it. Blocks until the other side has ended.
    static func read() throws(Failure) -> EncodedImage {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { chunk in
                unsafe Glibc.read(STDIN_FILENO, chunk.baseAddress, chunk.count)
            }
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(unsafe String(cString: strerror(errno)), kind: "unreadable-file")
            }
            guard bytes.count + count <= maximumByteCount else {
                throw failure("it is longer than \(maximumByteCount) bytes", kind: "too-large")
            }
            bytes += chunk[..<count]
        }
        guard let data = EncodedImage(bytes) else { throw failure("there is no memory for it", kind: "out-of-memory") }
        return data
    }

    private static func failure(_ reason: String, kind: String) -> Failure {
        Failure(address: "-", reason: reason, stage: .loading, kind: kind)
    }
}
