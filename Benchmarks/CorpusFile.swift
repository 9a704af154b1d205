import Bowerbird
import FoundationEssentials

/// A file of the public suites, where those are: for formats that nothing here can write.
enum CorpusFile {
    static func get(_ path: String) throws -> EncodedImage {
        let root = ProcessInfo.processInfo.environment["BOWERBIRD_CORPUS"] ?? "../shared/corpus"
        guard let bytes = try? Data(contentsOf: URL(filePath: "\(root)/\(path)")), let file = EncodedImage(bytes) else {
            throw CannotMeasure("there is no \(root)/\(path); BOWERBIRD_CORPUS may say where the test images are")
        }
        return file
    }
}
