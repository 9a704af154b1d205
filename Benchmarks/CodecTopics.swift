import Bowerbird

extension Topic {
    /// One for each format, beside the library that others decode it with.
    static var codecs: [Topic] {
        var topics = [gif]
        #if PNG
            topics.append(png)
        #endif
        #if WebP
            topics.append(webP)
        #endif
        #if AVIF
            topics.append(avif)
        #endif
        #if JXL
            topics.append(jxl)
        #endif
        #if HEIF
            topics.append(heif)
        #endif
        return topics
    }

    /// Formats whose encoders take long are measured at three megapixels.
    private static let mediumSize = PixelSize(width: 2000, height: 1500)
    private static let nearlyRaw = Figure.Limit.atMost(1.05)

    private static let gif = Topic("GIF") {
        let raw = try RawGIF()
        let photograph = try encoded(Photograph.bitmap(in: mediumSize), .gif)
        let drawing = try encoded(FlatPicture.bitmap(in: mediumSize), .gif)
        return try await decoding(photograph, "photograph", beside: "giflib", limit: .atLeast(1.2), by: raw.decode)
            + decoding(drawing, "drawing", beside: "giflib", limit: .atLeast(2.5), by: raw.decode)
    }

    #if PNG
        private static let png = Topic("PNG") {
            let picture = try Photograph.bitmap(in: Photograph.size)
            let opaque = try encoded(picture, .png)
            let cutOut = try encoded(picture.withFadingEdges(), .png)
            return try await decoding(opaque, "RGB", beside: "libpng", limit: .atLeast(1.8)) {
                RawPNG.decode($0, .bgra, to: $1)
            }
                + decoding(cutOut, "RGBA", DecodingOptions(pixels: .exact), beside: "libpng", limit: .atLeast(1.8)) {
                    RawPNG.decode($0, .rgba, to: $1)
                }
                + decoding(cutOut, "RGBA, premultiplied", beside: "libpng", limit: .atLeast(1.8)) {
                    RawPNG.decode($0, .bgra, to: $1)
                    RawPixels.premultiply($1)
                }
        }
    #endif

    #if WebP
        private static let webP = Topic("WebP") {
            let picture = try Photograph.bitmap(in: mediumSize)
            let lossy = try encoded(picture, .webP)
            let lossless = try encoded(picture, .webP, isLossless: true)
            let cutOut = try encoded(picture.withFadingEdges(), .webP)
            return try await decoding(lossy, "lossy", beside: "libwebp", limit: nearlyRaw, by: RawWebP.decode)
                + decoding(lossless, "lossless", beside: "libwebp", limit: nearlyRaw, by: RawWebP.decode)
                + decoding(cutOut, "lossy with alpha", beside: "libwebp", limit: nearlyRaw, by: RawWebP.decode)
        }
    #endif

    #if AVIF
        private static let avif = Topic("AVIF") {
            let file = try encoded(Photograph.bitmap(in: mediumSize), .avif)
            return try await decoding(file, "\(mediumSize)", beside: "libavif", limit: nearlyRaw, by: RawAVIF.decode)
        }
    #endif

    #if JXL
        private static let jxl = Topic("JXL") {
            let lossy = try encoded(Photograph.bitmap(in: mediumSize), .jxl, effort: 0.2)
            let small = try Photograph.bitmap(in: PixelSize(width: 1000, height: 750))
            let lossless = try encoded(small, .jxl, isLossless: true, effort: 0.2)
            return try await decoding(lossy, "lossy", beside: "libjxl", limit: nearlyRaw, by: RawJXL.decode)
                + decoding(lossless, "lossless", beside: "libjxl", limit: nearlyRaw, by: RawJXL.decode)
        }
    #endif

    #if HEIF
        private static let heif = Topic("HEIF") {
            // Of a camera's making where there is one; not every libheif can write.
            let corpus = try? CorpusFile.get("sdwebimage/TestImage.heic")
            let file = try corpus ?? encoded(Photograph.bitmap(in: mediumSize), .heif)
            return try await decoding(file, "photograph", beside: "libheif", limit: nearlyRaw, by: RawHEIF.decode)
        }
    #endif
}

/// The picture as a file of ours.
func encoded(
    _ picture: Bitmap, _ format: ImageFormat, isLossless: Bool = false, effort: Double = 0.5
) throws -> EncodedImage {
    var options = EncodingOptions()
    options.effort = effort
    options.isLossless = isLossless
    return try CodecSet.builtIn.encode(picture, as: format, options)
}
