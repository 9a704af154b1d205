import BowerbirdCore
import BowerbirdRaster

extension EncodingOptions {
    /// The picture as it is looked at, for files that cannot say how it is to be turned.
    func upright(_ bitmap: Bitmap) throws(EncodingError) -> Bitmap {
        do throws(RasterError) {
            return try bitmap.oriented(orientation)
        } catch {
            throw EncodingError(error)
        }
    }

    /// The picture as a file can have it whose only profiles are those that `isWritable` says: with the profile to be
    /// written, or in sRGB, which files are taken for that say nothing.
    func inWritableColors(
        _ bitmap: Bitmap, isWritable: (ICCProfile) -> Bool
    ) throws(EncodingError) -> (bitmap: Bitmap, profile: ICCProfile?) {
        if case .icc(let profile) = profile, isWritable(profile) { return (bitmap, profile) }
        do throws(RasterError) {
            return (try ColorConversion.toSRGB(bitmap, from: profile), nil)
        } catch {
            throw EncodingError(error)
        }
    }
}

extension EncodingError {
    init(_ error: RasterError) {
        switch error {
        case .outOfMemory: self = .outOfMemory
        case .cancelled: self = .cancelled
        case .unsupportedPixels(let format): self = .failed("pixels of the kind \(format.rawValue) cannot be written")
        }
    }
}
