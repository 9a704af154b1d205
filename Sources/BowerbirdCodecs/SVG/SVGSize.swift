#if SVG
    import BowerbirdCore

    /// The size that a drawing gives itself, in CSS pixels, of which an inch has 96.
    struct SVGSize {
        let width: Double
        let height: Double

        /// What browsers take where a document says nothing.
        private static let byDefault = (width: 300.0, height: 150.0)
        /// The longest side that cairo draws.
        static let longestSide = 32767

        /// From the attributes of the root: its width and height; where one is missing or a part of the page, the
        /// proportions of its `viewBox`, and where that is missing too, 300 and 150.
        init(_ attribute: (String) -> String?) {
            let width = attribute("width").flatMap(Self.length)
            let height = attribute("height").flatMap(Self.length)
            let box = attribute("viewBox").flatMap(Self.box)
            switch (width, height, box) {
            case (let width?, let height?, _): (self.width, self.height) = (width, height)
            case (let width?, nil, let box?): (self.width, self.height) = (width, width * box.height / box.width)
            case (nil, let height?, let box?): (self.width, self.height) = (height * box.width / box.height, height)
            case (nil, nil, let box?): (self.width, self.height) = box
            default:
                self.width = width ?? Self.byDefault.width
                self.height = height ?? Self.byDefault.height
            }
        }

        /// In whole pixels, at least 1 a side unless the document asks for nothing at all. One with a side longer than
        /// can be drawn is made smaller.
        var pixels: PixelSize {
            let factor = min(1, Double(Self.longestSide) / max(width, height, 1))
            return PixelSize(width: Self.whole(width * factor), height: Self.whole(height * factor))
        }

        private static func whole(_ side: Double) -> Int { side > 0 ? max(1, Int(side.rounded())) : 0 }

        private static let units: [(String, Double)] = [
            ("px", 1), ("pt", 96 / 72.0), ("pc", 16), ("mm", 96 / 25.4), ("cm", 96 / 2.54), ("in", 96), ("rem", 16),
            ("em", 16), ("ex", 8),
        ]

        /// Nil for what is no length, and for parts of the page.
        private static func length(_ text: String) -> Double? {
            let text = text.lowercased().filter { !$0.isWhitespace }
            for (unit, factor) in units where text.hasSuffix(unit) {
                return number(text.dropLast(unit.count)).map { $0 * factor }
            }
            return number(text[...])
        }

        /// Not negative, and no more than a billion.
        private static func number(_ text: Substring) -> Double? {
            guard let value = Double(text), value >= 0, value <= 1e9 else { return nil }
            return value
        }

        private static func box(_ text: String) -> (width: Double, height: Double)? {
            let parts = text.split { $0 == "," || $0.isWhitespace }
            guard parts.count == 4, let width = number(parts[2]), let height = number(parts[3]), width > 0, height > 0
            else { return nil }
            return (width, height)
        }
    }
#endif
