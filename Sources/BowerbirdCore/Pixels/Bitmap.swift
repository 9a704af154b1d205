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

/// The pixels of a bitmap, without a reference that counts.
///
/// Invariant of the unsafe code: whoever asks keeps the bitmap until the answer has come.
@safe
package struct UncountedPixels {
    private var storage: Unmanaged<PixelStorage>

    package init(_ bitmap: Bitmap) { unsafe storage = Unmanaged.passUnretained(bitmap.storage) }

    /// Whether there is more than one reference to them. Holds for as long as nobody else can come by the first.
    package mutating func areShared() -> Bool {
        unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            // The same pointer, read as a reference that counts; nothing is written.
            unsafe pointer.withMemoryRebound(to: PixelStorage.self, capacity: 1) {
                unsafe !isKnownUniquelyReferenced(&$0.pointee)
            }
        }
    }
}

/// Pixels that are there for as long as somebody else keeps them.
final class WeakBitmap: Sendable {
    private let size: PixelSize
    private let format: PixelFormat
    private let bytesPerRow: Int
    private let isOpaque: Bool
    private weak let storage: PixelStorage?

    init(_ bitmap: Bitmap) {
        size = bitmap.size
        format = bitmap.format
        bytesPerRow = bitmap.bytesPerRow
        isOpaque = bitmap.isOpaque
        storage = bitmap.storage
    }

    /// Nil once they are gone.
    var bitmap: Bitmap? {
        storage.map { storage in
            Bitmap(size: size, format: format, bytesPerRow: bytesPerRow, isOpaque: isOpaque, storage: storage)
        }
    }
}
