import BowerbirdTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `The example of custom parts` {
    /// It lies beside the tests; nil when only the tests were built.
    private static let program: String? = {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let path = folder.appendingPathComponent("CustomParts").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    private static let expected = """
        made://8x4/ff8800
            decode is done
          8 × 4 from local, blue-green-red [0, 136, 255]
        made://8x4/ff8800
            it was in memory
          8 × 4 from memory, blue-green-red [0, 136, 255]
        https://made.example/2x2/0000ff
            disk is done
            transfer is done
            decode is done
          2 × 2 from network, blue-green-red [255, 0, 0]
        https://made.example/2x2/0000ff
            disk is done
            a file of 15 bytes was kept
            decode is done
          2 × 2 from disk, blue-green-red [255, 0, 0]
        made://8x4/purple
            decode failed
          made://8x4/purple: the file is damaged: “8x4 purple” is no size and colour
        other://8x4/ff8800
          other://8x4/ff8800: nothing here loads “other:” addresses

        """

    @Test(.enabled(if: program != nil, "the program CustomParts has not been built beside the tests"))
    func saysWhatItsPartsDo() throws {
        let folder = try TemporaryDirectory()
        let output = try folder.write([], to: "output")
        let file = try FileHandle(forWritingTo: output)
        let process = try ChildProcess([try #require(Self.program)], descriptors: [1: file.fileDescriptor])
        #expect(process.wait() == 0)
        #expect(try String(contentsOf: output, encoding: .utf8) == Self.expected)
    }
}
