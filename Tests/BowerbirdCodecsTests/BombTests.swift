import BowerbirdCodecs
import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

/// Each in a process of its own, so that what it takes can be measured.
@Suite("Bombs")
struct BombTests {
    @Test(arguments: Bomb.allCases)
    func aBombTakesLittleAndIsRefusedByItsLimit(bomb: Bomb) async {
        await #expect(processExitsWith: .success) { [bomb = bomb as Bomb] in
            let file = try bomb.file
            let before = MemoryPeak.reset()
            let start = ContinuousClock.now
            let failure = bomb.failure(of: file)
            #expect(start.duration(to: .now) < .seconds(20))
            #expect((MemoryPeak.byteCount - before) >> 20 < 100, "megabytes")
            #expect(bomb.accepts(failure), "\(String(describing: failure))")
        }
    }
}

/// The most memory that this process has had at once.
private enum MemoryPeak {
    /// What was before does not count any more. Gives what there is now.
    static func reset() -> Int {
        try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        return ResidentMemory.byteCount
    }

    static var byteCount: Int {
        let status = (try? String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (line.split(whereSeparator: \.isWhitespace).lazy.compactMap { Int($0) }.first ?? 0) << 10
    }
}

/// A file of at most a few megabytes that wants a thousand times as much.
enum Bomb: String, Codable, CaseIterable, Sendable {
    case gifSize, gifNothing, gifFrames, gifComments
    case qoiSize, qoiNothing, bmpSize
    #if PNG
        case pngSize, pngNothing, pngFrames, pngProfile, pngText, pngInternationalText, pngManyTexts, pngUnreadTexts
        case pngExifCircle
    #endif
    #if JPEG
        case jpegSize, jpegNothing, jpegSegments, jpegExifCircle
    #endif
    #if WebP
        case webPSize, webPFrames
    #endif
    #if JXL
        case jxlText
    #endif
    #if AVIF
        case avifBoxes
    #endif
    #if SVG
        case svgUses
    #endif

    /// The largest square within the default limits.
    private static let largestSide = 1 << 14

    private var kind: Kind {
        switch self {
        case .gifSize: .size(65_535)
        case .bmpSize: .size(40_000)
        case .qoiSize: .size(70_000)
        case .gifFrames: .frames
        case .gifComments: .metadata
        case .gifNothing, .qoiNothing: .nothing
        #if PNG
            case .pngSize: .size(50_000)
            case .pngNothing: .nothing
            case .pngFrames: .frames
            case .pngProfile: .profile
            case .pngText, .pngInternationalText, .pngManyTexts: .metadata
            case .pngUnreadTexts, .pngExifCircle: .harmless
        #endif
        #if JPEG
            case .jpegSize: .size(65_000)
            case .jpegNothing: .nothing
            case .jpegSegments, .jpegExifCircle: .harmless
        #endif
        #if WebP
            case .webPSize: .size(60_000)
            case .webPFrames: .frames
        #endif
        #if JXL
            case .jxlText: .metadata
        #endif
        #if AVIF
            case .avifBoxes: .nothing
        #endif
        #if SVG
            case .svgUses: .nothing
        #endif
        }
    }

    /// What is asked of it, and what comes of that.
    private enum Kind {
        /// A square of so many pixels a side is refused.
        case size(Int)
        /// There is nothing to show.
        case nothing
        case frames, metadata, profile
        /// The picture is read, whatever else there is.
        case harmless
    }

    func failure(of file: [UInt8]) -> DecodingError? {
        do throws(DecodingError) {
            let codecs = CodecSet.builtIn
            switch kind {
            case .frames: _ = try EncodedImage(file).map { file throws(DecodingError) in try codecs.frames(in: file) }
            case .metadata: _ = try codecs.metadata(of: file.span.bytes)
            case .harmless:
                _ = try? codecs.metadata(of: file.span.bytes)
                _ = try codecs.decode(file.span.bytes)
            case .size, .nothing, .profile: _ = try codecs.decode(file.span.bytes)
            }
            return nil
        } catch {
            return error
        }
    }

    func accepts(_ failure: DecodingError?) -> Bool {
        switch kind {
        case .size(let side):
            failure == .tooLarge(PixelSize(width: side, height: side), maximumPixelCount: 1 << 28)
        case .nothing: failure != nil
        case .frames: failure == .tooManyFrames(maximum: 20_000)
        case .metadata, .profile: failure == .tooMuchMetadata(maximumByteCount: 16 << 20)
        case .harmless: failure == nil
        }
    }

