#if WebP
    import BowerbirdCodecs
    import BowerbirdCore
    import Testing

    /// Frames of our own making.
    struct PaintedFilm: FrameSource {
        var pictures: [Bitmap]
        var delays: [Duration]
        var loopCount = LoopCount.forever

        var size: PixelSize { pictures[0].size }

        func frame(at index: Int) throws(DecodingError) -> Bitmap { pictures[index] }

        /// A square that moves over a ground, on which some pixels are transparent where `isOpaque` is false.
        static func square(
            frameCount: Int = 5, _ width: Int = 64, _ height: Int = 48, isOpaque: Bool = true
        ) throws -> PaintedFilm {
            let pictures = try (0..<frameCount).map { index in
                let ground = try makePicture(width, height, format: .rgba8Straight, isOpaque: isOpaque)
                guard var buffer = PixelBuffer(copying: ground) else { throw DecodingError.outOfMemory(ground.size) }
                for row in 4..<16 {
                    buffer.withRow(row) { bytes in
                        for byte in 4 * (index * 6)..<4 * (index * 6 + 12) {
                            bytes.storeBytes(of: byte % 4 == 3 ? 255 : 40, toByteOffset: byte, as: UInt8.self)
                        }
                    }
                }
                return buffer.freeze()
            }
            return PaintedFilm(pictures: pictures, delays: (0..<frameCount).map { .milliseconds(40 + 10 * $0) })
        }
    }

    func encode(_ film: PaintedFilm, with encoder: some ImageEncoder, isLossless: Bool = true) throws -> [UInt8] {
        var options = EncodingOptions()
        options.isLossless = isLossless
        return try encoder.encode(film, options).withUnsafeBytes { Array($0) }
    }

    func encodeLosslessly(
        _ bitmap: Bitmap, with encoder: some ImageEncoder, orientation: Orientation = .topLeft
    ) throws -> [UInt8] {
        var options = EncodingOptions()
        options.isLossless = true
        options.orientation = orientation
        return try encoder.encode(bitmap, options).withUnsafeBytes { Array($0) }
    }

    extension ImageDecoder {
        func frames(
            in bytes: [UInt8], _ options: DecodingOptions = DecodingOptions()
        ) throws -> (any FrameSource)? {
            try frames(in: #require(EncodedImage(bytes)), options)
        }
    }

    extension Bitmap {
        /// The largest difference of two bytes of two pictures of one size.
        func largestDifference(to other: Bitmap) throws -> Int {
            try #require(size == other.size && format == other.format)
            return withUnsafeBytes { left in
                other.withUnsafeBytes { right in
                    var largest = 0
                    for index in left.indices { largest = max(largest, abs(Int(left[index]) - Int(right[index]))) }
                    return largest
                }
            }
        }
    }

    /// As much of an ICC profile as is read without a library.
    func makeICCBeginning(_ colorSpace: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 132)
        bytes.replaceSubrange(16..<20, with: Array(colorSpace.utf8))
        bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
        return bytes
    }

    /// A WebP file of these chunks.
    func riff(_ chunks: [(name: String, content: [UInt8])]) -> [UInt8] {
        var body: [UInt8] = []
        for (name, content) in chunks {
            body += Array(name.utf8) + littleEndian(content.count, 4) + content
            if !content.count.isMultiple(of: 2) { body.append(0) }
        }
        return Array("RIFF".utf8) + littleEndian(body.count + 4, 4) + Array("WEBP".utf8) + body
    }

    private func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The chunk `VP8X`.
    func webPFeatures(_ flags: UInt8, _ width: Int, _ height: Int) -> (name: String, content: [UInt8]) {
        ("VP8X", [flags, 0, 0, 0] + littleEndian(width - 1, 3) + littleEndian(height - 1, 3))
    }
#endif
