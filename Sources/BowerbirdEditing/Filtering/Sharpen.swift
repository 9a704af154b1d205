public import BowerbirdCore
import BowerbirdRaster

/// Makes the edges in a picture crisper: an unsharp mask, which adds to each pixel what it differs from the blurred
/// picture.
///
/// Alpha stays as it is, and colours are compared as if both pixels had the same alpha, so the edge of a shape gets no
/// halo.
public struct Sharpen: ImageProcessor, Hashable {
    /// The standard deviation, in pixels, of the blur that is compared with: the size of the details that become crisper;
    /// 1 by default. 0 changes nothing; more than 100000 counts as that.
    public var radius: Double
    /// How much of the difference is added: 0 changes nothing, 1 is strong, 0.5 the default; more than 16 counts as that.
    public var amount: Double
    /// Smaller differences than this, in levels of 0 to 255, are left alone, as noise is; 0 by default.
    public var threshold: Int

    /// Defaults as told at the properties.
    public init(radius: Double = 1, amount: Double = 0.5, threshold: Int = 0) {
        self.radius = radius
        self.amount = amount
        self.threshold = threshold
    }

    public var cacheKey: String {
        "sharpen \(usedRadius.inCacheKey) amount \(usedAmount.inCacheKey) threshold \(threshold)"
    }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard radius >= 0, radius.isFinite, amount >= 0, amount.isFinite, threshold >= 0 else {
            throw .invalidParameter("the radius, amount and threshold of sharpening cannot be negative or endless")
        }
        guard radius > 0, amount > 0 else { return image }
        return try addDetails(of: image, to: image.blurred(by: usedRadius))
    }

    private var usedRadius: Double { min(radius, GaussianBlur.greatestDeviation) }
    private var usedAmount: Double { min(amount, 16) }

    private func addDetails(
        of image: DecodedImage, to blurred: DecodedImage
    ) throws(ProcessingError) -> DecodedImage {
        try blurred.edited { pixels throws(ProcessingError) in
            let bytesPerRow = pixels.bytesPerRow
            try pixels.size.forEachBand { rows throws(ProcessingError) in
                let range = rows.lowerBound * bytesPerRow..<rows.upperBound * bytesPerRow
                unsafe image.bitmap.withUnsafeBytes { source in
                    unsafe pixels.withUnsafeMutableBytes { bytes in
                        // Both pictures have the same size and format, so the same range holds the same rows.
                        unsafe Effects.sharpen(
                            UnsafeRawBufferPointer(rebasing: source[range]),
                            blurred: UnsafeMutableRawBufferPointer(rebasing: bytes[range]),
                            amount: usedAmount, threshold: threshold)
                    }
                }
            }
        }
    }
}
