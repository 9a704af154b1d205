#if PNG
    import BowerbirdCore
    import CDeflate

    /// zlib streams, through libdeflate, which is twice as fast as zlib but wants all of a stream at once.
    enum Inflating {
        /// No stream grows by more.
        private static let largestRatio = 1032

        /// What a stream holds that does not say how much that is; nil for a damaged one. Throws where it is more than the
        /// limit for what lies beside a picture.
        static func inflate(_ stream: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> [UInt8]? {
            let most = max(0, limits.maximumMetadataByteCount)
            let possible = stream.byteCount.multipliedReportingOverflow(by: largestRatio)
            var room = min(most, max(1 << 12, 4 * stream.byteCount))
            while true {
                switch inflate(stream, room: room) {
                case .success(let bytes): return bytes
                case .damaged: return nil
                case .tooSmall where room == most: throw .tooMuchMetadata(maximumByteCount: most)
                case .tooSmall where !possible.overflow && room > possible.partialValue: return nil
                case .tooSmall: room = room > most / 4 ? most : 4 * room
                }
            }
        }

        private enum Result {
            case success([UInt8])
            case damaged, tooSmall
        }

        private static func inflate(_ stream: RawSpan, room: Int) -> Result {
            guard let decompressor = libdeflate_alloc_decompressor() else { return .damaged }
            defer { libdeflate_free_decompressor(decompressor) }
            var status = LIBDEFLATE_BAD_DATA
            let bytes = [UInt8](unsafeUninitializedCapacity: max(1, room)) { buffer, count in
                status = stream.withUnsafeBytes { stream in
                    libdeflate_zlib_decompress(
                        decompressor, stream.baseAddress, stream.count, buffer.baseAddress, room, &count)
                }
                if status != LIBDEFLATE_SUCCESS { count = 0 }
            }
            return status == LIBDEFLATE_SUCCESS
                ? .success(bytes) : status == LIBDEFLATE_INSUFFICIENT_SPACE ? .tooSmall : .damaged
        }

        /// Fills `room`, which must be exactly what the stream holds. False for a damaged stream, and for one of another
        /// length.
        static func inflate(_ stream: UnsafeRawBufferPointer, filling room: UnsafeMutableRawBufferPointer) -> Bool {
            guard canHold(stream.count, room.count), let decompressor = libdeflate_alloc_decompressor() else {
                return false
            }
            defer { libdeflate_free_decompressor(decompressor) }
            return libdeflate_zlib_decompress(
                decompressor, stream.baseAddress, stream.count, room.baseAddress, room.count, nil) == LIBDEFLATE_SUCCESS
        }

        /// Whether a stream of so many bytes can become so many: memory need not be taken for one that cannot.
        static func canHold(_ streamCount: Int, _ count: Int) -> Bool { count / largestRatio <= streamCount }
    }
#endif
