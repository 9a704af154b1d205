#if PNG
    import BowerbirdCore
    import BowerbirdRaster

    /// In which of PNG's kinds of pixels a picture is stored, and how its rows become rows of that kind.
    struct PNGPacking {
        let colors: PNGLayout.Colors
        let bitDepth: Int
        private let beginsWithBlue: Bool
        /// Of a palette; nil for all other kinds.
        private let survey: ColorSurvey?

        /// The kind that any picture can have: colour, with alpha unless `isOpaque`.
        init(of rows: PNGRows, isOpaque: Bool) {
            colors = isOpaque ? .rgb : .rgba
            bitDepth = rows.bitDepth
            beginsWithBlue = rows.beginsWithBlue
            survey = nil
        }

        /// The smallest kind from which every pixel comes back; looks at all of them. `keepsColor` for a picture whose
        /// profile is for colours.
        init(smallestFor rows: inout PNGRows, keepsColor: Bool) throws(EncodingError) {
            guard rows.bitDepth == 8 else {
                self.init(of: rows, isOpaque: rows.isOpaque)
                return
            }
            guard let survey = ColorSurvey() else { throw .outOfMemory }
            for row in 0..<rows.rect.size.height {
                if row.isMultiple(of: 64), Task.isCancelled { throw .cancelled }
                rows.withRow(row) { survey.add($0) }
            }
            self.init(of: rows, survey, keepsColor: keepsColor)
        }

        private init(of rows: PNGRows, _ survey: ColorSurvey, keepsColor: Bool) {
            beginsWithBlue = rows.beginsWithBlue
            let colorCount = survey.colors?.count
            if let colorCount, colorCount <= 16 || !survey.isGray || keepsColor || !survey.isOpaque {
                colors = .palette
                bitDepth = [1, 2, 4, 8].first { colorCount <= 1 << $0 } ?? 8
                self.survey = survey
                return
            }
            let isGray = survey.isGray && !keepsColor
            colors = survey.isOpaque ? (isGray ? .gray : .rgb) : (isGray ? .grayAlpha : .rgba)
            bitDepth = 8
            self.survey = nil
        }

        /// `pixels` is a row of `PNGRows`.
        func pack(_ pixels: UnsafeRawBufferPointer, into row: UnsafeMutableRawBufferPointer) -> Bool {
            if let survey { return survey.index(pixels, bits: bitDepth, into: row) }
            if bitDepth == 16 {
                Scanlines.pack(words: pixels, count: colors.componentCount, into: row)
            } else {
                Scanlines.pack(pixels, places: places, into: row)
            }
            return true
        }

        private var places: [UInt8] {
            let color: [UInt8] = beginsWithBlue ? [2, 1, 0] : [0, 1, 2]
            return switch colors {
            case .gray, .palette: [0]
            case .grayAlpha: [0, 3]
            case .rgb: color
            case .rgba: color + [3]
            }
        }

        /// The data of `PLTE` and `tRNS` chunks; nil for what is not needed.
        var palette: (colors: [UInt8], alphas: [UInt8]?)? {
            guard let colors = survey?.colors else { return nil }
            let bytes = colors.flatMap { color -> [UInt8] in
                let parts = [0, 8, 16].map { UInt8(truncatingIfNeeded: color >> $0) }
                return beginsWithBlue ? parts.reversed() : parts
            }
            let alphas = colors.map { UInt8(truncatingIfNeeded: $0 >> 24) }
            return (bytes, alphas.allSatisfy { $0 == 255 } ? nil : alphas)
        }

        /// Neighbours in a palette are not alike.
        var isWorthFiltering: Bool { colors != .palette && bitDepth >= 8 }
    }
#endif
