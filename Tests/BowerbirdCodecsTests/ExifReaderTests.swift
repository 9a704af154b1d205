import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdCodecs

@Suite("Reading EXIF data")
struct ExifReaderTests {
    @Test(arguments: Orientation.allCases, [true, false])
    func theOrientationIsFoundInBothByteOrders(orientation: Orientation, isBigEndian: Bool) {
        let data = exif(orientation: orientation.rawValue, isBigEndian: isBigEndian)
        #expect(ExifReader.orientation(in: data) == orientation)
        let segment = Array("Exif\0\0".utf8) + data
        #expect(ExifReader.orientation(in: segment) == orientation)
    }

    @Test(arguments: [0, 9, 255] as [UInt8])
    func aValueThatMeansNothingIsIgnored(value: UInt8) {
        #expect(ExifReader.orientation(in: exif(orientation: value, isBigEndian: true)) == nil)
    }

    @Test func anOrientationOf32BitsCountsToo() {
        var data = exif(orientation: 6, isBigEndian: false)
        data[12] = 4
        #expect(ExifReader.orientation(in: data) == .rightTop)
        data[12] = 2
        #expect(ExifReader.orientation(in: data) == nil)
    }

    @Test func dataThatEndsAnywhereGivesNothing() {
        let data = exif(orientation: 6, isBigEndian: true)
        for count in 0..<20 { #expect(ExifReader.orientation(in: Array(data[..<count])) == nil) }
    }

    @Test func directoriesOutsideTheDataGiveNothing() {
        for offset in [0xFFFF_FFFF, 0x7FFF_FFFF, 26, 25] as [UInt32] {
            var data = exif(orientation: 6, isBigEndian: true)
            data.replaceSubrange(4..<8, with: (0..<4).map { UInt8(truncatingIfNeeded: offset >> (24 - 8 * $0)) })
            #expect(ExifReader.orientation(in: data) == nil)
        }
    }

    @Test func noBytesMakeItTrap() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var data = exif(orientation: 3, isBigEndian: .random())
            for _ in 0..<4 { data[Int.random(in: 4..<data.count)] = .random(in: 0...255, using: &generator) }
            _ = ExifReader.orientation(in: data)
        }
    }
}

@Suite("What EXIF data tell")
struct ExifMetadataTests {
    @Test(arguments: [ByteOrder.big, .little])
    func thePhotographIsDescribed(order: ByteOrder) {
        let data = ExifBuilder.camera(order).bytes
        var expected = ImageMetadata.Photograph()
        expected.make = "Make"
        expected.model = "Model 1"
        expected.lens = "Lens 50mm"
        expected.date = "2024-05-17T12:30:00+02:00"
        expected.exposureTime = 1.0 / 250
        expected.fNumber = 2.8
        expected.iso = 400
        expected.focalLength = 50
        expected.place = ImageMetadata.Place(latitude: -33.86, longitude: 151.21, altitude: -2.5)
        expected.software = "Firmware"
        expected.artist = "Zoë"
        expected.copyright = "The editor"
        expected.caption = "A bird"
        #expect(ExifReader.photograph(in: data.span.bytes) == expected)
        let segment = Array("Exif\0\0".utf8) + data
        #expect(ExifReader.photograph(in: segment.span.bytes) == expected)
        #expect(ExifReader.density(in: segment.span.bytes) == ImageMetadata.Density(horizontal: 300, vertical: 150))
    }

    @Test func densityByTheCentimetreIsTurnedIntoInches() {
        var builder = ExifBuilder(main: [(0x011A, .rationals([(100, 1)])), (0x011B, .rationals([(100, 1)]))])
        #expect(ExifReader.density(in: builder.bytes.span.bytes)?.horizontal == 100)
        builder.main.append((0x0128, .short(3)))
        #expect(ExifReader.density(in: builder.bytes.span.bytes)?.horizontal == 254)
        builder.main[2].1 = .short(1)
        #expect(ExifReader.density(in: builder.bytes.span.bytes) == nil)
    }

    @Test func whatMakesNoSenseIsLeftOut() {
        let builder = ExifBuilder(
            main: [
                (0x010F, .text("   ")), (0x0110, .raw(2, [0xE9, 0x74, 0xE9])), (0x0132, .text("    :  :     :  :  ")),
            ],
            photograph: [
                (0x829A, .rationals([(1, 0)])), (0x829D, .rationals([(0, 1)])), (0x8827, .short(0)),
                (0x9003, .text("0000:00:00 00:00:00")), (0x920A, .text("50")),
            ],
            place: [(2, .rationals([(91, 1)])), (4, .rationals([(5, 1)]))])
        var expected = ImageMetadata.Photograph()
        expected.model = "été"
        #expect(ExifReader.photograph(in: builder.bytes.span.bytes) == expected)
    }

    @Test func aLongTextIsCut() {
        let builder = ExifBuilder(main: [(0x010E, .text(String(repeating: "a", count: 100_000)))])
        #expect(ExifReader.photograph(in: builder.bytes.span.bytes).caption?.count == 1 << 16)
    }

