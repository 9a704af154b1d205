public import BowerbirdCore

/// What every decoder owes its callers, tried on one good file: a product for those who write a codec.
///
/// ```swift
/// let conformance = DecoderConformance(of: MyDecoder(), file: bytes, in: codecs)
/// #expect(await conformance.violations() == [])
/// ```
///
/// A decoder that traps on damage ends the program, which no report can replace.
public struct DecoderConformance: Sendable {
    private let decoder: any ImageDecoder
    private let file: [UInt8]
    private let codecs: CodecSet
    private let isDrawing: Bool
    private let tries: Int

    /// - Parameters:
    ///   - file: A good file, best of a few thousand pixels: it is decoded some hundred times.
    ///   - codecs: Where the decoder is to be found by what the file begins with.
    ///   - isDrawing: Whether the format has no pixels of its own, so that each target is met.
    ///   - tries: How many cut and how many damaged files are decoded.
    public init(
        of decoder: any ImageDecoder, file: [UInt8], in codecs: CodecSet, isDrawing: Bool = false, tries: Int = 60
    ) {
        self.decoder = decoder
        self.file = file
        self.codecs = codecs
        self.isDrawing = isDrawing
        self.tries = tries
    }

    /// What the decoder does not keep to, in words; empty where all is well. Blocks for the decodings.
    public func violations() async -> [String] {
        let header: ImageHeader
        let image: DecodedImage
        do {
            header = try decoder.header(of: unsafe file.span.bytes)
            image = try decode()
        } catch {
            return ["the file cannot be decoded: \(error)"]
        }
        let promises = [
            recognizing(header), describing(header, image), pixels(image), repeating(image), exactPixels(header),
            targets(header), limits(header), prefixes(), damage(), arriving(image), frames(header, image), memory(),
        ]
        return promises.flatMap { $0 } + (await cancelling())
    }

    private func decode(_ options: DecodingOptions = DecodingOptions()) throws(DecodingError) -> DecodedImage {
        try decoder.decode(unsafe file.span.bytes, options)
    }
}

// MARK: The good file

extension DecoderConformance {
    private func recognizing(_ header: ImageHeader) -> [String] {
        var violations: [String] = []
        if !decoder.formats.contains(header.format) { violations.append("\(header.format) is none of its formats") }
        guard let found = try? codecs.decoder(for: unsafe file.span.bytes) else {
            return violations + ["no decoder is found for the first bytes of the file"]
        }
        if found.formats != decoder.formats { violations.append("another decoder is found for the file") }
        return violations
    }

    private func describing(_ header: ImageHeader, _ image: DecodedImage) -> [String] {
        var violations: [String] = []
        if image.header != header { violations.append("decoding tells of \(image.header), the header of \(header)") }
        if !image.warnings.isEmpty { violations.append("a good file has warnings: \(image.warnings)") }
        if image.isPreview { violations.append("the final picture is marked as a preview") }
        if image.profile != .sRGB { violations.append("the picture is in \(image.profile) instead of sRGB") }
        if !isDrawing, image.size != header.size {
            violations.append("the picture has \(image.size) pixels, its header says \(header.size)")
        }
        return violations
    }

    /// No colour exceeds its alpha, and opaque pictures are.
    private func pixels(_ image: DecodedImage) -> [String] {
        guard image.bitmap.format == .bgra8Premultiplied else { return ["pixels for display are not premultiplied"] }
        var violations: Set<String> = []
        image.bitmap.withBytes { bytes in
            for pixel in stride(from: 0, to: bytes.byteCount, by: 4) {
                let alpha = bytes.byte(at: pixel + 3) ?? 0
                if image.bitmap.isOpaque, alpha != 255 { violations.insert("an opaque picture has transparent pixels") }
                let colors = (0..<3).map { bytes.byte(at: pixel + $0) ?? 0 }
                if colors.contains(where: { $0 > alpha }) { violations.insert("a colour exceeds its alpha") }
            }
        }
        return violations.sorted()
    }

    private func repeating(_ image: DecodedImage) -> [String] {
        (try? decode())?.bitmap.hasEqualPixels(to: image.bitmap) == true ? [] : ["decoding twice gives two pictures"]
    }

