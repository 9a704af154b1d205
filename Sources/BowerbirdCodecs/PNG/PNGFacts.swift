#if PNG
    package import BowerbirdCore

    /// What stands before the pixels of a file.
    package struct PNGFacts {
        let header: ImageHeader
        let layout: PNGLayout
        /// The chunks that decide what the pixels are.
        let palette: PNGChunk?
        let transparency: PNGChunk?
        /// The first chunk of pixels, of which nothing but its header need be there.
        let firstData: PNGChunk
        /// What it says of an animation.
        let animation: PNGAnimationControl?
        /// Whether the still picture is the first frame of an animation.
        let beginsWithFrame: Bool

        /// Throws `.truncated` where more bytes are needed.
        package init(of bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) {
            try PNGChunks.checkSignature(of: bytes)
            var chunks = PNGChunks()
            let layout = try Self.layout(of: chunks.next(in: bytes), in: bytes)
            var beginning = Beginning(layout)
            while true {
                guard let chunk = try chunks.next(in: bytes) else { throw .truncated(atByte: bytes.byteCount) }
                if chunk.type == .imageData {
                    firstData = chunk
                    break
                }
                guard chunk.type != .end else { throw .corrupt("there are no pixels") }
                guard chunk.isComplete(in: bytes) else { throw .truncated(atByte: bytes.byteCount) }
                try beginning.take(chunk, in: bytes, limits)
            }
            self.layout = layout
            header = beginning.header
            palette = beginning.palette
            transparency = beginning.transparency
            animation = beginning.animation
            beginsWithFrame = beginning.hasFrame
        }

        private static func layout(of chunk: PNGChunk?, in bytes: RawSpan) throws(DecodingError) -> PNGLayout {
            guard let chunk else { throw .truncated(atByte: bytes.byteCount) }
            guard chunk.type == .header else { throw .corrupt("it does not begin with IHDR") }
            guard chunk.isComplete(in: bytes) else { throw .truncated(atByte: bytes.byteCount) }
            guard chunk.isSound(in: bytes) else { throw .corrupt("IHDR: CRC error") }
            return try PNGLayout(bytes.extracting(chunk.data))
        }
    }

    /// What the chunks before the pixels say. Of several of a kind the first counts; none of those beside the picture
    /// counts whose checksum is wrong.
    private struct Beginning {
        private let layout: PNGLayout
        private(set) var palette: PNGChunk?
        private(set) var transparency: PNGChunk?
        private(set) var animation: PNGAnimationControl?
        private(set) var hasFrame = false
        private var orientation: Orientation?
        private var iccProfile: ColorProfile?
        private var codingPoints: ColorProfile?
        private var isSRGB = false

        init(_ layout: PNGLayout) { self.layout = layout }

        mutating func take(_ chunk: PNGChunk, in bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) {
            let data = bytes.extracting(chunk.data)
            switch chunk.type {
            case .palette where palette == nil: palette = chunk
            case .transparency where transparency == nil && fits(chunk) && chunk.isSound(in: bytes):
                transparency = chunk
            case .frame: hasFrame = true
            case .exif where orientation == nil && chunk.isSound(in: bytes):
                orientation = ExifReader.orientation(in: data)
            case .iccProfile where iccProfile == nil && chunk.isSound(in: bytes):
                iccProfile = try PNGProfile.profile(in: data, of: layout, limits)
            case .codingPoints where codingPoints == nil && chunk.isSound(in: bytes):
                codingPoints = PNGProfile.codingPoints(in: data)
            case .sRGB where chunk.isSound(in: bytes): isSRGB = true
            case .animation where animation == nil && chunk.isSound(in: bytes): animation = PNGAnimationControl(data)
            default: break
            }
        }

        /// Whether a `tRNS` chunk has as much as such pixels need; one that has not is ignored.
        private func fits(_ chunk: PNGChunk) -> Bool {
            switch layout.colors {
            case .gray: chunk.dataCount == 2
            case .rgb: chunk.dataCount == 6
            case .palette: chunk.dataCount >= 1 && chunk.dataCount <= paletteCount
            case .grayAlpha, .rgba: false
            }
        }

        /// Entries of the palette that pixels can name.
        private var paletteCount: Int { min(1 << layout.bitDepth, (palette?.dataCount ?? 0) / 3) }

        var header: ImageHeader {
            let isAnimated = (animation?.frameCount ?? 1) > 1
            return ImageHeader(
                format: .png, storedSize: layout.size, orientation: orientation ?? .topLeft,
                hasAlpha: layout.colors.hasAlpha || transparency != nil,
                bitsPerComponent: layout.colors == .palette ? 8 : layout.bitDepth, isProgressive: layout.isInterlaced,
                profile: codingPoints ?? iccProfile ?? (isSRGB ? .sRGB : .unspecified),
                frameCount: animation?.frameCount ?? 1, loopCount: isAnimated ? animation?.loopCount : nil,
                isAnimated: isAnimated)
        }
    }
#endif
