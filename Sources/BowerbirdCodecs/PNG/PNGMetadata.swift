#if PNG
    import BowerbirdCore

    /// Reads what stands beside the pixels, before and behind them.
    struct PNGMetadata {
        private var exif: [UInt8]?
        private var xmp: [UInt8]?
        private var density: ImageMetadata.Density?
        private var texts: [ImageMetadata.Text] = []
        private var allowance: MetadataAllowance
        /// Whether texts are still unpacked. One that is too large has cost as much as all may.
        private var unpacksTexts = true

        /// Of a file that may end early. What is over the limit is left out.
        static func read(_ bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> ImageMetadata {
            try PNGChunks.checkSignature(of: bytes)
            var metadata = PNGMetadata(limits)
            var chunks = PNGChunks()
            while let chunk = try? chunks.next(in: bytes), chunk.isComplete(in: bytes), chunk.type != .end {
                metadata.take(chunk, in: bytes)
            }
            return ImageMetadata(
                reading: metadata.exif, xmp: metadata.xmp, density: metadata.density, texts: metadata.texts)
        }

        private init(_ limits: DecodingLimits) {
            allowance = MetadataAllowance(limits)
        }

        private mutating func take(_ chunk: PNGChunk, in bytes: RawSpan) {
            let kinds: [PNGChunk.Kind] = [.exif, .density, .text, .compressedText, .internationalText]
            guard kinds.contains(chunk.type), chunk.isSound(in: bytes) else { return }
            let data = bytes.extracting(chunk.data)
            switch chunk.type {
            case .exif where exif == nil:
                if allowance.admits(data.byteCount) { exif = data.withUnsafeBytes { Array($0) } }
            case .density: density = density ?? Self.density(data)
            case .exif: break
            default: takeText(chunk.type, data)
            }
        }

        private mutating func takeText(_ type: PNGChunk.Kind, _ data: RawSpan) {
            let content: PNGText.Content?
            do throws(DecodingError) {
                let most = unpacksTexts ? max(0, allowance.remaining - MetadataAllowance.textCost) : 0
                content = try PNGText.content(type, data, DecodingLimits(maximumMetadataByteCount: most))
            } catch {
                unpacksTexts = false
                return
            }
            guard let content else {
                // A damaged stream has cost its unpacking too.
                _ = allowance.admits(min(allowance.remaining, 16 * data.byteCount))
                return
            }
            guard allowance.admits(content.bytes.count + MetadataAllowance.textCost) else { return }
            if content.keyword == PNGText.xmpKeyword {
                xmp = xmp ?? content.bytes
            } else {
                texts.append(content.text)
            }
        }

        /// Dots a metre; without a unit the numbers are only a ratio.
        private static func density(_ data: RawSpan) -> ImageMetadata.Density? {
            guard data.byteCount == 9, let horizontal = data.bigEndian32(at: 0), let vertical = data.bigEndian32(at: 4),
                data.byte(at: 8) == 1, horizontal > 0, vertical > 0
            else { return nil }
            return ImageMetadata.Density(horizontal: Double(horizontal) * 0.0254, vertical: Double(vertical) * 0.0254)
        }
    }
#endif
