#if HEIF
    import BowerbirdCodecs
    import BowerbirdCore
    import Testing

    /// What a test that writes HEIC files carries: libheif may lack an encoder.
    let heifCanBeWritten: ConditionTrait = .enabled("libheif has no HEVC encoder here") {
        (try? heif(makePicture(64, 64))) != nil
    }

    /// The bytes of a HEIC file with `bitmap`, made quickly.
    func heif(_ bitmap: Bitmap, _ change: (inout EncodingOptions) -> Void = { _ in }) throws -> [UInt8] {
        var options = EncodingOptions(quality: 0.97)
        options.effort = 0
        change(&options)
        return try HEIFEncoder().encode(bitmap, options).withUnsafeBytes { Array($0) }
    }

    extension HEIFDecoder {
        func metadata(of file: [UInt8], _ limits: DecodingLimits = DecodingLimits()) throws -> ImageMetadata {
            try metadata(of: file.span.bytes, limits)
        }
    }
#endif
