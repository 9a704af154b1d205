import BowerbirdCore
import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials

extension PipelineFixture {
    static func address(_ index: Int) -> String { "http://host.test/\(index)" }

    /// A request for an address of its own, whose file arrives in the given steps.
    func request(_ index: Int, _ steps: [ScriptedLoader.Step]) throws -> ImageRequest {
        loader.setScript(steps, for: Self.address(index))
        return ImageRequest(try ImageSource(Self.address(index)))
    }

    /// Requests for addresses from 0 on, whose files are there at once, or wait for the gate.
    func requests(_ count: Int, behind gate: Gate? = nil) throws -> [ImageRequest] {
        let wait = gate.map { [ScriptedLoader.Step.gate($0)] } ?? []
        return try (0..<count).map { try request($0, wait + [.chunk(SolidImage.file())]) }
    }

    /// The indices of the addresses that the loader was asked for, in order.
    var asked: [Int] { loader.requests.compactMap { Int($0.url.lastPathComponent) } }
}

/// What was heard, in order.
final class Record<Element: Sendable>: Sendable {
    private let state = Lock<[Element]>([])

    var all: [Element] { state.withLock { $0 } }
    func note(_ element: Element) { state.withLock { $0.append(element) } }
}

/// Writes `SolidImage` files: those of the first pixel's colour.
struct SolidEncoder: ImageEncoder {
    let format = SolidImage.format

    func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
        let pixel = bitmap.withRow(0) { row in (0..<4).map { row.byte(at: $0) ?? 0 } }
        let color = Color(red: pixel[2], green: pixel[1], blue: pixel[0], alpha: pixel[3])
        let file = SolidImage.file(color, width: UInt8(bitmap.size.width), height: UInt8(bitmap.size.height))
        guard let file = EncodedImage(file) else { throw .outOfMemory }
        return file
    }
}