    var file: [UInt8] {
        get throws {
            switch self {
            case .gifSize: gif(65_535, frames: [1])
            case .gifNothing: gif(Self.largestSide, frames: [0])
            case .gifFrames: gif(1, frames: Array(repeating: 1, count: 20_001))
            case .gifComments: commentedGIF
            case .qoiSize: qoi(70_000)
            case .qoiNothing: qoi(Self.largestSide)
            case .bmpSize: BMPFile(width: 40_000, height: 40_000, bits: 24, pixels: [1, 2, 3]).bytes
            #if PNG
                case .pngSize: png(50_000)
                case .pngNothing: png(Self.largestSide)
                case .pngFrames: png(1, ("acTL", bigEndian(20_001) + bigEndian(0)))
                case .pngProfile: png(1, ("iCCP", [65, 0, 0] + gigabyteOfZeros))
                case .pngText, .pngUnreadTexts: png(1, ("zTXt", [65, 0, 0] + gigabyteOfZeros))
                case .pngInternationalText: png(1, ("iTXt", [65, 0, 1, 0, 0, 0] + gigabyteOfZeros))
                case .pngManyTexts: manyTexts
                case .pngExifCircle: png(1, ("eXIf", exifCircle))
            #endif
            #if JPEG
                case .jpegSize: try jpegClaiming(65_000)
                case .jpegNothing: try Array(jpegClaiming(Self.largestSide).prefix { $0 != 0xDA })
                case .jpegSegments: try jpegOfSegments
                case .jpegExifCircle: try jpegFile(inserting: [(0xE1, Array("Exif\0\0".utf8) + exifCircle)])
            #endif
            #if WebP
                case .webPSize: riff([webPFeatures(0x02, 60_000, 60_000), ("ANIM", [0, 0, 0, 0, 0, 0])])
                case .webPFrames: try manyWebPFrames
            #endif
            #if JXL
                case .jxlText: try jxlWithText
            #endif
            #if AVIF
                case .avifBoxes: nestedBoxes
            #endif
            #if SVG
                case .svgUses: manyUses
            #endif
            }
        }
    }
}

// MARK: Without a library

extension Bomb {
    /// Each frame is one pixel, or has none.
    private func gif(_ side: Int, frames: [Int]) -> [UInt8] {
        var file = GIFFixture(side, side)
        for count in frames { file.addFrame(Array(repeating: 1, count: count), 1, 1) }
        return file.bytes
    }

    private var commentedGIF: [UInt8] {
        var file = GIFFixture(1, 1)
        let block = [UInt8](repeating: 65, count: 255)
        for _ in 0..<3 { file.addExtension(0xFE, Array(repeating: block, count: 23_000)) }
        file.addFrame(1, 1, 1)
        return file.bytes
    }

    private func qoi(_ side: Int) -> [UInt8] {
        let size = [side, side].flatMap { side in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) } }
        return Array("qoif".utf8) + size + [4, 0]
    }

    /// EXIF data whose every directory is the first: itself.
    private var exifCircle: [UInt8] {
        var builder = ExifBuilder()
        builder.main = [(0x8769, .long(8)), (0x8825, .long(8))]
        var bytes = builder.bytes
        bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: littleEndian(8))
        return bytes
    }
}

#if PNG
    extension Bomb {
        private func png(_ side: Int, _ extras: (String, [UInt8])...) -> [UInt8] {
            var parts = PNGParts(of: [])
            let size = bigEndian(UInt32(side)) + bigEndian(UInt32(side))
            // One pixel, which is all of the smallest picture.
            let data = stored(side == 1 ? [0, 1, 2, 3, 4] : [])
            parts.chunks = [("IHDR", size + [8, 6, 0, 0, 0])] + extras + [("IDAT", data), ("IEND", [])]
            return parts.file
        }

        /// A thousand texts of a megabyte each.
        private var manyTexts: [UInt8] {
            let text = zeros(megabytes: 1)
            var parts = PNGParts(of: png(1))
            for _ in 0..<1000 { parts.insert("zTXt", [65, 0, 0] + text) }
            return parts.file
        }

        private var gigabyteOfZeros: [UInt8] { zeros(megabytes: 1024) }

        /// A zlib stream, put together from codes that repeat the zero before them 258 times.
        private func zeros(megabytes: Int) -> [UInt8] {
            // The last block, with the fixed codes; the first zero.
            let beginning = [true, true, false] + [false, false, true, true, false, false, false, false]
            // 258 bytes, from a distance of 1.
            let copy = [true, true, false, false, false, true, false, true] + Array(repeating: false, count: 5)
            let eight = packed(Array(repeating: copy, count: 9).flatMap(\.self)[5..<109])
            let count = megabytes << 20 / (8 * 258)
            let checksum = bigEndian(UInt32((1 + (8 * count + 1) * 258) % 65_521) << 16 | 1)
            return [0x78, 0x01] + packed((beginning + copy.prefix(5))[...])
                + Array(repeating: eight, count: count).flatMap(\.self)
                + packed((copy.dropFirst(5) + Array(repeating: false, count: 8))[...]) + checksum
        }

        private func packed(_ bits: ArraySlice<Bool>) -> [UInt8] {
            stride(from: bits.startIndex, to: bits.endIndex, by: 8).map { start in
                (0..<8).reduce(0) { $0 | (bits[start + $1] ? 1 << UInt8($1) : 0) }
            }
        }
    }
