/// Pixels in memory that somebody else owns: four bytes each (blue, green, red, alpha), premultiplied, row by row.
public nonisolated struct ForeignPixels: @unchecked Sendable {  // the memory is only read, and lives as long as `owner`
    /// The first pixel. Nobody may write to the pixels any more.
    public let pointer: UnsafeRawPointer
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// From one row to the next; at least `4 * width`.
    public let bytesPerRow: Int
    /// Keeps the memory. Released once nothing draws from it any more, on any thread.
    public let owner: any AnyObject & Sendable

    /// - Throws: `unusablePixels` for sizes that are not positive or beyond 32,767 a side, and for rows too short.
    public init(
        _ pointer: UnsafeRawPointer, width: Int, height: Int, bytesPerRow: Int, owner: any AnyObject & Sendable
    ) throws(GraphicsError) {
        // Cairo's limit; also keeps every product below in range.
        guard 1...32_767 ~= width, 1...32_767 ~= height else {
            throw .unusablePixels("\(width) × \(height)")
        }
        guard 4 * width...Int(Int32.max) ~= bytesPerRow else {
            throw .unusablePixels("\(bytesPerRow) bytes a row for \(width) pixels")
        }
        self.pointer = pointer
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.owner = owner
    }

    /// From the first byte of the first row to the last of the last: the padding after that may not exist.
    var byteCount: Int { bytesPerRow * (height - 1) + 4 * width }

    /// The owner, kept for C until `releaseOwner` gets what this returns.
    func retainOwner() -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(PixelOwner(owner)).toOpaque()
    }
}

/// Lets go of the owner; on any thread.
nonisolated func releaseOwner(_ owner: UnsafeMutableRawPointer?) {
    guard let owner else { return }
    Unmanaged<PixelOwner>.fromOpaque(owner).release()
}

/// A class of ours around any object, so that its type is known when it comes back from C.
private nonisolated final class PixelOwner: Sendable {
    private let owner: any AnyObject & Sendable

    init(_ owner: any AnyObject & Sendable) { self.owner = owner }
}
