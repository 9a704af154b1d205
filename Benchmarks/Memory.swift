import Bowerbird
import BowerbirdTestSupport
import FoundationEssentials
import Glibc

extension Topic {
    /// By how much a process grows at the most while it decodes a file, file included. Each figure is the largest of
    /// several processes.
    static let memory = Topic("Memory") {
        let folder = try TemporaryDirectory()
        let photograph = try Photograph.get()
        let baseline = try folder.write(Array(photograph.baseline), to: "baseline.jpg").path
        let progressive = try folder.write(Array(photograph.progressive), to: "progressive.jpg").path
        let floor = try peak(.raw, baseline, "baseline, libjpeg-turbo 1/8")
        let progressiveFloor = try peak(.raw, progressive, "progressive, libjpeg-turbo 1/8")
        let limit = Figure.Limit.atMost(progressiveFloor.value + 10)
        return try [
            peak(.decode, baseline, "baseline to 400 px", limit: .atMost(25)), floor,
            peak(.decode, progressive, "progressive to 400 px", limit: limit), progressiveFloor,
        ] + Self.formatPeaks(in: folder)
    }

    /// All of a picture of three megapixels, which are 11.4 MB, in each format that this build can write.
    private static func formatPeaks(in folder: TemporaryDirectory) throws -> [Figure] {
        let picture = try Photograph.bitmap(in: PixelSize(width: 2000, height: 1500))
        let codecs = CodecSet.builtIn
        return try codecs.decodableFormats.filter { codecs.encoder(for: $0) != nil }.map { format in
            let path = try folder.write([UInt8](encoded(picture, format, effort: 0.2)), to: "\(format)").path
            return try peak(.decodeAll, path, "\(picture.size) as \(format)")
        }
    }
}

private func peak(
    _ job: MemoryChild.Job, _ path: String, _ name: String, limit: Figure.Limit? = nil
) throws -> Figure {
    let megabytes = try (0..<5).map { _ in try MemoryChild.growth(doing: job, path) }
    let spread = Spread(of: megabytes)
    return Figure(name: name, value: spread.maximum, unit: .megabytes, spread: spread, limit: limit)
}

/// This program once more, started to do one thing and to tell how large it has been.
struct MemoryChild {
    enum Job: String { case decode, decodeAll, frames, raw }

    private static let option = "--child"
    private let job: Job
    private let path: String

    /// Nil where the arguments are those of a user.
    init?(_ arguments: [String]) {
        guard arguments.count == 3, arguments[0] == Self.option else { return nil }
        guard let job = Job(rawValue: arguments[1]) else { return nil }
        self.job = job
        path = arguments[2]
    }

    /// In megabytes.
    static func growth(doing job: Job, _ path: String) throws -> Double {
        let folder = try TemporaryDirectory()
        let output = folder.url(of: "growth").path
        let file = open(output, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let status = try ChildProcess(["/proc/self/exe", option, job.rawValue, path], descriptors: [1: file]).wait()
        let text = try String(contentsOfFile: output, encoding: .utf8)
        guard status == 0, let kilobytes = Double(text.filter(\.isNumber)) else {
            throw CannotMeasure("the process that decodes \(path) ended with status \(status)")
        }
        return kilobytes / 1024
    }

    /// Prints the growth in kilobytes. The exit status.
    func run() async -> Int32 {
        let start = ProcessStatus.kilobytes("VmRSS")
        do { try await work() } catch {
            printToStandardError("\(error)")
            return 1
        }
        print(ProcessStatus.kilobytes("VmHWM") - start)
        return 0
    }

    private func work() async throws {
        let request = DataRequest(url: URL(filePath: path))
        guard case .complete(let file) = try await FileLoader().response(for: request).body else { return }
        let options = DecodingOptions(targetSize: PixelSize(width: 400, height: 400))
        switch job {
        case .decode: _ = try file.withBytes { try CodecSet.builtIn.decode($0, options) }
        case .decodeAll: _ = try file.withBytes { try CodecSet.builtIn.decode($0) }
        case .frames:
            guard let frames = try CodecSet.builtIn.frames(in: file) else { throw CannotMeasure("it does not move") }
            for index in 0..<frames.frameCount { _ = try frames.frame(at: index) }
        case .raw:
            #if JPEG
                file.withUnsafeBytes { RawJPEG.decode($0, eighths: 1) }
            #endif
        }
    }
}

extension [UInt8] {
    fileprivate init(_ file: EncodedImage) { self = file.withUnsafeBytes { Array($0) } }
}