#endif

#if JPEG
    extension Bomb {
        private func jpegFile(inserting segments: [(UInt8, [UInt8])]) throws -> [UInt8] {
            jpeg(try smallFile(with: JPEGEncoder()), inserting: segments)
        }

        private func jpegClaiming(_ side: Int) throws -> [UInt8] {
            var options = EncodingOptions()
            options.isProgressive = true
            var file = try JPEGEncoder().encode(makePicture(8, 8), options).withUnsafeBytes { Array($0) }
            let frame = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xC2]) })
            let bytes = [UInt8(side >> 8), UInt8(side & 255)]
            file.replaceSubrange(frame + 5..<frame + 9, with: bytes + bytes)
            return file
        }

        /// A profile as large as there can be, and thousands of other segments.
        private var jpegOfSegments: [UInt8] {
            get throws {
                let part = [UInt8](repeating: 7, count: 65_000)
                let profile = (1...255 as ClosedRange<UInt8>).map { number in
                    (0xE2 as UInt8, Array("ICC_PROFILE\0".utf8) + [number, 255] + part)
                }
                let others = (0..<5000).map { index in
                    (0xE0 | UInt8(index % 16), Array("Exif\0\0".utf8) + part.prefix(99))
                }
                return try jpegFile(inserting: profile + others)
            }
        }
    }
#endif

#if WebP
    extension Bomb {
        private var manyWebPFrames: [UInt8] {
            get throws {
                var film = try PaintedFilm.square(frameCount: 2)
                film.pictures = try [makePicture(2, 2), makePicture(2, 2, isOpaque: false)]
                let file = try written(film)
                let frames = file.indices.filter { file[$0...].starts(with: Array("ANMF".utf8)) }
                try #require(frames.count == 2)
                let repeated = Array(repeating: file[frames[0]..<frames[1]], count: 20_000).flatMap(\.self)
                var bomb = file[..<frames[0]] + repeated + file[frames[1]...]
                bomb.replaceSubrange(4..<8, with: littleEndian(bomb.count - 8))
                return Array(bomb)
            }
        }
    }
#endif

#if JXL
    extension Bomb {
        /// With 20 megabytes of the letter A as XMP, compressed by brotli.
        private var jxlWithText: [UInt8] {
            get throws {
                let text: [UInt8] = [
                    207, 255, 255, 127, 248, 37, 130, 226, 177, 64, 32, 247, 254, 63, 255, 255, 127, 240, 75, 0, 196,
                    97, 1, 128, 238, 253, 15,
                ]
                let type = isoBox("ftyp", Array("jxl ".utf8) + [0, 0, 0, 0] + Array("jxl ".utf8))
                let picture = isoBox("jxlc", try losslessJXL(makePicture(8, 8)))
                return isoBox("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + type
                    + isoBox("brob", Array("xml ".utf8) + text) + picture
            }
        }
    }
#endif

#if AVIF
    extension Bomb {
        /// Boxes in boxes, a hundred thousand deep.
        private var nestedBoxes: [UInt8] {
            let depth = 100_000
            let boxes = (0..<depth).flatMap { level in
                let size = 8 * (depth - level)
                return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
                    + Array((level.isMultiple(of: 2) ? "moov" : "meta").utf8)
            }
            return isoBox("ftyp", Array("avif".utf8) + [0, 0, 0, 0] + Array("avifmif1".utf8)) + boxes
        }
    }
#endif

#if SVG
    extension Bomb {
        /// Groups that use ten of the one before, and so on: ten thousand million squares.
        private var manyUses: [UInt8] {
            let groups = (1...10).map { level in
                let uses = String(repeating: "<use href=\"#g\(level - 1)\"/>", count: 10)
                return "<g id=\"g\(level)\">\(uses)</g>"
            }
            let square = "<rect id=\"g0\" width=\"1\" height=\"1\"/>"
            let start = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">"
            return Array((start + square + groups.joined() + "</svg>").utf8)
        }
    }
#endif

#if WebP
    private func written(_ film: PaintedFilm) throws -> [UInt8] { try encode(film, with: WebPEncoder()) }
#endif

private func smallFile(with encoder: some ImageEncoder) throws -> [UInt8] {
    try encode(makePicture(8, 8), with: encoder)
}

private func isoBox(_ type: String, _ contents: [UInt8]) -> [UInt8] {
    let size = contents.count + 8
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(type.utf8) + contents
}
