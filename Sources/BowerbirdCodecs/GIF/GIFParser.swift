import BowerbirdCore

/// Finds what is where in a GIF file, without unpacking pixels; goes on where it stopped when more bytes have come.
struct GIFParser {
    private(set) var frames: [GIFFrame] = []
    /// Of the file, for frames without one of their own.
    private(set) var palette: Range<Int>?
    /// What is wrong behind the last frame.
    private(set) var damage: ImageWarning?
    /// Whether nothing that comes can make a difference.
    var hasEnded: Bool { stage == .ended }

    /// Of the next byte to look at.
    private var position = 0
    private var stage = Stage.screen
    private var screen = PixelSize(width: 0, height: 0)
    private var control = GIFControl()
    private var loopCount: LoopCount?
    private var extras: GIFExtras
    private let maximumFrameCount: Int

    private enum Stage: Hashable {
        case screen, blocks, frameData, ended
        case controlExtension, loopExtension, otherExtension
        /// One whose name has not been read.
        case application
        case extra(GIFExtras.Kind)
    }

    /// - Parameter keepsTexts: Whether comments and XMP are collected beside the colour profile.
    init(_ limits: DecodingLimits, maximumFrameCount: Int? = nil, keepsTexts: Bool = false) {
        self.maximumFrameCount = maximumFrameCount ?? limits.maximumFrameCount
        extras = GIFExtras(limits, keepsTexts: keepsTexts)
    }

    /// Goes on as far as `bytes` go, which begin where they always began.
    mutating func parse(_ bytes: RawSpan) throws(DecodingError) {
        while try step(bytes) {}
    }

    /// False when it takes more bytes, or when nothing is left.
    private mutating func step(_ bytes: RawSpan) throws(DecodingError) -> Bool {
        switch stage {
        case .screen: try readScreen(bytes)
        case .blocks: try readBlockStart(bytes)
        case .ended: false
        default: try readSubBlock(bytes)
        }
    }
}

// MARK: What the file says

extension GIFParser {
    /// The frames whose data have wholly come.
    var completeFrames: ArraySlice<GIFFrame> {
        frames.last?.dataEnd == nil ? frames.dropLast() : frames[...]
    }

    /// The size of the canvas; where the file has none, what the first frame takes. Nil until it is known.
    var canvas: PixelSize? {
        guard let first = frames.first else { return nil }
        return screen.isEmpty ? Self.extent(of: first.rect) : screen
    }

    private static func extent(of rect: PixelRect) -> PixelSize {
        PixelSize(width: rect.x + rect.size.width, height: rect.y + rect.size.height)
    }

    /// A file without a word of it is played once.
    var playCount: LoopCount { loopCount ?? .times(1) }

    var metadata: ImageMetadata { extras.metadata }

    /// - Parameter isComplete: Whether no more bytes come.
    func header(of bytes: RawSpan, isComplete: Bool) throws(DecodingError) -> ImageHeader {
        guard let canvas, let first = frames.first else { throw failure(of: bytes) }
        let isKnown = hasEnded || isComplete
        let frameCount = max(1, completeFrames.count)
        let isAnimated = isKnown ? frameCount > 1 : frames.count > 1 || loopCount != nil
        return ImageHeader(
            format: .gif, storedSize: canvas, hasAlpha: hasAlpha(first, canvas), isProgressive: first.isInterlaced,
            profile: extras.profile, frameCount: isKnown ? frameCount : nil,
            loopCount: isAnimated ? isKnown ? playCount : loopCount : nil, isAnimated: isAnimated)
    }

    /// Why there is no picture.
    private func failure(of bytes: RawSpan) -> DecodingError {
        if bytes.isEmpty { return .empty }
        return hasEnded ? .corrupt("it has no picture") : .truncated(atByte: bytes.byteCount)
    }

    /// Whether the first frame leaves something free, or a later one finds the canvas empty.
    private func hasAlpha(_ first: GIFFrame, _ canvas: PixelSize) -> Bool {
        if first.hasAlpha || !first.rect.contains(PixelRect(canvas)) { return true }
        guard frames.count > 1 else { return false }
        return first.control.disposal == .restore || frames.dropLast().contains { $0.control.disposal == .clear }
    }
}

// MARK: Reading

extension GIFParser {
    private mutating func readScreen(_ bytes: RawSpan) throws(DecodingError) -> Bool {
        try checkSignature(bytes)
        guard let width = bytes.littleEndian16(at: 6), let height = bytes.littleEndian16(at: 8),
            let flags = bytes.byte(at: 10), bytes.byteCount >= 13 + Self.paletteByteCount(flags)
        else { return false }
        screen = PixelSize(width: Int(width), height: Int(height))
        position = 13
        palette = takePalette(flags)
        stage = .blocks
        return true
    }

