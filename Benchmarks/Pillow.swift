import Bowerbird
import BowerbirdTestSupport
import FoundationEssentials
import Glibc

/// Pillow, or its fork Pillow-SIMD, in a Python that is told what to do line by line and takes its own time.
final class Pillow {
    /// Which of both, and its version.
    let name: String
    private let process: ChildProcess
    private let requests: UnsafeMutablePointer<FILE>
    private let answers: UnsafeMutablePointer<FILE>
    private let folder: TemporaryDirectory

    private static let script = """
        import sys, time, PIL
        from PIL import Image
        picture = Image.open(sys.argv[1]).convert("RGB")
        print("Pillow-SIMD" if "post" in PIL.__version__ else "plain Pillow", PIL.__version__, flush=True)
        for line in sys.stdin:
            size = tuple(map(int, line.split()))
            start = time.process_time()
            picture.resize(size, Image.LANCZOS)
            print(time.process_time() - start, flush=True)
        """

    /// With a picture in a file of its own.
    init(_ picture: EncodedImage) throws {
        guard let python = ProcessInfo.processInfo.environment["BOWERBIRD_PYTHON"] else {
            throw CannotMeasure("BOWERBIRD_PYTHON names no Python with Pillow; Scripts/bench makes one where it can")
        }
        folder = try TemporaryDirectory()
        let path = try folder.write(picture.withUnsafeBytes { Array($0) }, to: "picture.jpg").path
        let (input, output) = (try Pipe(), try Pipe())
        process = try ChildProcess(
            [python, "-c", Self.script, path], descriptors: [0: input.reading, 1: output.writing])
        close(input.reading)
        close(output.writing)
        guard let requests = fdopen(input.writing, "w"), let answers = fdopen(output.reading, "r") else {
            throw CannotMeasure("there is no memory")
        }
        (self.requests, self.answers) = (requests, answers)
        guard let name = Self.line(from: answers) else { throw CannotMeasure("\(python) has no Pillow") }
        self.name = name
    }

    deinit {
        fclose(requests)
        fclose(answers)
        process.wait()
    }

    func secondsOfResizing(to size: PixelSize) throws -> Double {
        fputs("\(size.width) \(size.height)\n", requests)
        fflush(requests)
        guard let seconds = Self.line(from: answers).flatMap(Double.init) else {
            throw CannotMeasure("\(name) has ended")
        }
        return seconds
    }

    private static func line(from file: UnsafeMutablePointer<FILE>) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(text) }
        guard getline(&text, &capacity, file) > 0, let text else { return nil }
        return String(String(cString: text).prefix { $0 != "\n" })
    }
}

private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CannotMeasure("there are no more pipes") }
        (reading, writing) = (ends[0], ends[1])
    }
}
