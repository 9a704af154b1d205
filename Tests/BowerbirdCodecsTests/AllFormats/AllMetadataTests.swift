import BowerbirdCore
import Testing

@testable import BowerbirdCodecs

@Suite("Every format and what stands beside its pictures")
struct AllMetadataTests {
    private let codecs = CodecSet.builtIn
    /// Longer than all the rest.
    private static let exif = {
        var builder = ExifBuilder.camera()
        builder.photograph.append((0xEA1C, .raw(7, Array(repeating: 0, count: 1000))))
        return builder.bytes
    }()
    private static let xmp = Array("<x:xmpmeta/>".utf8)

    /// All that there may be; the EXIF data say that the picture is to be turned.
    private static let metadata = ImageMetadata(
        exif: exif, xmp: xmp, density: ImageMetadata.Density(horizontal: 300, vertical: 150),
        texts: [ImageMetadata.Text(keyword: "Title", text: "A jay"), ImageMetadata.Text(keyword: "Comment", text: "Ä")])

    private func file(_ row: WrittenFormat, _ orientation: Orientation = .topLeft) throws -> [UInt8] {
        try row.write(row.picture(16, 8, isOpaque: true)) {
            $0.metadata = Self.metadata
            $0.orientation = orientation
        }
    }

    @Test(arguments: WrittenFormat.all)
    func whatTheFormatCarriesComesBack(row: WrittenFormat) throws {
        let found = try codecs.metadata(of: file(row))
        let photograph = ExifReader.photograph(in: Self.exif.span.bytes)
        #expect(photograph.model == "Model 1" && photograph.place != nil)
        #expect(found.photograph == (row.metadata.contains(.exif) ? photograph : ImageMetadata.Photograph()))
        #expect((found.exif != nil) == row.metadata.contains(.exif))
        #expect(found.xmp == (row.metadata.contains(.xmp) ? Self.xmp : nil))
        let hasDensity = !row.metadata.isDisjoint(with: [.density, .exif])
        #expect(found.density.map { $0.horizontal.rounded() } == (hasDensity ? 300 : nil))
        #expect(found.density.map { $0.vertical.rounded() } == (hasDensity ? 150 : nil))
        #expect(found.texts == row.expectedTexts(Self.metadata.texts))
    }

    /// Programs that look at both turn the picture once.
    @Test(arguments: WrittenFormat.all, [Orientation.topLeft, .leftBottom])
    func theOrientationInEXIFDataContradictsNothing(row: WrittenFormat, orientation: Orientation) throws {
        guard row.metadata.contains(.exif) else { return }
        let file = try file(row, orientation)
        let exif = try #require(try codecs.metadata(of: file).exif)
        let said = ExifReader.orientation(in: exif.span.bytes)
        #expect(said == (row.turning == .exif ? orientation : .topLeft))
        let size = orientation.displayedSize(of: PixelSize(width: 16, height: 8))
        #expect(try codecs.decode(file).size == size)
    }

    @Test(arguments: WrittenFormat.all)
    func whatIsOverTheLimitIsLeftOutAndNothingElse(row: WrittenFormat) throws {
        let found = try codecs.metadata(of: file(row), DecodingLimits(maximumMetadataByteCount: 600))
        #expect(found.exif == nil && found.photograph == ImageMetadata.Photograph())
        #expect(found.xmp == (row.metadata.contains(.xmp) ? Self.xmp : nil))
        #expect(found.texts == row.expectedTexts(Self.metadata.texts))
        let nothing = try codecs.metadata(of: file(row), DecodingLimits(maximumMetadataByteCount: 0))
        #expect(nothing.exif == nil && nothing.xmp == nil && nothing.texts.isEmpty)
        let options = DecodingOptions(limits: DecodingLimits(maximumMetadataByteCount: 0))
        #expect(try codecs.decode(file(row), options).warnings.isEmpty)
    }

    @Test(arguments: WrittenFormat.all)
    func aFileWithoutThemTellsNothing(row: WrittenFormat) throws {
        let found = try codecs.metadata(of: row.write(row.picture(16, 8)))
        #expect(found == ImageMetadata(density: found.density) && (found.density == nil || row.format == .jpeg))
    }
}

extension WrittenFormat {
    /// Comments have no keywords: others stand before their text.
    fileprivate func expectedTexts(_ texts: [ImageMetadata.Text]) -> [ImageMetadata.Text] {
        if metadata.contains(.keywords) { return texts }
        guard metadata.contains(.comments) else { return [] }
        return texts.map { text in
            let isComment = text.keyword == "Comment"
            return ImageMetadata.Text(
                keyword: "Comment", text: isComment ? text.text : "\(text.keyword): \(text.text)")
        }
    }
}
