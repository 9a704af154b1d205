import BowerbirdCore

/// The header of a device-independent bitmap: all of a BMP file but its first 14 bytes, and one picture of an icon.
struct DIBHeader {
    let size: PixelSize
    /// Whether the first stored row is that at the top; the others are stored upside down.
    let isTopDown: Bool
    let coding: Coding
    /// Of an icon without alpha the one that its mask gives is not meant.
    let hasAlpha: Bool
    let palette: Palette
    /// Where the pixels begin, counted from the first byte of the file.
    let pixelOffset: Int
    let profile: ColorProfile
    let density: ImageMetadata.Density?

    enum Coding {
        /// 1, 2, 4 or 8 bits a pixel.
        case indices(bits: Int)
        /// 16, 24 or 32 bits a pixel.
        case colors(bits: Int, ChannelMasks)
        /// 4, 8 or 24 bits a pixel.
        case runs(bits: Int)
    }

    /// Where the colours are that indices choose from.
    struct Palette {
        var start: Int
        /// 3 or 4: blue, green, red, and a byte without meaning.
        var bytesPerColor: Int
        var count: Int
    }

    /// What the bitmap is a part of.
    enum Container: Equatable {
        /// The pixels begin where the file says.
        case file(pixelOffset: Int)
        /// The pixels follow at once; a mask of as many rows comes behind them, and the height counts both.
        case icon
    }

    static let fileHeaderByteCount = 14
    private static let knownByteCounts: Set = [12, 16, 40, 52, 56, 64, 108, 124]

    /// Reads the header that begins at `start`; `.truncated` where the bytes end in it.
    init(_ bytes: RawSpan, at start: Int, in container: Container) throws(DecodingError) {
        let byteCount = try bytes.required32(at: start)
        guard Self.knownByteCounts.contains(byteCount) else {
            throw .corrupt("a header of \(byteCount) bytes is none that bitmaps have")
        }
        guard byteCount <= bytes.byteCount - start else { throw .truncated(atByte: bytes.byteCount) }
        let fields = try Fields(bytes, at: start, byteCount)
        coding = try fields.coding(in: container)
        isTopDown = fields.height < 0
        let height = abs(fields.height)
        size = PixelSize(width: fields.width, height: container == .icon ? height / 2 : height)
        if case .colors(_, let masks) = coding { hasAlpha = masks.hasAlpha } else { hasAlpha = false }
        palette = fields.palette(before: container.pixelOffset)
        pixelOffset = container.pixelOffset.flatMap { [palette] in $0 >= palette.start ? $0 : nil } ?? palette.end
        profile = Self.profile(bytes, at: start, byteCount)
        density = fields.density
    }

    /// Of the newest headers only. A profile that lies in another file is not looked for.
    private static func profile(_ bytes: RawSpan, at start: Int, _ byteCount: Int) -> ColorProfile {
        guard byteCount >= 108, let kind = bytes.littleEndian32(at: start + 56) else { return .unspecified }
        switch kind {
        case 0x7352_4742, 0x5769_6E20: return .sRGB  // “sRGB” and “Win ”
        case 0x4D42_4544 where byteCount >= 124: return embeddedProfile(bytes, at: start) ?? .unspecified  // “MBED”
        default: return .unspecified
        }
    }

    private static func embeddedProfile(_ bytes: RawSpan, at start: Int) -> ColorProfile? {
        guard let offset = bytes.littleEndian32(at: start + 112), let count = bytes.littleEndian32(at: start + 116),
            count > 0, start + Int(offset) + Int(count) <= bytes.byteCount
        else { return nil }
        let profile = bytes.extracting(start + Int(offset)..<start + Int(offset) + Int(count))
        return .icc(ICCProfile(bytes: profile.withUnsafeBytes { Array($0) }))
    }
}

extension DIBHeader.Container {
    fileprivate var pixelOffset: Int? { if case .file(let offset) = self { offset } else { nil } }
}

/// The numbers of a header, before anything is made of them.
private struct Fields {
    let byteCount: Int
    let width: Int
    let height: Int
    let bits: Int
    var compression = 0
    var usedColorCount = 0
    var density: ImageMetadata.Density?
    private let start: Int
    private var masks: [UInt32] = []

