import BowerbirdCodecs
import BowerbirdCore
import Testing

/// What every decoder must stand, tried with one sound file.
struct DamageChecks<Decoder: ImageDecoder> {
    let decoder: Decoder
    let file: [UInt8]
    var options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1 << 20))

    /// A beginning of a file either throws or has a warning, never both facts and silence.
    func everyBeginningIsKnownToBeOne(steps: Int = 1, upTo end: Int) {
        for count in stride(from: 0, to: end, by: steps) {
            let part = Array(file[..<count])
            _ = try? decoder.header(of: part)
            guard let image = try? decoder.decode(part, options) else { continue }
            #expect(!image.warnings.isEmpty, "the first \(count) bytes")
        }
    }

    /// Some bytes are changed, by a generator that is the same each time.
    func noChangeTraps(rounds: Int, changes: Int = 3) {
        var seed: UInt64 = 0x9E37_79B9_7F4A_7C15
        for _ in 0..<rounds {
            var damaged = file
            for _ in 0..<changes {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let index = Int(seed >> 33) % damaged.count
                damaged[index] = [0, 0xFF, 0x80, 0x01, UInt8(truncatingIfNeeded: seed >> 25)][Int(seed >> 20) % 5]
            }
            _ = try? decoder.header(of: damaged)
            _ = try? decoder.decode(damaged, options)
        }
    }

    /// Each byte of the beginning takes a few values.
    func noChangeOfTheFirstBytesTraps(_ count: Int) {
        for index in 0..<min(count, file.count) {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var damaged = file
                damaged[index] = value
                _ = try? decoder.header(of: damaged)
                _ = try? decoder.decode(damaged, options)
            }
        }
    }

    func aCancelledTaskStops() async {
        let (decoder, file) = (decoder, file)
        let error = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return decoder.failure(of: file)
        }.value
        #expect(error == .cancelled)
    }
}

extension Bitmap {
    /// The greatest difference of any byte to another picture of the same size.
    func greatestDifference(to other: Bitmap) throws -> Int {
        try #require(size == other.size && format == other.format)
        return zip(bytes, other.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }
}

/// The bytes of a number, the least significant first.
func littleEndian(_ values: Int..., bytes count: Int = 4) -> [UInt8] {
    values.flatMap { value in (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}

extension DecodingOptions {
    /// The file's own values.
    static var exactAsStored: DecodingOptions {
        var options = DecodingOptions(pixels: .exact)
        options.color = .asStored
        return options
    }
}