    private func exactPixels(_ header: ImageHeader) -> [String] {
        let target = PixelSize(width: 1, height: 1)
        guard let image = try? decode(DecodingOptions(targetSize: target, pixels: .exact)) else {
            return ["exact pixels cannot be had"]
        }
        let format: PixelFormat = header.bitsPerComponent > 8 ? .rgba16Straight : .rgba8Straight
        var violations: [String] = []
        if image.bitmap.format != format { violations.append("exact pixels are \(image.bitmap.format)") }
        if image.size != header.size { violations.append("exact pixels are scaled") }
        return violations
    }

    private func targets(_ header: ImageHeader) -> [String] {
        var violations: [String] = []
        let half = PixelSize(width: max(1, header.size.width / 2), height: max(1, header.size.height / 2))
        let double = PixelSize(width: 2 * header.size.width, height: 2 * header.size.height)
        for target in [PixelSize(width: 1, height: 1), PixelSize(width: 7, height: 5), half, header.size, double] {
            for mode in ScaleMode.allCases {
                for isUpscaling in [false, true] {
                    let options = DecodingOptions(targetSize: target, scaleMode: mode, allowsUpscaling: isUpscaling)
                    violations += self.target(options, header)
                }
            }
        }
        return violations
    }

    private func target(_ options: DecodingOptions, _ header: ImageHeader) -> [String] {
        var wanted = options
        if isDrawing { wanted.allowsUpscaling = true }
        let expected = wanted.outputSize(of: header.size)
        let size = (try? decode(options))?.size
        if size == expected { return [] }
        let target = options.targetSize ?? expected
        return ["\(options.scaleMode) to \(target) gives \(size.map { "\($0)" } ?? "nothing") instead of \(expected)"]
    }

    private func limits(_ header: ImageHeader) -> [String] {
        guard header.storedSize.pixelCount > 1 else { return [] }
        do {
            _ = try decode(DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1)))
            return ["a picture over the limit is decoded"]
        } catch {
            if case .tooLarge = error { return [] }
            return ["a picture over the limit throws “\(error)” instead of saying that it is too large"]
        }
    }

    private func cancelling() async -> [String] {
        let error = await Task { () -> DecodingError? in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            do throws(DecodingError) {
                _ = try decode()
                return nil
            } catch {
                return error
            }
        }.value
        return error == .cancelled ? [] : ["a cancelled task gets \(error.map { "“\($0)”" } ?? "a picture")"]
    }
}

// MARK: Bad files

extension DecoderConformance {
    private static let damageLimits = DecodingLimits(maximumPixelCount: 1 << 18)

    /// Each beginning of the file throws or gives a picture; the header never changes once there is one.
    private func prefixes() -> [String] {
        guard let header = try? decoder.header(of: unsafe file.span.bytes) else { return [] }
        var violations: Set<String> = []
        for count in stride(from: 0, to: file.count, by: max(1, file.count / (8 * tries))) {
            guard let early = try? decoder.header(of: (unsafe file.span.bytes).extracting(first: count)) else {
                continue
            }
            if early.size != header.size { violations.insert("a header cut short tells of another size") }
        }
        for count in stride(from: 0, to: file.count, by: max(1, file.count / tries)) {
            let prefix = Array(file[..<count])
            _ = try? decoder.metadata(of: unsafe prefix.span.bytes, DecodingLimits())
            _ = EncodedImage(prefix).flatMap { try? decoder.frames(in: $0, DecodingOptions()) }
            guard let image = try? decoder.decode(unsafe prefix.span.bytes, DecodingOptions()) else { continue }
            if count == 0 { violations.insert("no bytes at all give a picture") }
            if image.size != header.size, !isDrawing { violations.insert("a file cut short gives another size") }
        }
        return violations.sorted()
    }

