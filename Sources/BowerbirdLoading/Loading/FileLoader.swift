import BowerbirdCore
import Dispatch
import FoundationEssentials

/// Reads regular files of this machine. Pipes, devices and sockets are refused and never waited for.
///
/// The file is read whole into memory, away from the caller and from Swift's own threads, which a slow disk would hold
/// up. Cancelling stops it within the megabyte it is at. A file that shrinks meanwhile gives what there was.
public struct FileLoader: DataLoader {
    /// It has no state: any number of them do the same.
    public init() {}

    /// The whole file. Throws `.fileNotFound`, `.isDirectory`, `.permissionDenied`, `.tooLarge` or `.file`.
    public func response(for request: DataRequest) async throws(LoadingError) -> DataResponse {
        let path = try Self.path(of: request.url)
        let image = try await Self.readAside(path, maximumByteCount: request.maximumByteCount)
        let head = ResponseHead(url: request.url, expectedByteCount: image.count)
        return DataResponse(head: head, body: .complete(image))
    }

    private static func readAside(
        _ path: [UInt8], maximumByteCount: Int
    ) async throws(LoadingError) -> EncodedImage {
        try await withTaskExecutorPreference(BlockingExecutor.shared) { () async throws(LoadingError) in
            try await read(path, maximumByteCount: maximumByteCount)
        }
    }

    @concurrent
    private static func read(_ path: [UInt8], maximumByteCount: Int) async throws(LoadingError) -> EncodedImage {
        try SourceFile(path).contents(maximumByteCount: maximumByteCount)
    }

    /// Bytes, since a name on disk need not be text.
    static func path(of url: URL) throws(LoadingError) -> [UInt8] {
        guard url.isFileURL else { throw .unsupportedScheme(url.scheme ?? "") }
        let host = url.host()?.lowercased() ?? ""
        guard ["", "localhost"].contains(host) else { throw .file("it is on another machine, “\(host)”") }
        let path = url.path(percentEncoded: true).utf8.percentDecoded()
        guard !path.isEmpty, !path.contains(0) else { throw .fileNotFound }
        return path
    }
}

/// Where a call that waits for a disk holds up nobody.
private final class BlockingExecutor: TaskExecutor {
    static let shared = BlockingExecutor()
    private let queue = DispatchQueue(label: "bowerbird.files", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
