import BowerbirdCore

/// The bytes of a GIF file, block by block.
struct GIFWriter {
    private var bytes = Array("GIF89a".utf8)

    /// - Parameter loopCount: Nil for a still.
    mutating func writeBeginning(
        _ size: PixelSize, _ palette: GIFPalette, _ loopCount: LoopCount?, _ options: EncodingOptions
    ) {
        write16(size.width)
        write16(size.height)
        bytes += [0xF0 | Self.sizeField(palette), 0, 0]
        write(palette)
        // A file without a word of it is played once.
        if let loopCount, loopCount != .times(1) { write(loopCount) }
        write(options.profile)
        if let metadata = options.metadata { write(metadata) }
    }

    mutating func write(
        _ picture: IndexedPicture, _ rect: PixelRect, _ control: GIFControl, hasOwnPalette: Bool, isInterlaced: Bool
    ) {
        var control = control
        control.transparentIndex = picture.hasTransparency ? picture.palette.transparentIndex : nil
        if control != GIFControl() { write(control) }
        bytes.append(0x2C)
        for number in [rect.x, rect.y, rect.size.width, rect.size.height] { write16(number) }
        let sizeField = Self.sizeField(picture.palette)
        bytes.append((hasOwnPalette ? 0x80 | sizeField : 0) | (isInterlaced ? 0x40 : 0))
        if hasOwnPalette { write(picture.palette) }
        bytes += LZWEncoder.encode(picture.indices, minimumCodeSize: max(2, Int(sizeField) + 1))
    }

    /// The file, which is complete with it.
    func file() throws(EncodingError) -> EncodedImage {
        guard let file = EncodedImage(bytes + [0x3B]) else { throw .outOfMemory }
        return file
    }

    // MARK: Blocks

    private mutating func write16(_ number: Int) {
        bytes += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }

    /// A palette has 2, 4, and so on to 256 colours; the field is the power of two, less one.
    private static func sizeField(_ palette: GIFPalette) -> UInt8 {
        UInt8((0..<8).first { palette.colors.count <= 2 << $0 } ?? 7)
    }

    private mutating func write(_ palette: GIFPalette) {
        let count = 2 << Int(Self.sizeField(palette))
        for color in palette.colors + Array(repeating: 0, count: count - palette.colors.count) {
            bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: color >> UInt32($0)) }
        }
    }

    private mutating func write(_ control: GIFControl) {
        let disposal: UInt8 =
            switch control.disposal {
            case .keep: 1
            case .clear: 2
            case .restore: 3
            }
        bytes += [0x21, 0xF9, 4, disposal << 2 | (control.transparentIndex == nil ? 0 : 1)]
        write16(Int(control.delay / .milliseconds(10)))
        bytes += [control.transparentIndex ?? 0, 0]
    }

    private mutating func write(_ loopCount: LoopCount) {
        bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
        write16(min(loopCount.zeroIsForever, Int(UInt16.max)))
        bytes.append(0)
    }

    private mutating func write(_ profile: ColorProfile) {
        guard case .icc(let icc) = profile, icc.colorSpace == .rgb else { return }
        bytes += [0x21, 0xFF, 11] + Array("ICCRGBG1012".utf8)
        writeSubBlocks(icc.bytes)
    }

    private mutating func write(_ metadata: ImageMetadata) {
        for text in metadata.texts where !text.text.isEmpty {
            bytes += [0x21, 0xFE]
            writeSubBlocks(Array((text.keyword == "Comment" ? text.text : "\(text.keyword): \(text.text)").utf8))
        }
        guard let xmp = metadata.xmp, !xmp.contains(0) else { return }
        bytes += [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + xmp + GIFExtras.trailer + [0]
    }

    private mutating func writeSubBlocks(_ data: [UInt8]) {
        for start in stride(from: 0, to: data.count, by: 255) {
            let block = data[start..<min(start + 255, data.count)]
            bytes.append(UInt8(block.count))
            bytes += block
        }
        bytes.append(0)
    }
}
