import Bowerbird

/// What is known of an image without decoding it.
struct ImageFacts: Sendable {
    let address: String
    let format: ImageFormat?
    /// Nil where this build cannot decode the format.
    let header: ImageHeader?
    /// Frames of an animation, pages of a document.
    var frameCount = 1
    /// Nil for stills and documents.
    var animation: Animation?
    var metadata = ImageMetadata()
    var warnings: [String] = []
    let byteCount: Int
    let origin: ImageResponse.Origin

    struct Animation: Sendable {
        let loopCount: LoopCount
        let delays: [Duration]
    }

    /// A block of lines.
    var text: String {
        let file = [("bytes", Figures.grouped(byteCount)), ("from", origin.place)]
        let known = header.map { pictureRows($0) + metadata.rows } ?? []
        let rows = [("format", formatText)] + known + file + warnings.map { ("warning", $0) }
        return ([address] + rows.map { "  \($0.padded(to: 10))\($1)" }).map(\.printable).joined(separator: "\n")
    }

    /// - Parameter input: The address as the user wrote it.
    func json(_ input: String) -> JSONLine {
        var json = JSONLine()
        json.add("source", input)
        json.add("url", input)
        if let format { json.add("format", format.name) }
        if let format { json.add("mediaType", format.mediaType) }
        json.add("decodable", header != nil)
        if let header { add(header, to: &json) }
        json.add("bytes", byteCount)
        json.add("origin", origin.rawValue)
        if header != nil { metadata.add(to: &json) }
        if !warnings.isEmpty { json.add("warnings", warnings) }
        return json
    }

    private var formatText: String {
        let name = format?.name ?? "unknown"
        guard let header else { return "\(name), which this build cannot decode" }
        return header.isProgressive ? "\(name), progressive" : name
    }

    private func pictureRows(_ header: ImageHeader) -> [(String, String)] {
        var rows = [("size", "\(header.size.text) pixels")]
        if header.orientation != .topLeft {
            let turn = "to be turned (orientation \(header.orientation.rawValue))"
            rows.append(("stored", "\(header.storedSize.text), \(turn)"))
        }
        if let animation {
            let round = Figures.seconds(animation.delays.reduce(.zero, +))
            rows.append(("frames", "\(Figures.grouped(frameCount)), played \(animation.loopCount), \(round) a round"))
        } else if frameCount > 1 {
            rows.append(("pages", Figures.grouped(frameCount)))
        }
        rows.append(("depth", "\(header.bitsPerComponent) bits a component"))
        rows.append(("alpha", header.hasAlpha ? "yes" : "no"))
        rows.append(("profile", header.profile.description))
        return rows
    }

    private func add(_ header: ImageHeader, to json: inout JSONLine) {
        json.add("width", header.size.width)
        json.add("height", header.size.height)
        json.add("storedWidth", header.storedSize.width)
        json.add("storedHeight", header.storedSize.height)
        json.add("orientation", Int(header.orientation.rawValue))
        json.add("frames", frameCount)
        json.add("animated", animation != nil)
        if let animation {
            json.add("loop", animation.loopCount.zeroIsForever)
            json.add("delays_ms", animation.delays.map(Figures.exactMilliseconds))
        }
        json.add("progressive", header.isProgressive)
        json.add("alpha", header.hasAlpha)
        json.add("bits", header.bitsPerComponent)
        json.add("profile", header.profile.description)
    }
}

extension PixelSize {
    /// In ASCII.
    fileprivate var text: String { "\(width) x \(height)" }
}
