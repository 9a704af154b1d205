#if JPEG
    import BowerbirdCore

    /// What a JPEG file carries before its picture, found by walking from marker to marker. Only places are remembered,
    /// and no more bytes than the limits allow: libjpeg would keep copies of everything.
    struct JPEGSegments {
        private var exif: Range<Int>?
        private var xmp: Range<Int>?
        private var profileParts: [ProfilePart] = []
        private var comments: [Range<Int>] = []
        private var density: ImageMetadata.Density?
        /// How many bytes lie in all these ranges.
        private var keptByteCount = 0
        private let limits: DecodingLimits
        private var position = 2

        private struct ProfilePart {
            let number: UInt8
            let count: UInt8
            let range: Range<Int>
        }

        private static let exifName: StaticString = "Exif\0\0"
        private static let xmpName: StaticString = "http://ns.adobe.com/xap/1.0/\0"
        private static let profileName: StaticString = "ICC_PROFILE\0"

        init(_ limits: DecodingLimits) { self.limits = limits }

        /// Goes on to the first scan, as far as `file`, the first bytes of the file or all of them, has come. True once it
        /// is there.
        mutating func read(_ file: RawSpan) -> Bool {
            while let marker = file.byte(at: position + 1) {
                guard file.byte(at: position) == 0xFF, marker != 0xFF else {
                    position += 1
                    continue
                }
                switch marker {
                case 0xDA, 0xD9: return true
                case 0, 1, 0xD0...0xD8: position += 2
                default:
                    guard let length = file.bigEndian16(at: position + 2), length >= 2 else { return false }
                    let end = position + 2 + Int(length)
                    guard end <= file.byteCount else { return false }
                    note(marker, position + 4..<end, of: file)
                    position = end
                }
            }
            return false
        }

        private mutating func note(_ marker: UInt8, _ range: Range<Int>, of file: RawSpan) {
            switch marker {
            case 0xE0 where file.matches("JFIF\0", at: range.lowerBound): density = density(at: range, of: file)
            case 0xE1 where exif == nil && file.matches(Self.exifName, at: range.lowerBound):
                if keep(range) { exif = range }
            case 0xE1 where xmp == nil && file.matches(Self.xmpName, at: range.lowerBound):
                if keep(range) { xmp = range.dropFirst(Self.xmpName.utf8CodeUnitCount) }
            case 0xE2 where file.matches(Self.profileName, at: range.lowerBound):
                if keep(range) { noteProfilePart(range, of: file) }
            case 0xFE:
                if keep(range) { comments.append(range) }
            default: break
            }
        }

        /// Whether the limits allow so much more.
        private mutating func keep(_ range: Range<Int>) -> Bool {
            // Beside its bytes each range takes some memory.
            let cost = range.count + 64
            guard keptByteCount + cost <= limits.maximumMetadataByteCount else { return false }
            keptByteCount += cost
            return true
        }

        private mutating func noteProfilePart(_ range: Range<Int>, of file: RawSpan) {
            let start = range.lowerBound + Self.profileName.utf8CodeUnitCount
            guard start + 2 <= range.upperBound, let number = file.byte(at: start), let count = file.byte(at: start + 1)
            else { return }
            profileParts.append(ProfilePart(number: number, count: count, range: start + 2..<range.upperBound))
        }

        private func density(at range: Range<Int>, of file: RawSpan) -> ImageMetadata.Density? {
            guard range.count >= 12, let unit = file.byte(at: range.lowerBound + 7),
                let horizontal = file.bigEndian16(at: range.lowerBound + 8),
                let vertical = file.bigEndian16(at: range.lowerBound + 10), horizontal > 0, vertical > 0
            else { return nil }
            // By the inch or the centimetre; else only the shape of the pixels is meant.
            guard let factor = [1: 1, 2: 2.54][unit] else { return nil }
            return ImageMetadata.Density(horizontal: Double(horizontal) * factor, vertical: Double(vertical) * factor)
        }
    }

    /// What a file says of its picture that libjpeg does not tell.
    struct JPEGFacts {
        let orientation: Orientation
        /// Whatever pixels it is for.
        let profile: ICCProfile?

        /// Completes the header of a picture with so many components. A profile for others is ignored.
        func complete(_ header: ImageHeader, componentCount: Int) -> ImageHeader {
            var header = header
            header.orientation = orientation
            let fitting: [ICCProfile.ColorSpace] = [1: [.gray, .rgb], 3: [.rgb], 4: [.cmyk]][componentCount] ?? []
            if let profile, let space = profile.colorSpace, fitting.contains(space) { header.profile = .icc(profile) }
            return header
        }
    }

    // MARK: What was found

    extension JPEGSegments {
        /// What decoding needs: copies, because the bytes of a file that arrives move.
        func facts(in file: RawSpan) -> JPEGFacts {
            JPEGFacts(
                orientation: exif.flatMap { ExifReader.orientation(in: file.extracting($0)) } ?? .topLeft,
                profile: profile(in: file))
        }

        /// The colour profile, from its parts in whatever order; nil where one is missing, and where parts contradict each
        /// other.
        private func profile(in file: RawSpan) -> ICCProfile? {
            guard let count = profileParts.first?.count, profileParts.allSatisfy({ $0.count == count }) else {
                return nil
            }
            var bytes: [UInt8] = []
            for number in 1...max(1, count) {
                guard let part = profileParts.first(where: { $0.number == number }) else { return nil }
                bytes += file.array(part.range)
            }
            return ICCProfile(bytes: bytes)
        }

        /// The small picture of the EXIF data, a JPEG file of its own.
        func thumbnail(in file: RawSpan) -> [UInt8]? {
            guard let exif, let range = ExifReader.thumbnail(in: file.extracting(exif)) else { return nil }
            return file.array(exif.lowerBound + range.lowerBound..<exif.lowerBound + range.upperBound)
        }

        func metadata(in file: RawSpan) -> ImageMetadata {
            ImageMetadata(
                reading: exif.map { file.array($0) }, xmp: xmp.map { file.array($0) }, density: density,
                texts: comments.compactMap { comment(file.array($0)) })
        }

        private func comment(_ bytes: [UInt8]) -> ImageMetadata.Text? {
            let content = bytes.prefix { $0 != 0 }
            guard !content.isEmpty else { return nil }
            let text = String(validating: content, as: UTF8.self)
            let latin = String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
            return ImageMetadata.Text(keyword: "Comment", text: text ?? latin)
        }
    }

    extension RawSpan {
        /// A copy of some bytes; `range` lies inside.
        fileprivate func array(_ range: Range<Int>) -> [UInt8] { extracting(range).withUnsafeBytes { Array($0) } }
    }
#endif
