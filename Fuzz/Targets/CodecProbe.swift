import BowerbirdCore

/// Everything that a decoder can be asked of one file. Pixels must not depend on how they are asked for.
struct CodecProbe<Decoder: ImageDecoder> {
    private let decoder: Decoder
    private let limits: DecodingLimits

    init(_ decoder: Decoder, _ limits: DecodingLimits) {
        self.decoder = decoder
        self.limits = limits
    }

    func check(_ bytes: RawSpan) {
        _ = try? decoder.header(of: bytes)
        _ = try? decoder.metadata(of: bytes, limits)
        for pixels in [DecodingOptions.Pixels.exact, .display] {
            let options = DecodingOptions(pixels: pixels, limits: limits)
            checkArrival(bytes, options, whole: try? decoder.decode(bytes, options).bitmap)
            checkFrames(bytes, options)
        }
        let small = PixelSize(width: 9, height: 7)
        _ = try? decoder.decode(bytes, DecodingOptions(targetSize: small, scaleMode: .exact, limits: limits))
    }

    /// A file that arrives in parts ends as the picture that it is when it comes at once.
    private func checkArrival(_ bytes: RawSpan, _ options: DecodingOptions, whole: Bitmap?) {
        guard let arriving = decoder.makeProgressiveDecoder(options) else { return }
        let end = try? finish(arriving, bytes)
        expect(end.hasPixels(of: whole), "a file that arrives in parts is another picture")
    }

    private func finish(_ arriving: any ProgressiveDecoder, _ bytes: RawSpan) throws -> Bitmap {
        for part in 1...3 {
            try arriving.update(bytes.extracting(first: bytes.byteCount * part / 3), isComplete: part == 3)
            _ = try arriving.preview()
            // More frames than the limit allows are no reason to show no picture.
            _ = try? arriving.frames()
        }
        return try arriving.finish().bitmap
    }

    /// Frames are the same in order and backwards.
    private func checkFrames(_ bytes: RawSpan, _ options: DecodingOptions) {
        guard let file = bytes.withUnsafeBytes({ EncodedImage($0) }) else { return }
        guard let frames = (try? decoder.frames(in: file, options)) ?? nil else { return }
        let numbers = 0..<min(6, frames.frameCount)
        let ahead = numbers.map { try? frames.frame(at: $0) }
        for number in numbers.reversed() {
            let again = try? frames.frame(at: number)
            expect(again.hasPixels(of: ahead[number]), "frame \(number) depends on what was asked before")
        }
    }
}

/// Stops the fuzzer, which keeps the bytes.
func expect(_ condition: Bool, _ complaint: @autoclosure () -> String) {
    if !condition { fatalError(complaint()) }
}

extension Bitmap? {
    /// Whether both are nothing, or the same pixels.
    func hasPixels(of other: Bitmap?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        guard self.size == other.size, self.format == other.format else { return false }
        let count = self.size.width * self.format.bytesPerPixel
        return (0..<self.size.height).allSatisfy { row in
            self.withRow(row) { ours in
                other.withRow(row) { theirs in ours.hasBytes(of: theirs, first: count) }
            }
        }
    }
}

extension RawSpan {
    fileprivate func hasBytes(of other: RawSpan, first count: Int) -> Bool {
        withUnsafeBytes { ours in
            other.withUnsafeBytes { theirs in ours.prefix(count).elementsEqual(theirs.prefix(count)) }
        }
    }
}
