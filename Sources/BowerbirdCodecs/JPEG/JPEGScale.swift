#if JPEG
    import BowerbirdCore

    /// The scales at which the inverse transform itself gives a smaller picture.
    enum JPEGScale: Int, CaseIterable {
        // The other eighths that the library knows take longer than the whole picture.
        case eighth = 1
        case quarter = 2
        case half = 4
        case full = 8

        /// The smallest scale with enough pixels for a picture of `output`, which is still to be scaled to exactly.
        init(from stored: PixelSize, for output: PixelSize, _ scaling: DecodingOptions.Scaling) {
            let factor = scaling == .quality ? 2 : 1
            self =
                Self.allCases.first { scale in
                    let size = scale.size(of: stored)
                    return size.width >= factor * output.width && size.height >= factor * output.height
                } ?? .full
        }

        /// The size at this scale of a picture that is stored in `size`.
        func size(of size: PixelSize) -> PixelSize {
            PixelSize(width: (size.width * rawValue + 7) / 8, height: (size.height * rawValue + 7) / 8)
        }
    }
#endif
