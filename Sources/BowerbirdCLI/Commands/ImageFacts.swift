import Bowerbird

/// What is known of an image without decoding it.
struct ImageFacts: Sendable {
    let address: String
    let format: ImageFormat?
    /// Nil where this build cannot decode the format.
    let header: ImageHeader?
    let byteCount: Int
    let origin: ImageResponse.Origin

    /// A block of lines.
    var text: String {
        let file = [("bytes", Figures.grouped(byteCount)), ("from", origin.place)]
        let rows = [("format", formatText)] + (header.map(Self.rows) ?? []) + file
        return ([address.printable] + rows.map { "  \($0.padded(to: 10))\($1)" }).joined(separator: "\n")
    }

    /// - Parameter input: The address as the user wrote it.
    func json(_ input: String) -> JSONLine {
        var json = JSONLine()
        json.add("url", input)
        if let format { json.add("format", format.name) }
        if let format { json.add("mediaType", format.mediaType) }
        json.add("decodable", header != nil)
        if let header { json.add(header) }
        json.add("bytes", byteCount)
        json.add("origin", origin.rawValue)
        return json
    }

    private var formatText: String {
        let name = format?.name ?? "unknown"
        guard let header else { return "\(name), which this build cannot decode" }
        return header.isProgressive ? "\(name), progressive" : name
    }

    private static func rows(of header: ImageHeader) -> [(String, String)] {
        let size = ("size", "\(header.size.text) pixels")
        let orientation = header.orientation
        let stored = ("stored", "\(header.storedSize.text), to be turned (orientation \(orientation.rawValue))")
        let depth = ("depth", "\(header.bitsPerComponent) bits a component")
        let alpha = ("alpha", header.hasAlpha ? "yes" : "no")
        return orientation == .topLeft ? [size, depth, alpha] : [size, stored, depth, alpha]
    }
}

extension JSONLine {
    fileprivate mutating func add(_ header: ImageHeader) {
        add("width", header.size.width)
        add("height", header.size.height)
        add("storedWidth", header.storedSize.width)
        add("storedHeight", header.storedSize.height)
        add("orientation", Int(header.orientation.rawValue))
        add("progressive", header.isProgressive)
        add("alpha", header.hasAlpha)
        add("bits", header.bitsPerComponent)
    }
}

extension PixelSize {
    /// In ASCII.
    fileprivate var text: String { "\(width) x \(height)" }
}
