import BowerbirdCore
import BowerbirdRaster

/// Colours of files in the one colour space that is shown and edited in.
enum ColorConversion {
    /// Rows between two looks at `Task.isCancelled`.
    private static let bandHeight = 64

    /// The picture in sRGB, in the pixel format that it has. Itself where its colours are sRGB already, by whatever
    /// name, and where the profile makes no sense or is for pixels of another kind. Alpha stays as it is.
    static func toSRGB(_ bitmap: Bitmap, from profile: ColorProfile) throws(RasterError) -> Bitmap {
        guard !profile.isSRGB else { return bitmap }
        guard let transform = ColorTransforms.shared.transform(from: profile, bitmap.format) else { return bitmap }
        guard var result = PixelBuffer(size: bitmap.size, format: bitmap.format, isOpaque: bitmap.isOpaque) else {
            throw .outOfMemory(bitmap.size)
        }
        try result.withUnsafeMutableBytes { pixels throws(RasterError) in
            try convert(bitmap, into: pixels, by: transform)
        }
        return result.freeze()
    }

    private static func convert(
        _ bitmap: Bitmap, into pixels: UnsafeMutableRawBufferPointer, by transform: any ColorTransform
    ) throws(RasterError) {
        let bytesPerRow = bitmap.bytesPerRow
        try bitmap.withUnsafeBytes { source throws(RasterError) in
            guard let input = source.baseAddress, let output = pixels.baseAddress else { return }
            for first in stride(from: 0, to: bitmap.size.height, by: bandHeight) {
                guard !Task.isCancelled else { throw .cancelled }
                let rowCount = min(bandHeight, bitmap.size.height - first)
                // Rows of a bitmap follow each other without gaps.
                transform.convert(
                    input + first * bytesPerRow, to: output + first * bytesPerRow,
                    pixelCount: rowCount * bitmap.size.width, bitmap.format)
            }
        }
    }
}

/// A way of colours to sRGB, made for pixels of one format. Any thread may use it, several at once.
protocol ColorTransform: Sendable {
    /// Writes `pixelCount` converted pixels; both may be the same memory.
    func convert(
        _ source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, pixelCount: Int, _ format: PixelFormat)
}

extension ColorMapping: ColorTransform {}

extension ColorTransform {
    /// Whether it leaves colours as they are, give or take a level of 255: profiles of sRGB come under many names, and
    /// round their numbers differently.
    var changesNothing: Bool {
        let levels = stride(from: 0, through: 255, by: 15).map { UInt8($0) }
        var colors: [UInt8] = []
        for red in levels {
            for green in levels {
                for blue in levels { colors += [red, green, blue, 255] }
            }
        }
        var result = colors
        result.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            convert(base, to: base, pixelCount: bytes.count / 4, .rgba8Straight)
        }
        return zip(colors, result).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }
}
