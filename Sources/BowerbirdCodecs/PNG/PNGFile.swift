#if PNG
    import BowerbirdCore

    /// A PNG file that is put together from chunks.
    struct PNGFile {
        private(set) var bytes = PNGChunks.signature

        /// Begins with the `IHDR` chunk of this data.
        init(_ header: [UInt8]) { append(.header, header.span.bytes) }

        mutating func append(_ type: PNGChunk.Kind, _ data: RawSpan) {
            let start = bytes.count + 4
            append(UInt32(truncatingIfNeeded: data.byteCount))
            append(type.rawValue)
            append(data)
            append(PNGChecksum.of(bytes.span.bytes.extracting(droppingFirst: start)))
        }

        mutating func append(_ type: PNGChunk.Kind, _ data: [UInt8]) { append(type, data.span.bytes) }

        /// A chunk as another file has it, or any other bytes.
        mutating func append(_ raw: RawSpan) { raw.withUnsafeBytes { bytes.append(contentsOf: $0) } }

        mutating func appendEnd() { append(.end, []) }

        private mutating func append(_ number: UInt32) { bytes.append(bigEndian: number) }
    }

    extension [UInt8] {
        mutating func append(bigEndian number: UInt32) {
            for shift in [24, 16, 8, 0] as [UInt32] { append(UInt8(truncatingIfNeeded: number >> shift)) }
        }

        mutating func append(bigEndian number: UInt16) {
            append(UInt8(truncatingIfNeeded: number >> 8))
            append(UInt8(truncatingIfNeeded: number))
        }
    }

    extension PNGLayout {
        /// The data of the `IHDR` chunk for a picture of this kind in another size.
        func header(size: PixelSize) -> [UInt8] {
            var data: [UInt8] = []
            data.append(bigEndian: UInt32(truncatingIfNeeded: size.width))
            data.append(bigEndian: UInt32(truncatingIfNeeded: size.height))
            return data + [UInt8(bitDepth), colors.rawValue, 0, 0, isInterlaced ? 1 : 0]
        }
    }
#endif
