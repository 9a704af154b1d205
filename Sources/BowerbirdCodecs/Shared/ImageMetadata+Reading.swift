import BowerbirdCore

extension ImageMetadata {
    /// What a file tells, from the blocks that it carries: what the EXIF data say is read from them, the density too
    /// where the file has no other. Data that are no EXIF data, and empty ones, are left out.
    init(reading exif: [UInt8]?, xmp: [UInt8]?, density: Density? = nil, texts: [Text] = []) {
        let data = exif.flatMap { ExifData($0.span.bytes) }
        let plain = data.map { Array($0.bytes[$0.start...]) }
        self.init(
            exif: plain, xmp: xmp?.isEmpty == false ? xmp : nil,
            density: density ?? plain.flatMap { ExifReader.density(in: $0.span.bytes) }, texts: texts,
            photograph: plain.map { ExifReader.photograph(in: $0.span.bytes) } ?? Photograph())
    }
}
