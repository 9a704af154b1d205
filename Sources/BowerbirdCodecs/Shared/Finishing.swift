import BowerbirdCore
import BowerbirdRaster

/// The last steps of every decoder: from the pixels as they are stored to the picture as it was asked for.
struct Finishing: Sendable {
    let orientation: Orientation
    /// The exact size of the picture, upright.
    let size: PixelSize
    /// What the stored pixels mean, where they are to mean something else; nil where they stay as they are.
    private let profile: ColorProfile?

    init(_ header: ImageHeader, _ options: DecodingOptions) {
        orientation = header.orientation
        size = options.outputSize(of: header.size)
        profile = options.color == .asStored || header.profile.meansSRGB ? nil : header.profile
    }

    /// The size before the picture is turned.
    var storedSize: PixelSize { orientation.storedSize(of: size) }

    /// Scales, converts the colours, then turns: the other way round there would be more pixels to work on.
    func finish(_ bitmap: Bitmap) throws(DecodingError) -> Bitmap {
        do throws(RasterError) {
            return try inSRGB(bitmap.resampled(to: storedSize)).oriented(orientation)
        } catch {
            throw DecodingError(error)
        }
    }

    /// The picture so far of pixels that are still being written; what has not come is transparent.
    func preview(of buffer: inout PixelBuffer) throws(DecodingError) -> Bitmap {
        do throws(RasterError) {
            return try upright(buffer: &buffer)
        } catch {
            throw DecodingError(error)
        }
    }

    private func upright(buffer: inout PixelBuffer) throws(RasterError) -> Bitmap {
        if storedSize != buffer.size {
            let resampler = try Resampler(from: buffer.size, to: storedSize, isOpaque: false)
            return try inSRGB(resampler.resample(&buffer)).oriented(orientation)
        }
        guard let copy = buffer.snapshot(isOpaque: false) else { throw .outOfMemory(buffer.size) }
        return try inSRGB(copy).oriented(orientation)
    }

    private func inSRGB(_ bitmap: Bitmap) throws(RasterError) -> Bitmap {
        guard let profile else { return bitmap }
        return try ColorConversion.toSRGB(bitmap, from: profile)
    }
}

extension DecodingOptions {
    /// What the pixels of a picture decoded with these options mean.
    func profile(of header: ImageHeader) -> ColorProfile {
        color == .asStored && !header.profile.isForInks ? header.profile : .sRGB
    }
}

extension ColorProfile {
    /// Whether pixels of red, green and blue stay as they are.
    fileprivate var meansSRGB: Bool { isSRGB || isForInks }

    /// Whether it is of pixels that decoders turn into sRGB themselves, because no pixel format has them.
    var isForInks: Bool {
        guard case .icc(let profile) = self else { return false }
        return !profile.isForPixelsOfLight
    }
}

extension DecodingError {
    init(_ error: RasterError) {
        switch error {
        case .outOfMemory(let size): self = .outOfMemory(size)
        case .unsupportedPixels(let format): self = .corrupt("pixels of the kind \(format.rawValue) cannot be scaled")
        case .cancelled: self = .cancelled
        }
    }

    /// Throws `.cancelled` when the current task is.
    static func checkCancellation() throws(DecodingError) {
        if Task.isCancelled { throw .cancelled }
    }
}
