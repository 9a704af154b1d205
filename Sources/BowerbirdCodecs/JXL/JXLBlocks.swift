#if JXL
    import BowerbirdCore
    import CJXL

    /// What a container has beside its picture, unpacked; blocks over the limit are left out.
    struct JXLBlocks {
        let exif: [UInt8]?
        let xmp: [UInt8]?

        init(_ bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) {
            let reader = try JXLReader([JXL_DEC_BOX])
            var (exif, xmp) = (BBJXLBlock(), BBJXLBlock())
            defer {
                free(exif.bytes)
                free(xmp.bytes)
            }
            guard reader.readBlocks(bytes, max(0, limits.maximumMetadataByteCount), &exif, &xmp) else {
                throw .outOfMemory(PixelSize(width: 0, height: 0))
            }
            self.exif = exif.content.flatMap(Self.withoutOffset)
            self.xmp = xmp.content
        }

        /// EXIF data begin with the number of bytes before their TIFF header.
        private static func withoutOffset(_ content: [UInt8]) -> [UInt8]? {
            guard let offset = content.span.bytes.bigEndian32(at: 0), Int(offset) + 4 < content.count else {
                return nil
            }
            return Array(content[(4 + Int(offset))...])
        }
    }

    extension BBJXLBlock {
        fileprivate var content: [UInt8]? {
            bytes.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
        }
    }
#endif