    @Test func theSmallPictureIsFound() {
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9, 1]
        let data = Array("Exif\0\0".utf8) + ExifBuilder(main: [(0x010F, .text("Make"))], thumbnail: picture).bytes
        let range = ExifReader.thumbnail(in: data.span.bytes)
        #expect(range.map { Array(data[$0]) } == picture)
        let other = ExifBuilder(main: [(0x010F, .text("Make"))], thumbnail: [1, 2, 3, 4]).bytes
        #expect(ExifReader.thumbnail(in: other.span.bytes) == nil)
        #expect(ExifReader.thumbnail(in: ExifBuilder.camera().bytes.span.bytes) == nil)
    }

    @Test func noBytesMakeItTrap() {
        var generator = SeededRandom(seed: 9)
        for order in [ByteOrder.big, .little] {
            var builder = ExifBuilder.camera(order)
            builder.thumbnail = [0xFF, 0xD8, 0xFF, 0xD9]
            let data = builder.bytes
            for count in stride(from: 0, to: data.count, by: 5) { readAll(Array(data[..<count])) }
            for _ in 0..<300 {
                var damaged = data
                for _ in 0..<4 {
                    damaged[.random(in: 4..<data.count, using: &generator)] = .random(in: 0...255, using: &generator)
                }
                readAll(damaged)
            }
            for _ in 0..<50 { readAll(data[..<8] + (0..<200).map { _ in UInt8.random(in: 0...255) }) }
        }
    }

    private func readAll(_ bytes: [UInt8]) {
        _ = ImageMetadata(reading: bytes, xmp: nil)
        _ = ExifReader.thumbnail(in: bytes.span.bytes)
        _ = ExifWriter.setting(.rightTop, in: bytes)
    }
}

@Suite("Writing the orientation into EXIF data")
struct ExifWriterTests {
    @Test(arguments: Orientation.allCases, [ByteOrder.big, .little])
    func itIsChangedInPlaceAndAllElseStays(orientation: Orientation, order: ByteOrder) throws {
        let data = ExifBuilder.camera(order).bytes
        let changed = try #require(ExifWriter.setting(orientation, in: data))
        #expect(changed.count == data.count)
        #expect(ExifReader.orientation(in: changed) == orientation)
        #expect(ExifReader.photograph(in: changed.span.bytes) == ExifReader.photograph(in: data.span.bytes))
    }

    @Test(arguments: [ByteOrder.big, .little])
    func dataWithoutOneGetIt(order: ByteOrder) throws {
        var builder = ExifBuilder.camera(order)
        builder.main.removeAll { $0.0 == 0x0112 }
        let data = builder.bytes
        #expect(ExifWriter.setting(.topLeft, in: data) == data)
        let changed = try #require(ExifWriter.setting(.leftBottom, in: Array("Exif\0\0".utf8) + data))
        #expect(ExifReader.orientation(in: changed) == .leftBottom)
        #expect(ExifReader.photograph(in: changed.span.bytes) == ExifReader.photograph(in: data.span.bytes))
    }

    /// Found by the fuzzer: the reader took what the writer did not see, and turned an upright picture.
    @Test func anEntryThatIsCutOffIsNone() throws {
        let data: [UInt8] = [
            0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0x60, 0x1A, 0, 5, 0,
        ]
        #expect(ExifReader.orientation(in: data) == nil)
        let changed = try #require(ExifWriter.setting(.topLeft, in: Array("Exif\0\0".utf8) + data))
        #expect(ExifReader.orientation(in: changed) ?? .topLeft == .topLeft)
    }

    @Test func theSmallPictureOfWhatWasThereBeforeIsTakenOut() throws {
        var builder = ExifBuilder.camera()
        builder.thumbnail = [0xFF, 0xD8, 0xFF, 0xDB, 77, 78, 79]
        let data = builder.bytes
        #expect(ExifReader.thumbnail(in: data.span.bytes) != nil)
        for hasOrientation in [true, false] {
            if !hasOrientation { builder.main.removeAll { $0.0 == 0x0112 } }
            let changed = try #require(ExifWriter.setting(.rightTop, in: builder.bytes))
            #expect(ExifReader.thumbnail(in: changed.span.bytes) == nil && !changed.contains([77, 78, 79]))
            #expect(ExifReader.photograph(in: changed.span.bytes) == ExifReader.photograph(in: data.span.bytes))
        }
    }

    @Test func noDataSayOnlyWhatIsNotUpright() throws {
        #expect(ExifWriter.setting(.topLeft, in: nil) == nil && ExifWriter.setting(.topLeft, in: [1, 2]) == nil)
        for data in [nil, [1, 2, 3]] as [[UInt8]?] {
            let made = try #require(ExifWriter.setting(.rightTop, in: data))
            #expect(ExifReader.orientation(in: made) == .rightTop && made == exif(orientation: 6, isBigEndian: true))
        }
    }
}

extension ExifReader {
    fileprivate static func orientation(in bytes: [UInt8]) -> Orientation? { orientation(in: bytes.span.bytes) }
}
