import BowerbirdCodecs
import BowerbirdCore
import BowerbirdRaster
import Testing

@Suite("Every format and what is written into it")
struct AllEncodersTests {
    private let codecs = CodecSet.builtIn
    private static let sizes = [(17, 23), (1, 1), (1, 300), (300, 1)]

    @Test(arguments: WrittenFormat.all, PixelFormat.allCases)
    func picturesOfEverySizeComeBack(row: WrittenFormat, format: PixelFormat) throws {
        let isAsked = format == .rgba8Straight || !row.isSlow
        for (width, height) in Self.sizes.prefix(isAsked ? 4 : 1) {
            for isOpaque in [true, false] {
                let picture = try row.picture(width, height, format: format, isOpaque: isOpaque)
                try check(picture, row, "\(width) × \(height), opaque: \(isOpaque)")
            }
        }
    }

    private func check(_ picture: Bitmap, _ row: WrittenFormat, _ comment: Comment) throws {
        let file = try row.write(picture)
        let image = try codecs.decode(file)
        #expect(image.size == picture.size && image.header.storedSize == picture.size, comment)
        #expect(image.warnings.isEmpty && image.header.format == row.format, comment)
        if picture.isOpaque || !row.hasAlpha { #expect(image.bitmap.isOpaque, comment) }
        guard row.isExact else { return }
        if picture.format == .bgra8Premultiplied {
            #expect(try image.bitmap.greatestDifference(to: picture) <= 1, comment)
        } else {
            try checkExact(codecs.decode(file, .exactAsStored).bitmap, picture, row, comment)
        }
        // Lossless files of 8 bits need no more for opaque pixels than those have.
        #expect(image.bitmap.isOpaque == picture.isOpaque || row.loss == .fromManyColors, comment)
    }

    private func checkExact(_ found: Bitmap, _ picture: Bitmap, _ row: WrittenFormat, _ comment: Comment) throws {
        let isDeep = picture.format == .rgba16Straight
        if !isDeep || row.exactBits == 16 {
            #expect(found.format == picture.format && found.bytes == picture.bytes, comment)
        } else if row.exactBits > 8 {
            // The nearest of fewer levels.
            let step = 65535 / (1 << row.exactBits - 1)
            #expect(try found.greatestDeepDifference(to: picture) <= step, comment)
        } else {
            let pixels = picture.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
            let expected = pixels.map { UInt8((UInt32($0) * 255 + 32895) >> 16) }
            #expect(found.format == .rgba8Straight && found.bytes == expected, comment)
        }
    }

    @Test(arguments: WrittenFormat.all)
    func aPictureThatIsTooLargeForTheFormatIsRefused(row: WrittenFormat) throws {
        guard let side = row.longestSide else { return }
        for (width, height) in [(side + 1, 1), (1, side + 1)] {
            let picture = try makeBuffer(width, height).freeze()
            #expect(throws: EncodingError.tooLarge(picture.size, format: row.format)) {
                try codecs.encode(picture, as: row.format, row.options)
            }
        }
    }

    @Test(arguments: WrittenFormat.lossy)
    func aLossyFileIsMadeAsSmallAsAsked(row: WrittenFormat) throws {
        let picture = try makePicture(80, 60)
        var options = row.options
        options.isLossless = false
        options.quality = 0.95
        let room = PixelSize(width: 40, height: 40)
        let whole = try codecs.encode(
            picture, as: row.format, options, within: EncodingBounds(maximumSize: room))
        let bounds = EncodingBounds(maximumSize: room, maximumByteCount: whole.count * 3 / 4)
        let file = try codecs.encode(picture, as: row.format, options, within: bounds)
        #expect(file.count <= whole.count * 3 / 4 && file.count > whole.count / 4)
        let image = try file.withBytes { try codecs.decode($0) }
        #expect(image.size == PixelSize(width: 40, height: 30))
        let impossible = EncodingBounds(maximumByteCount: 8)
        #expect(throws: EncodingError.cannotFit(maximumByteCount: 8)) {
            try codecs.encode(picture, as: row.format, options, within: impossible)
        }
    }

    @Test(arguments: WrittenFormat.all)
    func aFileWithoutLossHasTheSizeThatItHas(row: WrittenFormat) throws {
        guard row.isExact else { return }
        let picture = try row.picture(32, 32)
        let whole = try row.write(picture).count
        let bounds = EncodingBounds(maximumByteCount: whole)
        #expect(try codecs.encode(picture, as: row.format, row.options, within: bounds).count == whole)
        #expect(throws: EncodingError.cannotFit(maximumByteCount: whole - 1)) {
            let bounds = EncodingBounds(maximumByteCount: whole - 1)
            return try codecs.encode(picture, as: row.format, row.options, within: bounds)
        }
    }
}

extension Bitmap {
    /// The greatest difference of any component of 16 bits.
    fileprivate func greatestDeepDifference(to other: Bitmap) throws -> Int {
        try #require(size == other.size && format == .rgba16Straight && other.format == .rgba16Straight)
        return withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                zip(left.bindMemory(to: UInt16.self), right.bindMemory(to: UInt16.self)).reduce(0) {
                    max($0, abs(Int($1.0) - Int($1.1)))
                }
            }
        }
    }
}
