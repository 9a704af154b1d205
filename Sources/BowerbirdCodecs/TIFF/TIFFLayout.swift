#if TIFF
    import BowerbirdCore
    import CTIFF

    /// How the pixels of a page are stored, as far as we read them ourselves.
    struct TIFFLayout {
        let size: PixelSize
        let kind: Kind
        let bits: Int
        let numbers: Numbers
        let samplesPerPixel: Int
        /// Each component in rows of its own.
        let isPlanar: Bool
        let alpha: Alpha
        /// Which of a pixel's samples is alpha.
        let alphaIndex: Int?
        /// Nil for strips.
        let tile: PixelSize?
        let rowsPerStrip: Int

        enum Kind: Equatable {
            case gray(isInverted: Bool)
            case palette
            case rgb
            case cmyk
            /// What libtiff turns into colours itself: YCbCr, Lab, and everything uncommon.
            case other
        }

        enum Numbers { case unsigned, signed, float }
        enum Alpha { case none, straight, premultiplied }

        /// Whether there is more in the file than 8 bits show.
        var isDeep: Bool { bits > 8 && (kind == .rgb || isGray) }

        var isGray: Bool { if case .gray = kind { true } else { false } }

        /// The samples of a pixel that are looked at.
        var usedSamples: [Int] { Array(0..<kind.colorCount) + (alphaIndex.map { [$0] } ?? []) }
    }

    extension TIFFLayout.Kind {
        /// Of a pixel, without alpha.
        var colorCount: Int {
            switch self {
            case .gray, .palette: 1
            case .rgb: 3
            case .cmyk: 4
            case .other: 0
            }
        }
    }

    extension TIFFLayout {
        private static let mostSamples = 64

        init(_ file: UnsafeMutablePointer<BBTIFFFile>, saysExtraSamples: Bool) {
            size = PixelSize(
                width: Int(bb_tiff_get32(file, UInt32(TIFFTAG_IMAGEWIDTH), 0)),
                height: Int(bb_tiff_get32(file, UInt32(TIFFTAG_IMAGELENGTH), 0)))
            bits = Int(bb_tiff_get16(file, UInt32(TIFFTAG_BITSPERSAMPLE), 1))
            samplesPerPixel = Int(bb_tiff_get16(file, UInt32(TIFFTAG_SAMPLESPERPIXEL), 1))
            isPlanar = bb_tiff_get16(file, UInt32(TIFFTAG_PLANARCONFIG), 1) == UInt16(PLANARCONFIG_SEPARATE)
            numbers = Self.numbers(file)
            tile = TIFFIsTiled(file.pointee.tiff) == 0 ? nil : Self.tile(file)
            rowsPerStrip = min(max(1, Int(bb_tiff_get32(file, UInt32(TIFFTAG_ROWSPERSTRIP), 1))), max(1, size.height))
            let kind = Self.kind(file, bits)
            let isReadable = Self.isReadable(kind, bits, numbers)
            let isWhole = samplesPerPixel >= kind.colorCount && samplesPerPixel <= Self.mostSamples
            self.kind = isReadable && isWhole ? kind : .other
            (alpha, alphaIndex) =
                saysExtraSamples
                ? Self.alpha(file, kind, samplesPerPixel) : Self.unsaidAlpha(kind, samplesPerPixel)
        }

        private static func numbers(_ file: UnsafeMutablePointer<BBTIFFFile>) -> Numbers {
            switch Int32(bb_tiff_get16(file, UInt32(TIFFTAG_SAMPLEFORMAT), 1)) {
            case SAMPLEFORMAT_INT: .signed
            case SAMPLEFORMAT_IEEEFP: .float
            default: .unsigned
            }
        }

        private static func tile(_ file: UnsafeMutablePointer<BBTIFFFile>) -> PixelSize {
            PixelSize(
                width: Int(bb_tiff_get32(file, UInt32(TIFFTAG_TILEWIDTH), 0)),
                height: Int(bb_tiff_get32(file, UInt32(TIFFTAG_TILELENGTH), 0)))
        }

        private static func kind(_ file: UnsafeMutablePointer<BBTIFFFile>, _ bits: Int) -> Kind {
            let compression = Int32(bb_tiff_get16(file, UInt32(TIFFTAG_COMPRESSION), 1))
            guard compression != COMPRESSION_OJPEG else { return .other }
            switch Int32(bb_tiff_get16(file, UInt32(TIFFTAG_PHOTOMETRIC), .max)) {
            case PHOTOMETRIC_MINISWHITE: return .gray(isInverted: true)
            case PHOTOMETRIC_MINISBLACK: return .gray(isInverted: false)
            case PHOTOMETRIC_RGB: return .rgb
            case PHOTOMETRIC_PALETTE: return .palette
            case PHOTOMETRIC_SEPARATED: return .cmyk
            case PHOTOMETRIC_YCBCR where compression == COMPRESSION_JPEG:
                bb_tiff_ask_for_rgb(file)
                return .rgb
            default: return .other
            }
        }

        private static func isReadable(_ kind: Kind, _ bits: Int, _ numbers: Numbers) -> Bool {
            switch numbers {
            case .float: (bits == 32 || bits == 64) && kind != .palette && kind != .cmyk
            case .unsigned: kind == .palette ? (1...8).contains(bits) : (1...16).contains(bits) || bits == 32
            case .signed: kind != .palette && [8, 16, 32].contains(bits)
            }
        }

        /// Colours with one sample more than they need have alpha even where the file does not say what it is.
        private static func unsaidAlpha(_ kind: Kind, _ samplesPerPixel: Int) -> (Alpha, Int?) {
            kind == .rgb && samplesPerPixel == 4 ? (.straight, 3) : (.none, nil)
        }

        private static func alpha(
            _ file: UnsafeMutablePointer<BBTIFFFile>, _ kind: Kind, _ samplesPerPixel: Int
        ) -> (Alpha, Int?) {
            guard kind != .other, kind != .cmyk, kind != .palette else { return (.none, nil) }
            var count: UInt16 = 0
            guard let kinds = bb_tiff_get_extra_samples(file, &count) else { return (.none, nil) }
            for index in 0..<Int(count) where kind.colorCount + index < samplesPerPixel {
                switch Int32(kinds[index]) {
                case EXTRASAMPLE_ASSOCALPHA: return (.premultiplied, kind.colorCount + index)
                case EXTRASAMPLE_UNASSALPHA: return (.straight, kind.colorCount + index)
                default: continue
                }
            }
            return (.none, nil)
        }
    }
#endif
