import BowerbirdCore
import Glibc

/// How far two pictures are from each other, in levels of 255. The colour of a pixel that is transparent in both does
/// not count.
struct PixelDifference: CustomStringConvertible {
    /// Of one component of one pixel.
    private(set) var maximum = 0.0
    /// Over all components of all pixels.
    private(set) var mean = 0.0

    var isZero: Bool { maximum == 0 }

    /// Nil for pictures of different sizes.
    init?(_ one: Bitmap, _ other: Bitmap) {
        guard one.size == other.size else { return nil }
        // What is nearly always so is found out fastest.
        if one.format == other.format, one.hasEqualBytes(to: other) { return }
        let (left, right) = (one.straightComponents, other.straightComponents)
        var sum = 0
        var largest = 0
        for pixel in stride(from: 0, to: left.count, by: 4) where left[pixel + 3] != 0 || right[pixel + 3] != 0 {
            for index in pixel..<pixel + 4 {
                let difference = abs(Int(left[index]) - Int(right[index]))
                sum += difference
                largest = max(largest, difference)
            }
        }
        maximum = Double(largest) / 257
        mean = Double(sum) / Double(max(1, left.count)) / 257
    }

    var description: String { "at most \(Self.text(maximum)), \(Self.text(mean)) on average" }

    private static func text(_ levels: Double) -> String { "\((levels * 100).rounded() / 100)" }
}

extension Bitmap {
    fileprivate func hasEqualBytes(to other: Bitmap) -> Bool {
        withUnsafeBytes { ours in
            other.withUnsafeBytes { theirs in
                guard let one = ours.baseAddress, let two = theirs.baseAddress, ours.count == theirs.count else {
                    return false
                }
                return memcmp(one, two, ours.count) == 0
            }
        }
    }

    /// Red, green, blue, alpha of every pixel, 16 bits each, straight.
    var straightComponents: [UInt16] {
        withUnsafeBytes { bytes in
            switch format {
            case .rgba16Straight: Array(bytes.assumingMemoryBound(to: UInt16.self))
            case .rgba8Straight: bytes.map { UInt16($0) * 257 }
            case .bgra8Premultiplied: bytes.straight
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Of premultiplied blue, green, red and alpha.
    fileprivate var straight: [UInt16] {
        var result = [UInt16](repeating: 0, count: count)
        for pixel in Swift.stride(from: 0, to: count, by: 4) where self[pixel + 3] != 0 {
            let alpha = Int(self[pixel + 3])
            for component in 0..<3 {
                let color = (Int(self[pixel + 2 - component]) * 65535 + alpha / 2) / alpha
                result[pixel + component] = UInt16(clamping: color)
            }
            result[pixel + 3] = UInt16(alpha) * 257
        }
        return result
    }
}
