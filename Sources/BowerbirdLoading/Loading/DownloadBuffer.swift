import BowerbirdCore

/// A body that is being gathered. Snapshots share its memory: what they cover is never written again, and where the
/// memory must grow the old block lives on with the snapshots that need it.
struct DownloadBuffer: ~Copyable {
    private var storage: ByteStorage
    private(set) var count = 0

    /// No more than this is taken in advance on a server's word.
    private static let maximumReservation = 16 << 20

    init(expectedByteCount: Int?) throws(LoadingError) {
        let capacity = min(max(0, expectedByteCount ?? 64 << 10), Self.maximumReservation)
        guard let storage = ByteStorage(capacity: capacity) else { throw .outOfMemory }
        self.storage = storage
    }

    mutating func append(_ chunk: [UInt8]) throws(LoadingError) {
        try reserve(count + chunk.count)
        unsafe chunk.withUnsafeBytes { unsafe storage.append($0, at: count) }
        count += chunk.count
    }

    mutating func append(_ data: EncodedImage) throws(LoadingError) {
        try reserve(count + data.count)
        unsafe data.withUnsafeBytes { unsafe storage.append($0, at: count) }
        count += data.count
    }

    /// Everything so far. Costs no copy.
    func snapshot() -> EncodedImage { EncodedImage(storage: storage, count: count) }

    private mutating func reserve(_ needed: Int) throws(LoadingError) {
        guard needed > storage.capacity else { return }
        guard let larger = ByteStorage(capacity: max(needed, storage.capacity * 2)) else { throw .outOfMemory }
        unsafe snapshot().withUnsafeBytes { unsafe larger.append($0, at: 0) }
        storage = larger
    }
}