    private func checkSignature(_ bytes: RawSpan) throws(DecodingError) {
        if bytes.matches("GIF87a") || bytes.matches("GIF89a") { return }
        let signatures = ["GIF87a", "GIF89a"].map { Array($0.utf8) }
        let isBeginning = signatures.contains { signature in
            (0..<min(6, bytes.byteCount)).allSatisfy { bytes.byte(at: $0) == signature[$0] }
        }
        guard isBeginning else { throw .unrecognized(bytes) }
    }

    private static func paletteByteCount(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    private mutating func takePalette(_ flags: UInt8) -> Range<Int>? {
        let count = Self.paletteByteCount(flags)
        guard count > 0 else { return nil }
        defer { position += count }
        return position..<position + count
    }

    private mutating func readBlockStart(_ bytes: RawSpan) throws(DecodingError) -> Bool {
        switch bytes.byte(at: position) {
        case nil: return false
        case 0x21: return beginExtension(bytes)
        case 0x2C: return try readDescriptor(bytes)
        case 0x3B: stage = .ended
        // One block end too many is what some writers leave.
        case 0: position += 1
        case let byte?: endAtDamage("0x\(String(byte, radix: 16)) begins no block")
        }
        return true
    }

    private mutating func endAtDamage(_ reason: String) {
        damage = .corrupt(reason)
        stage = .ended
    }

    private mutating func readDescriptor(_ bytes: RawSpan) throws(DecodingError) -> Bool {
        let start = position + 1
        guard let x = bytes.littleEndian16(at: start), let y = bytes.littleEndian16(at: start + 2),
            let width = bytes.littleEndian16(at: start + 4), let height = bytes.littleEndian16(at: start + 6),
            let flags = bytes.byte(at: start + 8),
            let minimumCodeSize = bytes.byte(at: start + 9 + Self.paletteByteCount(flags))
        else { return false }
        guard frames.count < maximumFrameCount else { throw .tooManyFrames(maximum: maximumFrameCount) }
        position = start + 9
        let palette = takePalette(flags)
        position += 1
        // Without a size a frame has that of the canvas, as in browsers.
        let size = PixelSize(width: Int(width), height: Int(height))
        frames.append(
            GIFFrame(
                rect: PixelRect(x: Int(x), y: Int(y), size: size.isEmpty ? canvas ?? screen : size), palette: palette,
                isInterlaced: flags & 0x40 != 0, control: control, minimumCodeSize: Int(minimumCodeSize),
                dataStart: position))
        control = GIFControl()
        stage = .frameData
        return true
    }

    private mutating func beginExtension(_ bytes: RawSpan) -> Bool {
        guard let label = bytes.byte(at: position + 1) else { return false }
        position += 2
        stage =
            switch label {
            case 0xF9: .controlExtension
            case 0xFE: .extra(.comment)
            case 0xFF: .application
            default: .otherExtension
            }
        return true
    }

    private mutating func readSubBlock(_ bytes: RawSpan) throws(DecodingError) -> Bool {
        guard let count = bytes.byte(at: position), position + Int(count) < bytes.byteCount else { return false }
        let block = bytes.extracting(position + 1..<position + 1 + Int(count))
        position += 1 + Int(count)
        if count == 0 { endSubBlocks() } else { try read(block) }
        return true
    }

    private mutating func endSubBlocks() {
        if stage == .frameData { frames[frames.count - 1].dataEnd = position }
        if case .extra(let kind) = stage { extras.end(kind) }
        stage = .blocks
    }

    private mutating func read(_ block: RawSpan) throws(DecodingError) {
        switch stage {
        case .controlExtension: readControl(block)
        case .application: beginApplication(block)
        case .loopExtension: readLoopCount(block)
        case .extra(let kind): try extras.add(block, to: kind)
        default: break
        }
    }

    private mutating func readControl(_ block: RawSpan) {
        guard let flags = block.byte(at: 0), let delay = block.littleEndian16(at: 1), let index = block.byte(at: 3)
        else { return }
        control = GIFControl(flags, delay: delay, index: index)
        stage = .otherExtension
    }

    private mutating func beginApplication(_ name: RawSpan) {
        stage =
            if name.matches("NETSCAPE2.0") || name.matches("ANIMEXTS1.0") {
                .loopExtension
            } else if name.matches("ICCRGBG1012") {
                .extra(.profile)
            } else if name.matches("XMP DataXMP") {
                .extra(.xmp)
            } else {
                .otherExtension
            }
    }

    private mutating func readLoopCount(_ block: RawSpan) {
        guard let kind = block.byte(at: 0), kind & 7 == 1, let count = block.littleEndian16(at: 1) else { return }
        loopCount = LoopCount(zeroIsForever: Int(count))
    }
}
