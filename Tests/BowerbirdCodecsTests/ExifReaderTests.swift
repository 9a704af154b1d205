import BowerbirdCore
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

extension ExifReader {
    fileprivate static func orientation(in bytes: [UInt8]) -> Orientation? { orientation(in: bytes.span.bytes) }
}
