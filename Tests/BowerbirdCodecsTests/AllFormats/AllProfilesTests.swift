import BowerbirdCore
import Testing

@testable import BowerbirdCodecs

@Suite("Every format and the colours of its pictures")
struct AllProfilesTests {
    private let codecs = CodecSet.builtIn
    private static let codingPoints = ColorProfile.cicp(CodingPoints(primaries: 12, transfer: 13))

    /// Large patches, which lossy formats keep.
    private func patches() throws -> Bitmap {
        try paint(48, 32, isOpaque: true) { x, y in
            let (column, row) = (x / 16, y / 16)
            return [column * 100 + 20, row * 180 + 30, (column + row) * 70, 255]
        }
    }

    @Test(arguments: WrittenFormat.all)
    func aProfileSurvivesAConversion(row: WrittenFormat) throws {
        let profile = ColorProfile.icc(TestProfile.displayP3)
        let first = try codecs.decode(row.write(patches()) { $0.profile = profile }, .exactAsStored)
        guard row.hasICC else {
            #expect(first.profile.isSRGB)
            return
        }
        #expect(first.profile == profile && first.header.profile == profile)
        let second = try codecs.decode(row.write(first.bitmap) { $0.profile = first.profile }, .exactAsStored)
        #expect(second.profile == profile)
        guard row.isExact else { return }
        #expect(try first.bitmap.bytes == patches().bytes && second.bitmap.bytes == first.bitmap.bytes)
    }

    @Test(arguments: WrittenFormat.all)
    func codingPointsSurviveAConversion(row: WrittenFormat) throws {
        let first = try codecs.decode(row.write(patches()) { $0.profile = Self.codingPoints }, .exactAsStored)
        #expect(row.hasCodingPoints ? first.profile == Self.codingPoints : first.profile.isSRGB)
    }

    /// Whether the file has the profile or pixels that were converted before.
    @Test(
        arguments: WrittenFormat.all,
        [
            ColorProfile.icc(TestProfile.displayP3), .cicp(CodingPoints(primaries: 12, transfer: 13)),
        ])
    func everyFormatShowsTheSameColors(row: WrittenFormat, profile: ColorProfile) throws {
        let file = try row.write(patches()) { $0.profile = profile }
        let shown = try codecs.decode(file)
        #expect(shown.profile == .sRGB)
        let expected = try codecs.decode(expectedFile(profile)).bitmap
        #expect(try shown.bitmap.greatestDifference(to: expected) <= (row.isExact ? 1 : 3))
        let stored = try codecs.decode(expectedFile(.sRGB)).bitmap
        #expect(try stored.greatestDifference(to: expected) > 10)
    }

    /// The colours as our own conversion has them, in a file that needs none.
    private func expectedFile(_ profile: ColorProfile) throws -> [UInt8] {
        try encode(ColorConversion.toSRGB(patches(), from: profile), with: QOIEncoder())
    }
}
