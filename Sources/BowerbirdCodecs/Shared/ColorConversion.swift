import BowerbirdCore
import BowerbirdRaster

/// Colours of files in the one colour space that is shown and edited in.
enum ColorConversion {
    /// The picture in sRGB, in the pixel format that it has.
    static func toSRGB(_ bitmap: Bitmap, from profile: ColorProfile) throws(RasterError) -> Bitmap {
        bitmap
    }
}
