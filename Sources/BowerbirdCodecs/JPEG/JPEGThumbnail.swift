#if JPEG
    import BowerbirdCore

    /// The small picture that cameras put into the EXIF data of their files.
    struct JPEGThumbnail {
        /// As it is stored: neither turned nor converted.
        let bitmap: Bitmap
        /// That of the whole picture, but for the size.
        private(set) var header: ImageHeader

        /// What is larger is no help.
        private static let maximumPixelCount = 1 << 19

        /// Nil for one that is damaged, that has not the shape of the picture (some have black bars, and programs that
        /// cut pictures forget it), and that is no smaller.
        init?(_ file: [UInt8], of header: ImageHeader) {
            // It says nothing of its own orientation, and lies as the picture does.
            var options = DecodingOptions(color: .asStored)
            options.limits = DecodingLimits(
                maximumPixelCount: Self.maximumPixelCount, maximumScanCount: 20, maximumMetadataByteCount: 0)
            guard let image = try? JPEGDecoder().decode(file.span.bytes, options), image.warnings.isEmpty,
                Self.isAlike(image.size, header.storedSize)
            else { return nil }
            bitmap = image.bitmap
            self.header = header
            self.header.storedSize = image.size
        }

        /// Within 2 %, or the pixel that was rounded.
        private static func isAlike(_ size: PixelSize, _ stored: PixelSize) -> Bool {
            guard size.width < stored.width, size.height < stored.height else { return false }
            let height = Double(size.width) * Double(stored.height) / Double(stored.width)
            return abs(height - Double(size.height)) <= max(1, 0.02 * height)
        }
    }
#endif
