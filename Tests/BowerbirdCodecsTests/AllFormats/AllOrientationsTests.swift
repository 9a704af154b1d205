import BowerbirdCodecs
import BowerbirdCore
import BowerbirdRaster
import Testing

@Suite("Every format and how its pictures are to be turned")
struct AllOrientationsTests {
    private let codecs = CodecSet.builtIn

    /// Lossless or not, turned pixels are exactly those of the same file that is upright.
    @Test(arguments: WrittenFormat.all)
    func eachOrientationIsWrittenAndTurnedBack(row: WrittenFormat) throws {
        let picture = try row.picture(23, 17)
        let upright = try codecs.decode(row.write(picture), .exactAsStored).bitmap
        let shown = try codecs.decode(row.write(picture)).bitmap
        if row.isExact { #expect(upright.bytes == picture.bytes) }
        for orientation in Orientation.allCases {
            let file = try row.write(picture) { $0.orientation = orientation }
            let image = try codecs.decode(file, .exactAsStored)
            #expect(try image.bitmap.bytes == upright.oriented(orientation).bytes, "\(orientation)")
            #expect(try codecs.decode(file).bitmap.bytes == shown.oriented(orientation).bytes, "\(orientation)")
            #expect(image.size == orientation.displayedSize(of: picture.size), "\(orientation)")
            let header = try codecs.header(of: file.span.bytes)
            #expect(image.header.size == image.size && image.header == header)
            // libheif turns the picture itself.
            let isSaid = row.turning != .upright && row.format != .heif
            #expect(image.header.orientation == (isSaid ? orientation : .topLeft))
        }
    }

    @Test(arguments: WrittenFormat.all)
    func aTurnedPictureMeetsEachTarget(row: WrittenFormat) throws {
        for orientation in [Orientation.bottomLeft, .rightTop, .leftBottom] {
            let file = try row.write(row.picture(23, 17)) { $0.orientation = orientation }
            let size = orientation.displayedSize(of: PixelSize(width: 23, height: 17))
            for mode in ScaleMode.allCases {
                for target in [PixelSize(width: 7, height: 5), PixelSize(width: 3, height: 40)] {
                    let options = DecodingOptions(targetSize: target, scaleMode: mode)
                    #expect(try codecs.decode(file, options).size == options.outputSize(of: size))
                }
            }
        }
    }
}
