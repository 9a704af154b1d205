/// The layouts of pixels in memory. All are interleaved, rows from the top.
public enum PixelFormat: String, Hashable, Sendable, CaseIterable {
    /// Blue, green, red, alpha; colour premultiplied by alpha. The canonical one: cairo and GDK draw it fastest and
    /// every decoder can write it. Where the picture is opaque each alpha byte is 255.
    case bgra8Premultiplied
    /// Red, green, blue, alpha, 8 bits each, as the file stores them. For conversion without loss: premultiplying at
    /// 8 bits merges about half of all (colour, alpha) pairs.
    case rgba8Straight
    /// Red, green, blue, alpha, 16 bits each in the machine's byte order, as the file stores them.
    case rgba16Straight

    /// 4, or 8 for 16 bits a component.
    public var bytesPerPixel: Int { self == .rgba16Straight ? 8 : 4 }

    /// The pixels of a picture, saturating rather than overflowing.
    package func byteCount(of size: PixelSize) -> Int {
        let (count, isHuge) = size.pixelCount.multipliedReportingOverflow(by: bytesPerPixel)
        return isHuge ? .max / 4 : min(count, .max / 4)
    }
}
