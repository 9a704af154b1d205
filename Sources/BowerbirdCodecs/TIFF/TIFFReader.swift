#if TIFF
    import BowerbirdCore
    import CTIFF

    /// The owner of one libtiff file, open at one page. The bytes must outlive it.
    final class TIFFReader {
        private let handle: UnsafeMutablePointer<BBTIFFFile>
        private let byteCount: Int
        let layout: TIFFLayout

        init(_ bytes: UnsafeRawBufferPointer, _ page: TIFFPage) throws(DecodingError) {
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { throw .empty }
            guard let handle = bb_tiff_create_reader(base, bytes.count) else {
                throw .outOfMemory(PixelSize(width: 0, height: 0))
            }
            guard bb_tiff_open(handle, page.offset, page.largestBlock) else {
                defer { bb_tiff_destroy(handle) }
                throw .corrupt(String(cString: bb_tiff_message(handle)))
            }
            self.handle = handle
            byteCount = bytes.count
            layout = TIFFLayout(handle, saysExtraSamples: page.saysExtraSamples)
        }

        deinit { bb_tiff_destroy(handle) }

        private var tiff: OpaquePointer? { handle.pointee.tiff }

        /// What libtiff said first.
        var message: String { String(cString: bb_tiff_message(handle)) }
        var hasMessage: Bool { handle.pointee.message.0 != 0 }

        // MARK: Facts

        func header(frameCount: Int?) -> ImageHeader {
            ImageHeader(
                format: .tiff, storedSize: layout.size, orientation: orientation,
                hasAlpha: layout.alpha != .none || layout.kind == .other && hasExtraSamples,
                bitsPerComponent: layout.isDeep ? 16 : 8, profile: profile, frameCount: frameCount)
        }

        private var orientation: Orientation {
            let value = bb_tiff_get16(handle, UInt32(TIFFTAG_ORIENTATION), 1)
            return UInt8(exactly: value).flatMap(Orientation.init) ?? .topLeft
        }

        private var hasExtraSamples: Bool {
            var count: UInt16 = 0
            return bb_tiff_get_extra_samples(handle, &count) != nil && count > 0
        }

        /// Only one for the components that our pixels come from.
        var profile: ColorProfile {
            guard let bytes = bytes(ofTag: TIFFTAG_ICCPROFILE) else { return .unspecified }
            let profile = ICCProfile(bytes: bytes)
            switch profile.colorSpace {
            case .rgb: return layout.isGray || layout.kind == .cmyk ? .unspecified : .icc(profile)
            case .gray: return layout.isGray ? .icc(profile) : .unspecified
            case .cmyk: return layout.kind == .cmyk ? .icc(profile) : .unspecified
            default: return .unspecified
            }
        }

        private func bytes(ofTag tag: Int32) -> [UInt8]? {
            var count: UInt32 = 0
            guard let bytes = bb_tiff_get_bytes(handle, UInt32(tag), &count), count > 0 else { return nil }
            return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }

        /// The red, green and blue of each index, 8 bits each; nil where the page has no palette.
        var palette: [[UInt8]]? {
            var (red, green, blue): (UnsafePointer<UInt16>?, UnsafePointer<UInt16>?, UnsafePointer<UInt16>?)
            guard layout.kind == .palette, bb_tiff_get_palette(handle, &red, &green, &blue), let red, let green,
                let blue
            else { return nil }
            let channels = [red, green, blue].map { Array(UnsafeBufferPointer(start: $0, count: 1 << layout.bits)) }
            // Some writers fill only the lower 8 of the 16 bits.
            let shift = channels.contains { $0.contains { $0 > 255 } } ? 8 : 0
            return (0..<1 << layout.bits).map { index in channels.map { UInt8(truncatingIfNeeded: $0[index] >> shift) }
            }
        }

        // MARK: Pixels

        /// The memory for a row, or nil where the page is too wide for that.
        var rowByteCount: Int { Int(clamping: TIFFScanlineSize64(tiff)) }
        var tileByteCount: Int { Int(clamping: TIFFTileSize64(tiff)) }
        var tileRowByteCount: Int { Int(clamping: TIFFTileRowSize64(tiff)) }

        /// Of one component where they have rows of their own.
        func readRow(_ row: Int, component: Int, into result: UnsafeMutableRawBufferPointer) -> Bool {
            TIFFReadScanline(tiff, result.baseAddress, UInt32(row), UInt16(component)) > 0
        }

        /// The tile that has this pixel.
        func readTile(x: Int, y: Int, component: Int, into result: UnsafeMutableRawBufferPointer) -> Bool {
            let index = TIFFComputeTile(tiff, UInt32(x), UInt32(y), 0, UInt16(component))
            return TIFFReadEncodedTile(tiff, index, result.baseAddress, tmsize_t(result.count)) >= 0
        }

        /// Rows as libtiff itself turns them into premultiplied RGBA.
        func readWords(_ row: Int, _ rowCount: Int, into result: UnsafeMutableRawBufferPointer) -> Bool {
            guard let words = result.baseAddress?.assumingMemoryBound(to: UInt32.self) else { return false }
            return bb_tiff_read_words(handle, UInt32(row), UInt32(layout.size.width), UInt32(rowCount), words)
        }

        /// What is wrong with the part of the file that has this pixel.
        func warning(x: Int, y: Int) -> ImageWarning {
            let index =
                layout.tile == nil
                ? TIFFComputeStrip(tiff, UInt32(y), 0) : TIFFComputeTile(tiff, UInt32(x), UInt32(y), 0, 0)
            let (offset, count) = (TIFFGetStrileOffset(tiff, index), TIFFGetStrileByteCount(tiff, index))
            let (end, isEndless) = offset.addingReportingOverflow(count)
            return isEndless || end > UInt64(byteCount) ? .truncated(atByte: byteCount) : .corrupt(message)
        }
    }
#endif
