import Glibc

/// The bytes of an image file: owned heap memory that never changes, never a map of a file that others can change.
///
/// Copies share the memory. A picture that is still arriving is a growing series of these over the same memory.
public struct EncodedImage: Sendable {
    /// In bytes.
    public let count: Int
    package let storage: ByteStorage

    package init(storage: ByteStorage, count: Int) {
        precondition(count <= storage.capacity)
        self.storage = storage
        self.count = count
    }

    /// What the bytes are, read from themselves and never from a name; nil when no known format begins like this. Looks at
    /// the first bytes each time.
    public var format: ImageFormat? { withBytes { ImageFormat(sniffing: $0) } }

    /// Copies `bytes`. Nil where the machine has not that much memory.
    public init?(_ bytes: some Collection<UInt8>) {
        let count = bytes.count
        guard let storage = ByteStorage(capacity: count) else { return nil }
        unsafe UnsafeMutableRawBufferPointer(rebasing: storage.bytes[..<count]).copyBytes(from: bytes)
        self.init(storage: storage, count: count)
    }

    /// Whether there are no bytes at all.
    public var isEmpty: Bool { count == 0 }

    /// Whether both are the very same memory, which says more than equal bytes and costs nothing.
    package func isIdentical(to other: EncodedImage) -> Bool { storage === other.storage && count == other.count }

    /// Whether both are the same bytes, wherever they lie.
    package func hasEqualBytes(to other: EncodedImage) -> Bool {
        guard count == other.count, let ours = unsafe storage.bytes.baseAddress,
            let theirs = unsafe other.storage.bytes.baseAddress
        else { return false }
        return unsafe memcmp(ours, theirs, count) == 0
    }

    /// The bytes, checked; they must not leave the closure.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: storage.bytes[..<count])
        return try body(unsafe bytes.bytes)
    }

    /// For C code and for writing to a file. The pointer must not leave the closure.
    public func withUnsafeBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try unsafe body(UnsafeRawBufferPointer(rebasing: storage.bytes[..<count]))
    }
}
