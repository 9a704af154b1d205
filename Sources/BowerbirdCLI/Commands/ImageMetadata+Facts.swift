import Bowerbird

extension ImageMetadata {
    /// Lines of a table: what a thing is called, and what it is.
    var rows: [(String, String)] {
        let blocks = [
            ("density", density?.text), ("exif", exif.map { Figures.bytes($0.count) }),
            ("xmp", xmp.map { Figures.bytes($0.count) }),
        ]
        let texts = texts.map { ("text", Optional("\($0.keyword): \($0.text)".prefix(200).description)) }
        return (photograph.facts + blocks + texts).compactMap { name, text in text.map { (name, $0) } }
    }

    func add(to json: inout JSONLine) {
        photograph.add(to: &json)
        if let density {
            var member = JSONLine()
            member.add("horizontal", density.horizontal)
            member.add("vertical", density.vertical)
            json.add("density", member)
        }
        json.add("exif", exif != nil)
        json.add("xmp", xmp != nil)
        if !texts.isEmpty { json.add("texts", texts.map(\.json)) }
    }
}

extension ImageMetadata.Density {
    fileprivate var text: String {
        let sides = horizontal == vertical ? [horizontal] : [horizontal, vertical]
        return sides.map(Figures.decimal).joined(separator: " x ") + " dots an inch"
    }
}

extension ImageMetadata.Text {
    fileprivate var json: JSONLine {
        var json = JSONLine()
        json.add("keyword", keyword)
        json.add("text", text)
        return json
    }
}

extension ImageMetadata.Photograph {
    fileprivate var facts: [(String, String?)] {
        [
            ("camera", camera), ("lens", lens), ("date", date), ("exposure", exposure), ("place", place?.text),
            ("software", software), ("artist", artist), ("copyright", copyright), ("caption", caption),
        ]
    }

    /// Many models name their maker themselves.
    private var camera: String? {
        guard let make, let model, !model.hasPrefix(make) else { return model ?? make }
        return "\(make) \(model)"
    }

    /// `1/250 s, f/2.8, ISO 100, 35 mm`.
    private var exposure: String? {
        let parts = [
            exposureTime.map(Self.seconds), fNumber.map { "f/\(Figures.decimal($0))" }, iso.map { "ISO \($0)" },
            focalLength.map { "\(Figures.decimal($0)) mm" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func seconds(_ time: Double) -> String {
        guard time > 0, time < 0.3, let denominator = Int(exactly: (1 / time).rounded()) else {
            return "\(Figures.decimal(time)) s"
        }
        return "1/\(denominator) s"
    }

    fileprivate func add(to json: inout JSONLine) {
        let texts = [
            ("make", make), ("model", model), ("lens", lens), ("date", date), ("software", software),
            ("artist", artist), ("copyright", copyright), ("caption", caption),
        ]
        for (name, text) in texts { if let text { json.add(name, text) } }
        let numbers = [("exposureTime", exposureTime), ("fNumber", fNumber), ("focalLength", focalLength)]
        for (name, number) in numbers { if let number { json.add(name, number) } }
        if let iso { json.add("iso", iso) }
        if let place { json.add("place", place.json) }
    }
}

extension ImageMetadata.Place {
    fileprivate var text: String {
        let point = "\(latitude), \(longitude)"
        return altitude.map { "\(point), \(Figures.decimal($0)) m above the sea" } ?? point
    }

    fileprivate var json: JSONLine {
        var json = JSONLine()
        json.add("latitude", latitude)
        json.add("longitude", longitude)
        if let altitude { json.add("altitude", altitude) }
        return json
    }
}