    /// Only that nothing traps; seeded, so that it can be had again.
    private func damage() -> [String] {
        var random = SeededRandom(seed: UInt64(file.count))
        for _ in 0..<tries {
            var damaged = file
            for _ in 0..<3 {
                damaged[.random(in: 0..<file.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = try? decoder.header(of: unsafe damaged.span.bytes)
            _ = try? decoder.metadata(of: unsafe damaged.span.bytes, DecodingLimits())
            _ = try? decoder.decode(unsafe damaged.span.bytes, DecodingOptions(limits: Self.damageLimits))
            showFrames(of: damaged)
        }
        return []
    }

    private func showFrames(of file: [UInt8]) {
        let options = DecodingOptions(limits: Self.damageLimits)
        guard let data = EncodedImage(file), let frames = try? decoder.frames(in: data, options) else { return }
        for index in 0..<min(3, frames.frameCount) { _ = try? frames.frame(at: index) }
    }
}

// MARK: Arriving, moving, remembering

extension DecoderConformance {
    /// Bytes in pieces of random size give the picture that they give at once.
    private func arriving(_ image: DecodedImage) -> [String] {
        var random = SeededRandom(seed: 1)
        var violations: [String] = []
        for round in 1...3 {
            guard let arriving = decoder.makeProgressiveDecoder(DecodingOptions()) else { return [] }
            do {
                violations += try feed(arriving, piece: max(1, file.count / (4 * round)), &random)
                let final = try arriving.finish()
                if !final.bitmap.hasEqualPixels(to: image.bitmap) { violations.append("pieces give another picture") }
                if final.isPreview { violations.append("the final picture of pieces is marked as a preview") }
                if final.header != image.header { violations.append("pieces give another header") }
            } catch {
                violations.append("a file in pieces throws “\(error)”")
            }
        }
        return violations
    }

    private func feed(
        _ arriving: any ProgressiveDecoder, piece: Int, _ random: inout SeededRandom
    ) throws(DecodingError) -> [String] {
        var violations: [String] = []
        var count = 0
        while count < file.count {
            count = min(file.count, count + .random(in: 1...piece, using: &random))
            // A copy, so that the memory moves each time.
            let prefix = Array(file[..<count])
            try arriving.update(unsafe prefix.span.bytes, isComplete: count == file.count)
            if let preview = try arriving.preview(), !preview.isPreview { violations.append("a preview is not marked") }
        }
        return violations
    }

    /// Frames are the same in whatever order they are asked for, and the first is the picture.
    private func frames(_ header: ImageHeader, _ image: DecodedImage) -> [String] {
        guard let data = EncodedImage(file) else { return [] }
        do {
            guard let frames = try decoder.frames(in: data, DecodingOptions()) else {
                return header.isAnimated ? ["an animation has no frames"] : []
            }
            var violations = header.isAnimated ? [] : ["a still has frames"]
            if let count = header.frameCount, count != frames.frameCount {
                violations.append("there are \(frames.frameCount) frames, the header says \(count)")
            }
            if frames.size != header.size { violations.append("frames have another size than the header says") }
            return violations + (try order(of: frames, image))
        } catch {
            return ["the frames throw “\(error)”"]
        }
    }

    private func order(of frames: any FrameSource, _ image: DecodedImage) throws(DecodingError) -> [String] {
        let count = min(6, frames.frameCount)
        var violations: [String] = []
        var inOrder: [Bitmap] = []
        for index in 0..<count { inOrder.append(try frames.frame(at: index)) }
        if !inOrder[0].hasEqualPixels(to: image.bitmap) { violations.append("the first frame is not the picture") }
        for index in (0..<count).reversed() {
            let frame = try frames.frame(at: index)
            if frame.size != frames.size { violations.append("frame \(index) has another size") }
            if !frame.hasEqualPixels(to: inOrder[index]) { violations.append("frame \(index) depends on the order") }
        }
        return violations
    }

    /// Memory that grows with every round of decodings. Other tests of the process take and give memory meanwhile, so what
    /// looks like a leak must do so again and again.
    private func memory() -> [String] {
        let bytesADecoding = 2048
        for _ in 0..<4 where leastGrowth < bytesADecoding { return [] }
        return ["each decoding leaves more than \(bytesADecoding) bytes behind"]
    }

    /// Of several rounds the one in which memory grew least, in bytes a decoding. What the first rounds leave is kept for
    /// good reasons.
    private var leastGrowth: Int {
        let decodingCount = 25
        let growths = (0..<8).map { _ in
            let before = ResidentMemory.byteCount
            for _ in 0..<decodingCount {
                _ = try? decode()
                _ = try? decoder.header(of: unsafe file.span.bytes)
                _ = try? decoder.decode((unsafe file.span.bytes).extracting(first: file.count / 2), DecodingOptions())
            }
            return (ResidentMemory.byteCount - before) / decodingCount
        }
        return growths.dropFirst(2).min() ?? 0
    }
}

extension Bitmap {
    /// Whether size, layout and every pixel are the same.
    fileprivate func hasEqualPixels(to other: Bitmap) -> Bool {
        guard size == other.size, format == other.format, bytesPerRow == other.bytesPerRow else { return false }
        return unsafe withUnsafeBytes { left in
            unsafe other.withUnsafeBytes { right in unsafe left.elementsEqual(right) }
        }
    }
}
