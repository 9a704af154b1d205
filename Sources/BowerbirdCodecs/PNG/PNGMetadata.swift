#if PNG
    import BowerbirdCore

    /// Reads what stands beside the pixels, before and behind them.
    struct PNGMetadata {
        private var exif: [UInt8]?
        private var xmp: [UInt8]?
        private var density: ImageMetadata.Density?
        private var texts: [ImageMetadata.Text] = []
        private let limits: DecodingLimits
        /// Bytes, once unpacked, that may still come.
        private var remaining: Int

        /// Of a file that may end early. Throws where there is more than the limit.
        static func read(_ bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> ImageMetadata {
            try PNGChunks.checkSignature(of: bytes)
            var metadata = PNGMetadata(limits)
            var chunks = PNGChunks()
            while let chunk = try? chunks.next(in: bytes), chunk.isComplete(in: bytes), chunk.type != .end {
                try metadata.take(chunk, in: bytes)
            }
            return ImageMetadata(
                reading: metadata.exif, xmp: metadata.xmp, density: metadata.density, texts: metadata.texts)
        }

        private init(_ limits: DecodingLimits) {
            self.limits = limits
            remaining = max(0, limits.maximumMetadataByteCount)
        }

        private mutating func take(_ chunk: PNGChunk, in bytes: RawSpan) throws(DecodingError) {
            let kinds: [PNGChunk.Kind] = [.exif, .density, .text, .compressedText, .internationalText]
            guard kinds.contains(chunk.type), chunk.isSound(in: bytes) else { return }
            let data = bytes.extracting(chunk.data)
            switch chunk.type {
            case .exif where exif == nil:
                try spend(data.byteCount)
                exif = data.withUnsafeBytes { Array($0) }
            case .density: density = density ?? Self.density(data)
            case .exif: break
            default: try takeText(chunk.type, data)
            }
        }

        private mutating func takeText(_ type: PNGChunk.Kind, _ data: RawSpan) throws(DecodingError) {
            var left = limits
            left.maximumMetadataByteCount = remaining
            let content: PNGText.Content?
            do throws(DecodingError) {
                content = try PNGText.content(type, data, left)
            } catch {
                throw .tooMuchMetadata(maximumByteCount: limits.maximumMetadataByteCount)
            }
            // A damaged stream has cost its unpacking too.
            guard let content else { return try spend(min(remaining, 16 * data.byteCount)) }
            try spend(content.bytes.count)
            if content.keyword == PNGText.xmpKeyword {
                xmp = xmp ?? content.bytes
            } else {
                texts.append(content.text)
            }
        }

        private mutating func spend(_ count: Int) throws(DecodingError) {
            guard count <= remaining else {
                throw .tooMuchMetadata(maximumByteCount: limits.maximumMetadataByteCount)
            }
            remaining -= count
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
