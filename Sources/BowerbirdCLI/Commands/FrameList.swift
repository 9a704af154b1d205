import Bowerbird

/// What `frames.json` says.
struct FrameList: Sendable {
    static let name = "frames.json"

    let header: ImageHeader
    private let source: String
    private let frames: (any FrameSource)?
    private var entries: [JSONLine] = []
    private(set) var byteCount = 0
    /// Of the first.
    private(set) var size: PixelSize

    init(source: String, _ series: PictureSeries) {
        self.source = source
        header = series.header
        frames = series.frames
        size = series.frames?.size ?? series.header.size
    }

    /// `frame-0001.png` for 0.
    static func fileName(_ index: Int) -> String {
        let number = String(index + 1)
        return "frame-" + String(repeating: "0", count: max(0, 4 - number.count)) + number + ".png"
    }

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    /// What they are called.
    var noun: String { frames == nil && count > 1 ? "page" : "frame" }

    /// The next one. Pages may differ in size, so each has its own.
    mutating func add(_ file: String, _ size: PixelSize, byteCount: Int) {
        var entry = JSONLine()
        entry.add("file", file)
        if let frames {
            entry.add("delay_ms", Figures.exactMilliseconds(frames.delays[count]))
        } else {
            entry.add("width", size.width)
            entry.add("height", size.height)
        }
        if entries.isEmpty { self.size = size }
        entries.append(entry)
        self.byteCount += byteCount
    }

    var json: JSONLine {
        var json = JSONLine()
        json.add("source", source)
        json.add("format", header.format.name)
        json.add("width", size.width)
        json.add("height", size.height)
        if let frames { json.add("loop", frames.loopCount.zeroIsForever) }
        json.add("frames", entries)
        return json
    }
}
