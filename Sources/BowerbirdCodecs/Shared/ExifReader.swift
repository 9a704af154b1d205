package import BowerbirdCore

/// Reads EXIF data: a TIFF header and its directories, with or without `Exif` before them. The bytes are untrusted; what
/// makes no sense is as if it were not there.
package enum ExifReader {
    /// How the picture is to be turned. Copies nothing: each header of a file is asked for it.
    package static func orientation(in bytes: RawSpan) -> Orientation? {
        let start = bytes.matches("Exif\0\0") ? 6 : 0
        guard let order = ByteOrder(of: bytes, at: start) else { return nil }
        guard let offset = order.read32(bytes, at: start + 4) else { return nil }
        return orientation(inDirectoryAt: start + Int(offset), from: bytes, order)
    }

    /// Dots an inch.
    package static func density(in bytes: RawSpan) -> ImageMetadata.Density? {
        guard let directory = ExifData(bytes)?.main else { return nil }
        guard let horizontal = directory.positive(.horizontalResolution),
            let vertical = directory.positive(.verticalResolution)
        else { return nil }
        switch directory.number(.resolutionUnit) ?? 2 {
        case 2: return ImageMetadata.Density(horizontal: horizontal, vertical: vertical)
        case 3: return ImageMetadata.Density(horizontal: horizontal * 2.54, vertical: vertical * 2.54)
        default: return nil
        }
    }

    /// Where in `bytes` a small picture lies, a JPEG file of its own; nil where there is none.
    package static func thumbnail(in bytes: RawSpan) -> Range<Int>? {
        guard let data = ExifData(bytes), let directory = data.thumbnail else { return nil }
        guard let offset = directory.number(.thumbnailOffset), let length = directory.number(.thumbnailLength),
            length > 0, length <= data.bytes.count, offset <= data.bytes.count
        else { return nil }
        let range = data.start + offset..<data.start + offset + length
        guard range.upperBound <= bytes.byteCount else { return nil }
        return bytes.matches([0xFF, 0xD8, 0xFF], at: range.lowerBound) ? range : nil
    }

    /// What the data say of the taking of the photograph.
    package static func photograph(in bytes: RawSpan) -> ImageMetadata.Photograph {
        var photograph = ImageMetadata.Photograph()
        guard let data = ExifData(bytes), let main = data.main else { return photograph }
        photograph.make = main.text(.make)
        photograph.model = main.text(.model)
        photograph.software = main.text(.software)
        photograph.artist = main.text(.artist)
        photograph.copyright = main.text(.copyright)
        photograph.caption = main.text(.imageDescription)
        photograph.date = date(main.text(.dateTime), data.photograph?.text(.offsetTime))
        if let details = data.photograph { add(details, to: &photograph) }
        photograph.place = data.place.flatMap(place)
        return photograph
    }

    private static func add(_ details: ExifDirectory, to photograph: inout ImageMetadata.Photograph) {
        photograph.lens = details.text(.lensModel)
        photograph.exposureTime = details.positive(.exposureTime)
        photograph.fNumber = details.positive(.fNumber)
        photograph.focalLength = details.positive(.focalLength)
        photograph.iso = details.number(.sensitivity).flatMap { $0 > 0 ? $0 : nil }
        let taken = date(details.text(.dateTimeOriginal), details.text(.offsetTimeOriginal))
        photograph.date = taken ?? photograph.date
    }

    /// `2024:05:17 12:30:00` and `+02:00` as the international standard writes them; nil where it is no date, and
    /// cameras write spaces or zeros for one that they do not know.
    private static func date(_ text: String?, _ zone: String?) -> String? {
        guard let text, let date = filled("dddd:dd:dd dd:dd:dd", text), !text.hasPrefix("0000") else { return nil }
        var result = date
        for index in [4, 7] { result[index] = "-" }
        result[10] = "T"
        return String(result) + (zone.flatMap { filled("sdd:dd", $0) }.map { String($0) } ?? "")
    }

    /// The characters of `text` where each is what `pattern` says: a digit for d, a sign for s, else itself.
    private static func filled(_ pattern: String, _ text: String) -> [Character]? {
        guard text.count == pattern.count else { return nil }
        let isFilled = zip(pattern, text).allSatisfy { wanted, character in
            switch wanted {
            case "d": ("0"..."9").contains(character)
            case "s": character == "+" || character == "-"
            default: character == wanted
            }
        }
        return isFilled ? Array(text) : nil
    }

    private static func place(_ directory: ExifDirectory) -> ImageMetadata.Place? {
        guard let latitude = degrees(directory.numbers(.latitude), directory.text(.latitudeReference), "S", most: 90),
            let longitude = degrees(directory.numbers(.longitude), directory.text(.longitudeReference), "W", most: 180)
        else { return nil }
        let isBelowTheSea = directory.number(.altitudeReference) == 1
        let altitude = directory.numbers(.altitude, atMost: 1).first.map { isBelowTheSea ? -$0 : $0 }
        return ImageMetadata.Place(latitude: latitude, longitude: longitude, altitude: altitude)
    }

    /// Degrees, minutes and seconds; some files give only the first ones.
    private static func degrees(_ parts: [Double], _ reference: String?, _ negative: String, most: Double) -> Double? {
        guard !parts.isEmpty else { return nil }
        let value = zip(parts, [1, 60, 3600]).reduce(0.0) { sum, part in sum + part.0 / part.1 }
        guard value >= 0, value <= most else { return nil }
        return reference?.uppercased() == negative ? -value : value
    }
}

// MARK: Orientation

extension ExifReader {
    private static func orientation(
        inDirectoryAt directory: Int, from bytes: RawSpan, _ order: ByteOrder
    ) -> Orientation? {
        guard let count = order.read16(bytes, at: directory) else { return nil }
        for index in 0..<Int(count) {
            let entry = directory + 2 + index * ExifDirectory.entrySize
            // One that is not wholly there is none to who writes either.
            guard entry + ExifDirectory.entrySize <= bytes.byteCount, let tag = order.read16(bytes, at: entry) else {
                return nil
            }
            if tag == ExifTag.orientation.rawValue { return orientation(ofEntryAt: entry, from: bytes, order) }
        }
        return nil
    }

    /// The tag is a 16-bit number by the standard; some writers make it one of 32 bits.
    private static func orientation(ofEntryAt entry: Int, from bytes: RawSpan, _ order: ByteOrder) -> Orientation? {
        guard let type = order.read16(bytes, at: entry + 2) else { return nil }
        let value: UInt32? =
            switch type {
            case 3: order.read16(bytes, at: entry + 8).map(UInt32.init)
            case 4: order.read32(bytes, at: entry + 8)
            default: nil
            }
        return value.flatMap(UInt8.init(exactly:)).flatMap(Orientation.init)
    }
}
