/// Pixels that are still being written, by their one owner: the type cannot be copied, so it cannot be shared.
/// `freeze()` ends the writing and gives a `Bitmap` over the same memory.
public struct PixelBuffer: ~Copyable {
    /// At least 1 pixel a side.
    public let size: PixelSize
    /// How the bytes of a row are to be written.
    public let format: PixelFormat
    /// From the start of one row to the start of the next, in bytes.
    public let bytesPerRow: Int
    /// Whether the picture shows nothing of what lies behind it. Its writer then sets every alpha to the full value.
    public var isOpaque: Bool
    private let storage: PixelStorage

    /// Transparent pixels. Nil when a side is less than 1, or when the machine has not that much memory.
    public init?(size: PixelSize, format: PixelFormat = .bgra8Premultiplied, isOpaque: Bool = false) {
        guard !size.isEmpty else { return nil }
        let (bytesPerRow, wide) = size.width.multipliedReportingOverflow(by: format.bytesPerPixel)
        let (byteCount, high) = bytesPerRow.multipliedReportingOverflow(by: size.height)
        guard !wide, !high, let storage = PixelStorage(byteCount: byteCount) else { return nil }
        self.size = size
        self.format = format
        self.bytesPerRow = bytesPerRow
        self.isOpaque = isOpaque
        self.storage = storage
    }

    /// A copy of finished pixels, to go on writing. Nil when the machine has no memory for it.
    public init?(copying bitmap: Bitmap) {
        self.init(size: bitmap.size, format: bitmap.format, isOpaque: bitmap.isOpaque)
        unsafe bitmap.withUnsafeBytes { source in
            unsafe storage.bytes.copyMemory(from: source)
        }
    }

    /// One row to write. Traps when `row` lies outside the picture: that is a fault of ours, not of a file.
    public mutating func withRow<R: ~Copyable, E: Error>(
        _ row: Int, _ body: (inout MutableRawSpan) throws(E) -> R
    ) throws(E) -> R {
        precondition(row >= 0 && row < size.height, "row \(row) of \(size)")
        let start = row * bytesPerRow
        let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: storage.bytes[start..<start + bytesPerRow])
        var span = unsafe bytes.mutableBytes
        return try body(&span)
    }

    /// All rows, for C code. The pointer must not leave the closure.
    public mutating func withUnsafeMutableBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try unsafe body(storage.bytes)
    }

    /// What has been written so far, as a picture of its own: a copy. Nil when the machine has no memory for it.
    public func snapshot(isOpaque: Bool) -> Bitmap? {
        guard var copy = PixelBuffer(size: size, format: format, isOpaque: isOpaque) else { return nil }
        let source = unsafe storage.bytes
        unsafe copy.withUnsafeMutableBytes { unsafe $0.copyMemory(from: UnsafeRawBufferPointer(source)) }
        return copy.freeze()
    }

    /// Ends the writing. Costs nothing: the bitmap has the same memory.
    public consuming func freeze() -> Bitmap {
        Bitmap(size: size, format: format, bytesPerRow: bytesPerRow, isOpaque: isOpaque, storage: storage)
    }
}
