#if JPEG
    import BowerbirdCore

    /// A segment of a JPEG file that carries something beside the picture.
    struct JPEGMarker: Hashable {
        let number: UInt8
        let bytes: [UInt8]

        /// What a segment holds at the most: its length has 16 bits, and counts itself.
        static let longest = 65533

        /// Nil for more than a segment holds.
        private init?(_ number: UInt8, _ bytes: [UInt8]) {
            guard bytes.count <= Self.longest else { return nil }
            self.number = number
            self.bytes = bytes
        }

        /// What the options want to be written, in the usual order.
        static func all(of options: EncodingOptions, _ profile: ICCProfile?) -> [JPEGMarker] {
            [exif(options), options.metadata?.xmp.flatMap(xmp)].compactMap { $0 } + (profile.map(parts) ?? [])
                + (options.metadata?.texts.compactMap(comment) ?? [])
        }

        /// Data that are too long are left out, but never the orientation.
        private static func exif(_ options: EncodingOptions) -> JPEGMarker? {
            let candidates = [options.metadata?.exif, nil]
            return candidates.lazy.compactMap { ExifWriter.setting(options.orientation, in: $0) }
                .compactMap { JPEGMarker(0xE1, Array("Exif\0\0".utf8) + $0) }.first
        }

        private static func xmp(_ packet: [UInt8]) -> JPEGMarker? {
            JPEGMarker(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
        }

        /// The parts of a profile; none where there were more than can be counted.
        private static func parts(of profile: ICCProfile) -> [JPEGMarker] {
            let name = Array("ICC_PROFILE\0".utf8)
            let room = longest - name.count - 2
            let starts = Array(stride(from: 0, to: profile.bytes.count, by: room))
            guard let count = UInt8(exactly: starts.count) else { return [] }
            return starts.enumerated().compactMap { index, start in
                let part = profile.bytes[start..<min(start + room, profile.bytes.count)]
                return JPEGMarker(0xE2, name + [UInt8(index + 1), count] + part)
            }
        }

        /// A text that is too long is cut.
        private static func comment(_ text: ImageMetadata.Text) -> JPEGMarker? {
            let content = text.keyword == "Comment" ? text.text : "\(text.keyword): \(text.text)"
            return JPEGMarker(0xFE, Array(content.utf8.prefix(longest)))
        }
    }
#endif
