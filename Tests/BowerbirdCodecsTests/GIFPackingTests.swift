import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdCodecs

@Suite("Packing and unpacking the pixels of GIF")
struct GIFPackingTests {
    /// Long strings, short ones, no strings at all, and more of them than a table holds.
    private static func pictures() -> [[UInt8]] {
        var random = SeededRandom(seed: 2)
        let noise = (0..<12_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        return [
            [], [5], Array(repeating: 7, count: 3000), (0..<5000).map { UInt8($0 % 7 * ($0 / 100 % 5)) },
            noise, noise.map { $0 & 3 }, noise.map { $0 & 1 }, noise.map { $0 < 20 ? $0 : 9 },
        ]
    }

    private func blocks(_ data: [UInt8]) -> [[UInt8]] {
        var (blocks, position): ([[UInt8]], Int) = ([], 1)
        while data[position] > 0 {
            blocks.append(Array(data[position + 1...position + Int(data[position])]))
            position += 1 + Int(data[position])
        }
        return blocks
    }

    private func unpack(_ pieces: [[UInt8]], _ codeSize: Int, room: Int) throws -> (pixels: [UInt8], isSound: Bool) {
        let decoder = try #require(LZWDecoder(minimumCodeSize: codeSize, pixelCount: room))
        for piece in pieces { piece.withUnsafeBytes { decoder.decode($0) } }
        return (Array(decoder.pixels), decoder.state != .damaged)
    }

    @Test func whatWasPackedIsUnpacked() throws {
        for picture in Self.pictures() {
            let codeSize = max(2, 8 - (picture.max() ?? 0).leadingZeroBitCount)
            let packed = LZWEncoder.encode(picture, minimumCodeSize: codeSize)
            #expect(packed[0] == codeSize && packed.last == 0)
            let blocks = blocks(packed)
            #expect(blocks.dropLast().allSatisfy { $0.count == 255 })
            #expect(PlainLZW.unpack(blocks.flatMap { $0 }, codeSize).pixels == picture)
            #expect(try unpack(blocks, codeSize, room: picture.count).pixels == picture)
        }
    }

    @Test func piecesOfAnySizeGiveTheSame() throws {
        let picture = Self.pictures()[3]
        let bytes = blocks(LZWEncoder.encode(picture, minimumCodeSize: 8)).flatMap { $0 }
        var random = SeededRandom(seed: 3)
        for _ in 0..<10 {
            var (pieces, position): ([[UInt8]], Int) = ([], 0)
            while position < bytes.count {
                let end = min(bytes.count, position + .random(in: 0...20, using: &random))
                pieces.append(Array(bytes[position..<end]))
                position = end
            }
            #expect(try unpack(pieces, 8, room: picture.count).pixels == picture)
        }
    }

    @Test(arguments: 1...8)
    func anyBytesUnpackLikeThePlainWay(codeSize: Int) throws {
        var random = SeededRandom(seed: UInt64(codeSize))
        for _ in 0..<200 {
            let count = Int.random(in: 0...60, using: &random)
            // Few different bytes make long strings, and codes that are just being made.
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) & 0b1011_0101 }
            let plain = PlainLZW.unpack(bytes, codeSize)
            let room = Int.random(in: 1...80, using: &random)
            let result = try unpack([bytes], codeSize, room: room)
            #expect(result.pixels == Array(plain.pixels.prefix(room)))
            if plain.pixels.count < room { #expect(result.isSound == plain.isSound) }
        }
    }

    @Test func thePictureIsNeverOverrun() throws {
        let picture = Array(repeating: UInt8(3), count: 5000)
        let blocks = blocks(LZWEncoder.encode(picture, minimumCodeSize: 2))
        for room in [0, 1, 2, 15, 16, 17, 100, 4999] {
            #expect(try unpack(blocks, 2, room: room).pixels == Array(picture.prefix(room)))
        }
    }
}

/// The textbook's way: a table of strings.
private enum PlainLZW {
    static func unpack(_ bytes: [UInt8], _ minimumCodeSize: Int) -> (pixels: [UInt8], isSound: Bool) {
        let clear = 1 << minimumCodeSize
        let literals = (0..<clear + 2).map { [UInt8(truncatingIfNeeded: $0)] }
        var (pixels, table, codeSize): ([UInt8], [[UInt8]], Int) = ([], literals, minimumCodeSize + 1)
        var previous: [UInt8] = []
        var position = 0
        while position + codeSize <= 8 * bytes.count {
            let code = (0..<codeSize).reduce(0) { code, bit in
                code | Int(bytes[(position + bit) / 8] >> UInt8((position + bit) % 8) & 1) << bit
            }
            position += codeSize
            if code == clear {
                (table, codeSize, previous) = (literals, minimumCodeSize + 1, [])
                continue
            }
            if code == clear + 1 { return (pixels, true) }
            let isNew = code == table.count && !previous.isEmpty && table.count < 4096
            guard isNew || code < (previous.isEmpty ? clear : table.count) else { return (pixels, false) }
            let string = isNew ? previous + previous.prefix(1) : table[code]
            if !previous.isEmpty, table.count < 4096 { table.append(previous + string.prefix(1)) }
            if table.count == 1 << codeSize, codeSize < 12 { codeSize += 1 }
            pixels += string
            previous = string
        }
        return (pixels, true)
    }
}
