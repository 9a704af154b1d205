/// Finished pixels: immutable, so that any number of tasks and views may share them without a copy.
public struct Bitmap: Sendable {
    /// At least 1 pixel a side.
    public let size: PixelSize
    /// How the bytes of a row are to be read.
    public let format: PixelFormat
    /// From the start of one row to the start of the next, in bytes.
    public let bytesPerRow: Int
    /// Whether every pixel is known to have full alpha.
    public let isOpaque: Bool
    /// For layers that hand the memory to C and must keep it alive.
    package let storage: PixelStorage

    init(size: PixelSize, format: PixelFormat, bytesPerRow: Int, isOpaque: Bool, storage: PixelStorage) {
        self.size = size
        self.format = format
        self.bytesPerRow = bytesPerRow
        self.isOpaque = isOpaque
        self.storage = storage
    }

    /// The memory it takes, in bytes: its cost in a cache.
    public var byteCount: Int { bytesPerRow * size.height }

    /// All rows from the top.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        let bytes = unsafe UnsafeRawBufferPointer(storage.bytes)
        return try body(unsafe bytes.bytes)
    }

    /// One row. Traps when `row` lies outside the picture.
    public func withRow<R: ~Copyable, E: Error>(_ row: Int, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        precondition(row >= 0 && row < size.height, "row \(row) of \(size)")
        let start = row * bytesPerRow
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: storage.bytes[start..<start + bytesPerRow])
        return try body(unsafe bytes.bytes)
    }

    /// All rows, for C code. The pointer must not leave the closure and must not be written through.
    public func withUnsafeBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try unsafe body(UnsafeRawBufferPointer(storage.bytes))
    }

    /// True when both are the very same memory, not merely equal pixels.
    public func isIdentical(to other: Bitmap) -> Bool { storage === other.storage }
}
