public import BowerbirdCore

/// Writes GIF files, stills and animations, in Swift alone.
///
/// A picture with at most 256 colours, nothing being one of them, comes back as it was. Others get a palette made for
/// them, each frame its own, and are dithered unless `EncodingOptions.effort` is 0; the better half of effort chooses the
/// colours more carefully. What is less than half opaque becomes transparent. Of an animation only what changes is
/// written. Delays are whole hundredths of a second, of which the sum is kept; none is shorter than 20 ms, because players
/// take less for no delay at all. There is no quality and no background.
public struct GIFEncoder: ImageEncoder {
    /// It has no settings: see `EncodingOptions`.
    public init() {}

    public var format: ImageFormat { .gif }

    public func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
        let upright = try Self.written(bitmap, options)
        var writer = try Self.writer(for: upright.size)
        let pixels = GIFPixels(upright)
        var palette = GIFPalette()
        let picture = try IndexedPicture(
            options.isProgressive ? pixels.interlaced : pixels, instead: nil, shared: &palette, options)
        writer.writeBeginning(upright.size, palette, nil, options)
        writer.write(
            picture, PixelRect(upright.size), GIFControl(), hasOwnPalette: false, isInterlaced: options.isProgressive)
        return try writer.file()
    }

    public func encode(_ frames: any FrameSource, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
        guard frames.frameCount > 1 else { return try encode(Self.frame(0, of: frames), options) }
        let size = options.orientation.displayedSize(of: frames.size)
        var animation = GIFAnimation(try Self.writer(for: size), size, frames, options)
        for index in 0..<frames.frameCount {
            guard !Task.isCancelled else { throw .cancelled }
            try animation.add(GIFPixels(Self.written(Self.frame(index, of: frames), options)))
        }
        return try animation.finish()
    }

    private static func writer(for size: PixelSize) throws(EncodingError) -> GIFWriter {
        guard max(size.width, size.height) <= UInt16.max else { throw .tooLarge(size, format: .gif) }
        return GIFWriter()
    }

    private static func frame(_ index: Int, of frames: any FrameSource) throws(EncodingError) -> Bitmap {
        do throws(DecodingError) {
            return try frames.frame(at: index)
        } catch {
            throw error == .cancelled ? .cancelled : .unreadableFrame(index, error)
        }
    }

    /// As it is looked at, and in colours that the file can have.
    private static func written(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> Bitmap {
        try options.upright(options.inWritableColors(bitmap) { $0.colorSpace == .rgb }.bitmap)
    }
}