    init(_ bytes: RawSpan, at start: Int, _ byteCount: Int) throws(DecodingError) {
        self.byteCount = byteCount
        self.start = start
        if byteCount == 12 {
            width = try bytes.required16(at: start + 4)
            height = try bytes.required16(at: start + 6)
            bits = try bytes.required16(at: start + 10)
            return
        }
        width = try bytes.requiredSigned32(at: start + 4)
        height = try bytes.requiredSigned32(at: start + 8)
        bits = try bytes.required16(at: start + 14)
        guard byteCount > 16 else { return }
        compression = try bytes.required32(at: start + 16)
        usedColorCount = try bytes.required32(at: start + 32)
        density = Self.density(try bytes.requiredSigned32(at: start + 24), try bytes.requiredSigned32(at: start + 28))
        for index in 0..<maskCount { masks.append(UInt32(try bytes.required32(at: start + 40 + 4 * index))) }
    }

    /// The file counts dots a metre.
    private static func density(_ horizontal: Int, _ vertical: Int) -> ImageMetadata.Density? {
        guard horizontal > 0, vertical > 0 else { return nil }
        return ImageMetadata.Density(horizontal: Double(horizontal) * 0.0254, vertical: Double(vertical) * 0.0254)
    }

    private var isOS2: Bool { [12, 16, 64].contains(byteCount) }
    private var hasMasks: Bool { !isOS2 && (compression == 3 || compression == 6) }

    /// Those behind or in the header, whether they count or not.
    private var maskCount: Int {
        switch byteCount {
        case 40: hasMasks ? (compression == 6 ? 4 : 3) : 0
        case 52: 3
        case 56, 108, 124: 4
        default: 0
        }
    }

    func coding(in container: DIBHeader.Container) throws(DecodingError) -> DIBHeader.Coding {
        switch (compression, bits) {
        case (0, 1), (0, 2), (0, 4), (0, 8): .indices(bits: bits)
        case (0, 16), (0, 24), (0, 32): .colors(bits: bits, plainMasks(in: container))
        case (1, 8): .runs(bits: 8)
        case (2, 4): .runs(bits: 4)
        case (_, 16) where hasMasks, (_, 32) where hasMasks: .colors(bits: bits, ChannelMasks(masks))
        case (4, 24) where isOS2: .runs(bits: 24)
        default: throw unknownCoding
        }
    }

    /// Without compression alpha has no place, but in icons, and where one of the newest headers says so.
    private func plainMasks(in container: DIBHeader.Container) -> ChannelMasks {
        if bits == 16 { return ChannelMasks([0x7C00, 0x3E0, 0x1F]) }
        let isDeclared = byteCount >= 108 && masks.last == 0xFF00_0000
        let hasAlpha = bits == 32 && (container == .icon || isDeclared)
        return ChannelMasks([0xFF_0000, 0xFF00, 0xFF, hasAlpha ? 0xFF00_0000 : 0])
    }

    private var unknownCoding: DecodingError {
        if !isOS2, compression == 4 { return .corrupt("a JPEG file inside a BMP file is for printers only") }
        if !isOS2, compression == 5 { return .corrupt("a PNG file inside a BMP file is for printers only") }
        return .corrupt("\(bits) bits a pixel with compression \(compression) are none that bitmaps have")
    }

    /// As many colours as fit between the header and the pixels; the ones that are missing are black.
    func palette(before pixelOffset: Int?) -> DIBHeader.Palette {
        let behindHeader = byteCount == 40 ? 4 * maskCount : 0
        var palette = DIBHeader.Palette(
            start: start + byteCount + behindHeader, bytesPerColor: byteCount == 12 ? 3 : 4, count: 0)
        guard bits <= 8 else { return palette }
        palette.count = usedColorCount == 0 ? 1 << bits : min(usedColorCount, 1 << bits)
        if let pixelOffset, pixelOffset > palette.start {
            palette.count = min(palette.count, (pixelOffset - palette.start) / palette.bytesPerColor)
        }
        return palette
    }
}

extension DIBHeader.Palette {
    /// Where the colours end.
    var end: Int { start + bytesPerColor * count }

    /// 256 colours, whatever the file has: an index that it has no colour for is black.
    func colors(in bytes: RawSpan, _ packing: PackedPixel) -> [UInt32] {
        (0..<256).map { index in
            let offset = start + bytesPerColor * index
            guard index < count, let blue = bytes.byte(at: offset), let green = bytes.byte(at: offset + 1),
                let red = bytes.byte(at: offset + 2)
            else { return packing.pack(0, 0, 0) }
            return packing.pack(red, green, blue)
        }
    }
}
