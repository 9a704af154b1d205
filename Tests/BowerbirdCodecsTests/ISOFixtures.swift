#if AVIF || HEIF
    extension [UInt8] {
        /// Where `type` stands in the file for the first time, the name of a box for example.
        func offset(of type: String) -> Int? {
            let pattern = [UInt8](type.utf8)
            return indices.first { self[$0...].starts(with: pattern) }
        }

        /// With `bytes` in place of those at `offset`.
        func replacing(at offset: Int, with bytes: [UInt8]) -> [UInt8] {
            self[..<offset] + bytes + self[(offset + bytes.count)...]
        }
    }
#endif
