import GIFLibrary
import Glibc

/// giflib, found while running, with the lookup of colours that its users write themselves.
struct RawGIF: Sendable {
    private let open: GIFLibraryOpen
    private let slurp: GIFLibrarySlurp
    private let close: GIFLibraryClose

    init() throws {
        guard let library = dlopen("libgif.so.7", RTLD_NOW), let open = dlsym(library, "DGifOpen"),
            let slurp = dlsym(library, "DGifSlurp"), let close = dlsym(library, "DGifCloseFile")
        else { throw CannotMeasure("giflib (libgif.so.7) is not installed") }
        self.open = unsafeBitCast(open, to: GIFLibraryOpen.self)
        self.slurp = unsafeBitCast(slurp, to: GIFLibrarySlurp.self)
        self.close = unsafeBitCast(close, to: GIFLibraryClose.self)
    }

    /// The first picture, one that covers the canvas, as BGRA.
    func decode(_ bytes: UnsafeRawBufferPointer, to pixels: UnsafeMutableRawBufferPointer) throws {
        var unread = bytes
        try withUnsafeMutablePointer(to: &unread) { unread in
            guard let file = open(unread, Self.read, nil) else { throw CannotMeasure("giflib opens no file") }
            defer { _ = close(file, nil) }
            guard slurp(file) == 1, let picture = file.pointee.pictures?.pointee,
                let palette = picture.description.palette ?? file.pointee.palette
            else { throw CannotMeasure("giflib cannot read the file") }
            let count = Int(picture.description.width) * Int(picture.description.height)
            guard 4 * count == pixels.count else { throw CannotMeasure("giflib has another size") }
            Self.paint(UnsafeBufferPointer(start: picture.indices, count: count), palette.pointee, to: pixels)
        }
    }

    private static let read: GIFLibraryRead = { file, bytes, count in
        guard let unread = file.pointee.user_data?.assumingMemoryBound(to: UnsafeRawBufferPointer.self) else {
            return 0
        }
        let count = min(Int(count), unread.pointee.count)
        UnsafeMutableRawBufferPointer(start: bytes, count: count).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: unread.pointee[..<count]))
        unread.pointee = UnsafeRawBufferPointer(rebasing: unread.pointee[count...])
        return Int32(count)
    }

    private static func paint(
        _ indices: UnsafeBufferPointer<UInt8>, _ palette: GIFLibraryPalette, to pixels: UnsafeMutableRawBufferPointer
    ) {
        let colors = (0..<256).map { index -> UInt32 in
            guard index < palette.color_count else { return 0 }
            let color = palette.colors[index]
            return 0xFF00_0000 | UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
        }
        let pixels = pixels.assumingMemoryBound(to: UInt32.self)
        colors.withUnsafeBufferPointer { colors in
            for index in indices.indices { pixels[index] = colors[Int(indices[index])] }
        }
    }
}
