#if JXL
    import BowerbirdCodecs
    import BowerbirdCore
    import Testing

    /// A lossless file, with what else `change` says.
    func losslessJXL(_ bitmap: Bitmap, _ change: (inout EncodingOptions) -> Void = { _ in }) throws -> [UInt8] {
        var options = EncodingOptions()
        options.isLossless = true
        options.effort = 0.2
        change(&options)
        return try JXLEncoder().encode(bitmap, options).withUnsafeBytes { Array($0) }
    }

    func jxlFrames(in bytes: [UInt8], _ options: DecodingOptions) throws -> (any FrameSource)? {
        let file = try #require(EncodedImage(bytes))
        return try JXLDecoder().frames(in: file, options)
    }

    /// Frames of our own making: a square that moves over a ground.
    struct MovingSquare: FrameSource {
        var pictures: [Bitmap]
        let delays: [Duration]
        var loopCount = LoopCount.forever

        var size: PixelSize { pictures[0].size }

        init(frameCount: Int, isOpaque: Bool = true) throws {
            pictures = try (0..<frameCount).map { index in
                let ground = try makePicture(64, 48, format: .rgba8Straight, isOpaque: isOpaque)
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
            delays = (0..<frameCount).map { .milliseconds(40 + 10 * $0) }
        }

        func frame(at index: Int) throws(DecodingError) -> Bitmap { pictures[index] }

        func jxl(_ change: (inout EncodingOptions) -> Void = { _ in }) throws -> [UInt8] {
            var options = EncodingOptions()
            options.isLossless = true
            options.effort = 0.2
            change(&options)
            return try JXLEncoder().encode(self, options).withUnsafeBytes { Array($0) }
        }
    }

    extension Bitmap {
        func largestByteDifference(to other: Bitmap) throws -> Int {
            try #require(size == other.size && format == other.format)
            return zip(bytes, other.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
        }
    }
#endif
