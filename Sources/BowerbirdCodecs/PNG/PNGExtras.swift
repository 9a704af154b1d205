#if PNG
    import BowerbirdCore

    /// What is written beside the pixels.
    struct PNGExtras {
        private let options: EncodingOptions
        private let metadata: ImageMetadata
        /// The profile that the file gets, where it is one of the ICC.
        let iccProfile: ICCProfile?

        /// - Parameter iccProfile: The one that the written pixels have.
        init(_ options: EncodingOptions, iccProfile: ICCProfile?) {
            self.options = options
            self.iccProfile = iccProfile
            metadata = options.metadata ?? ImageMetadata()
        }

        /// The chunks that stand before a palette.
        func appendProfile(to file: inout PNGFile) throws(EncodingError) {
            if let iccProfile {
                let name = Array("ICC profile".utf8) + [0, 0]
                file.append(.iccProfile, name + (try Deflating.deflate(iccProfile.bytes)))
            } else if case .cicp(let points) = options.profile, let data = Self.data(of: points) {
                file.append(.codingPoints, data)
            } else if case .sRGB = options.profile {
                // Perceptual: what photographs are meant for.
                file.append(.sRGB, [0])
            }
        }

        /// RGB (matrix 0) of the full range (1). Nil for numbers that no table has.
        static func data(of points: CodingPoints) -> [UInt8]? {
            guard let primaries = UInt8(exactly: points.primaries), let transfer = UInt8(exactly: points.transfer)
            else {
                return nil
            }
            return [primaries, transfer, 0, 1]
        }

        /// The chunks that stand before the pixels.
        func appendMetadata(to file: inout PNGFile) {
            if let density = metadata.density.flatMap(Self.data) { file.append(.density, density) }
            if let exif = ExifWriter.setting(options.orientation, in: metadata.exif) { file.append(.exif, exif) }
            if let xmp = metadata.xmp {
                file.append(.internationalText, PNGText.xmpKeyword + [0, 0, 0, 0, 0] + xmp)
            }
            for text in metadata.texts { PNGText.append(text, to: &file) }
        }

        /// In dots a metre.
        private static func data(of density: ImageMetadata.Density) -> [UInt8]? {
            guard let horizontal = perMetre(density.horizontal), let vertical = perMetre(density.vertical) else {
                return nil
            }
            var data: [UInt8] = []
            data.append(bigEndian: horizontal)
            data.append(bigEndian: vertical)
            return data + [1]
        }

        private static func perMetre(_ perInch: Double) -> UInt32? {
            let count = (perInch / 0.0254).rounded()
            return count >= 1 && count <= Double(Int32.max) ? UInt32(count) : nil
        }
    }
#endif
