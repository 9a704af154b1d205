#if PNG
    import BowerbirdCore
    import CDeflate

    /// zlib streams of what lies beside a picture.
    enum Deflating {
        static func deflate(_ bytes: [UInt8]) throws(EncodingError) -> [UInt8] {
            guard let compressor = libdeflate_alloc_compressor(9) else { throw .outOfMemory }
            defer { libdeflate_free_compressor(compressor) }
            let room = libdeflate_zlib_compress_bound(compressor, bytes.count)
            return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                count = libdeflate_zlib_compress(compressor, bytes, bytes.count, buffer.baseAddress, room)
            }
        }
    }
#endif
