#if PNG
    import BowerbirdCore

    /// The chunks that say what the numbers of the pixels mean.
    enum PNGProfile {
        /// From the data of an `iCCP` chunk: a name, a zero, the method of compression (0), and the profile. Nil for what
        /// is none, or none for such pixels. Throws where it is larger than the limit.
        static func profile(
            in data: RawSpan, of layout: PNGLayout, _ limits: DecodingLimits
        ) throws(DecodingError) -> ColorProfile? {
            guard let end = data.end(ofKeywordAt: 0), data.byte(at: end + 1) == 0 else { return nil }
            let compressed = data.extracting(droppingFirst: end + 2)
            guard let bytes = try Inflating.inflate(compressed, limits) else { return nil }
            let profile = ICCProfile(bytes: bytes)
            switch profile.colorSpace {
            case .rgb: return .icc(profile)
            case .gray where layout.colors == .gray || layout.colors == .grayAlpha: return .icc(profile)
            default: return nil
            }
        }

        /// From the data of a `cICP` chunk. Pictures are RGB (matrix 0) of the full range (1), whatever it says else.
        static func codingPoints(in data: RawSpan) -> ColorProfile? {
            guard data.byteCount == 4, let primaries = data.byte(at: 0), let transfer = data.byte(at: 1),
                data.byte(at: 2) == 0, data.byte(at: 3) == 1
            else { return nil }
            return .cicp(CodingPoints(primaries: Int(primaries), transfer: Int(transfer)))
        }
    }

    extension RawSpan {
        /// Where the zero behind a keyword (1 to 79 bytes) stands.
        func end(ofKeywordAt start: Int) -> Int? {
            let end = (start..<start + 80).first { byte(at: $0) == 0 }
            return end == start ? nil : end
        }
    }
#endif
