import Bowerbird
import BowerbirdTestSupport

/// What the caches are asked for: addresses of 80 characters, with our keys made of them beforehand, each for a picture of
/// its own.
struct MemoryEntries: Sendable {
    static let count = 10_000

    let addresses: [String]
    let keys: [CacheKey]
    let others: [String]
    let otherKeys: [CacheKey]
    let images: [CachedImage]
    /// One after the other, as a grid asks, and in no order, where most of the time goes into waiting for memory.
    let inOrder = Array(0..<count)
    let inNoOrder: [Int]
    /// Which picture each step of the mix asks for; those that are not there are stored, one in ten.
    let mix: [Int]

    init() throws {
        addresses = (0..<Self.count).map { Self.address("pictures", $0) }
        others = (0..<Self.count).map { Self.address("nowhere", $0) }
        keys = addresses.map { CacheKey($0) }
        otherKeys = others.map { CacheKey($0) }
        images = try (0..<Self.count).map { _ in CachedImage(try Self.smallImage(), cost: 4) }
        var random = SeededRandom(seed: 1)
        inNoOrder = inOrder.shuffled(using: &random)
        mix = Self.mix
    }

    private static func address(_ folder: String, _ number: Int) -> String {
        let start = "https://images.example.org/\(folder)/"
        let end = "\(number).jpg"
        return start + String(repeating: "x", count: 80 - start.count - end.count) + end
    }

    /// Pictures that nobody else has.
    func newImages() throws -> NewImages {
        NewImages(try keys.map { _ in CachedImage(try Self.smallImage(), cost: 4) })
    }

    private static func smallImage() throws -> DecodedImage {
        let size = PixelSize(width: 1, height: 1)
        guard let buffer = PixelBuffer(size: size) else { throw CannotMeasure("there is no memory") }
        return DecodedImage(bitmap: buffer.freeze(), header: ImageHeader(format: .png, storedSize: size))
    }

    /// How many pictures the caches of the mix hold.
    static let mixLimit = count / 2

    /// Nine of the newest five hundred, which fill some screens, and one that is stored and evicts the oldest, round and
    /// round.
    private static var mix: [Int] {
        var random = SeededRandom(seed: 2)
        return (mixLimit..<mixLimit + count).flatMap { newest in
            (0..<9).map { _ in (newest - 1 - Int.random(in: 0..<500, using: &random)) % count }
                + [newest % count]
        }
    }
}

/// Pictures that are given away one by one.
final class NewImages {
    private var images: [CachedImage?]

    init(_ images: [CachedImage]) { self.images = images }

    /// Once for each number.
    func take(_ number: Int) -> CachedImage? { images[number].take() }
}
