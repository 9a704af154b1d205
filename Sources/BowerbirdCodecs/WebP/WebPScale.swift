#if WebP
    import BowerbirdCore

    /// The size in which libwebp gives a picture that is to be made smaller. Its own scaler takes the mean of the area
    /// that a pixel covers; it saves the memory of the whole picture and most of the conversion from YUV.
    enum WebPScale {
        /// The size for a picture of `output`, which is still to be scaled to exactly: twice that in `.quality`, for a
        /// Lanczos filter to finish; `stored` where little would be saved.
        static func size(
            of stored: PixelSize, for output: PixelSize, _ scaling: DecodingOptions.Scaling
        ) -> PixelSize {
            let factor = scaling == .quality ? 2 : 1
            let size = PixelSize(
                width: min(stored.width, factor * output.width), height: min(stored.height, factor * output.height))
            let isWorthwhile = 2 * size.pixelCount <= stored.pixelCount
            return isWorthwhile ? size : stored
        }
    }
#endif
