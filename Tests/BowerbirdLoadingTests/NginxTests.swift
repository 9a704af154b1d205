import Bowerbird
import BowerbirdTestSupport
import FoundationEssentials
import Testing

/// A real server and a real client: what one of ours might forgive, nginx does not.
@Suite(.enabled(if: Nginx.isInstalled, "nginx is not installed"), .timeLimit(.minutes(5)))
struct `Loading from nginx` {
    /// With the space that is as wide as the letters around it.
    private static let wide = "全角\u{3000}空格.jpg"
    private static let names = ["东方不败.jpg", wide, "two words.jpg", "100% 东方.jpg", "plain.jpg"]

    /// An address as people type it, and the file that it means.
    static let addresses = [
        ("东方不败.jpg", "东方不败.jpg"),
        ("全角\u{3000}空格.jpg", wide),
        ("two words.jpg", "two words.jpg"),
        ("two%20words.jpg", "two words.jpg"),
        ("%E4%B8%9C%E6%96%B9%E4%B8%8D%E8%B4%A5.jpg", "东方不败.jpg"),
        ("%E5%85%A8%E8%A7%92%E3%80%80%E7%A9%BA%E6%A0%BC.jpg", wide),
        ("%E4%B8%9C方%e4%b8%8d败.jpg", "东方不败.jpg"),
        ("全角%E3%80%80空格.jpg", wide),
        ("100% %E4%B8%9C方.jpg", "100% 东方.jpg"),
        ("plain.jpg  \n", "plain.jpg"),
    ]

    @Test(arguments: addresses)
    func everyWayToWriteAnAddressFindsItsFile(written: String, name: String) async throws {
        let folder = try TemporaryDirectory()
        for name in Self.names { _ = try folder.write(Self.file(of: name), to: name) }
        let nginx = try Nginx(serving: folder.path)
        let pipeline = ImagePipeline(.standard(dataCache: nil))
        let source = try ImageSource(nginx.address(of: written))
        let result = try await pipeline.data(for: ImageRequest(source))
        #expect(result.origin == .network)
        #expect(result.data.withUnsafeBytes { Array($0) } == Self.file(of: name))
        #expect(source.fileName == name)
        nginx.stop()
        #expect(nginx.requests.count == 1, "\(nginx.complaints)")
    }

    /// What begins like a JPEG file, and differs from every other.
    private static func file(of name: String) -> [UInt8] { [0xFF, 0xD8, 0xFF, 0xE0] + Array(name.utf8) }

    @Test(
        .enabled(if: CodecSet.builtIn.encoder(for: .jpeg) != nil, "this build has no JPEG"), arguments: [true, false])
    func anEditedPictureAndThePlainOneAreOneRequest(editedFirst: Bool) async throws {
        let server = try PictureServer()
        let plain = ImageRequest(try ImageSource(server.address))
        let edited = ImageRequest(
            plain.source, processors: [RoundCorners(radius: 8), Tint(Color.black.withAlpha(128))])
        let pipeline = server.makePipeline()

        for request in editedFirst ? [edited, plain] : [plain, edited] {
            #expect(pipeline.cachedImage(for: request) == nil)
            let image = try await pipeline.image(for: request)
            #expect(pipeline.cachedImage(for: request)?.bitmap.isIdentical(to: image.bitmap) == true)
        }
        #expect(pipeline.cachedImage(for: edited)?.bitmap.isOpaque == false)
        #expect(pipeline.cachedImage(for: plain)?.bitmap.isOpaque == true)

        try await server.expectOriginalOnDisk(of: plain)
        #expect(server.requests == ["200 /picture.jpg"])
    }
}

/// nginx with one picture, and a disk cache that outlives its pipeline.
private struct PictureServer {
    private let file: [UInt8]
    private let served: TemporaryDirectory
    private let kept: TemporaryDirectory
    private let cache: DiskCache
    private let nginx: Nginx

    init() throws {
        let picture = try PixelBuffer.make(64, 48, isOpaque: true).freeze()
        file = try CodecSet.builtIn.encode(picture, as: .jpeg).withUnsafeBytes { Array($0) }
        served = try TemporaryDirectory()
        kept = try TemporaryDirectory()
        _ = try served.write(file, to: "picture.jpg")
        cache = DiskCache(folder: kept.path)
        nginx = try Nginx(serving: served.path)
    }

    var address: String { nginx.address(of: "picture.jpg") }

    func makePipeline() -> ImagePipeline { ImagePipeline(.standard(dataCache: cache)) }

    /// Another cache over the same folder finds the very bytes that were served, and nothing else.
    func expectOriginalOnDisk(of request: ImageRequest) async throws {
        await cache.flush()
        #expect(await cache.count == 1)
        let later = ImagePipeline(.standard(dataCache: DiskCache(folder: kept.path)))
        let result = try await later.data(for: request)
        #expect(result.origin == .disk)
        #expect(result.data.withUnsafeBytes { Array($0) } == file)
    }

    /// Ends the server, which completes its log.
    var requests: [String] {
        nginx.stop()
        return nginx.requests
    }
}
