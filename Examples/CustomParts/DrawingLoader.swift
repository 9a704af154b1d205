import Bowerbird
import FoundationEssentials

/// Makes the file that an address describes: `made://8x4/ff8800`, or the same path at the host `made.example`. What has
/// an address of the network is kept like anything that comes over it.
struct DrawingLoader: DataLoader {
    func canLoad(_ url: URL) -> Bool { url.scheme == "made" || url.host() == "made.example" }

    func response(for request: DataRequest) async throws(LoadingError) -> DataResponse {
        let parts = request.url.absoluteString.split(separator: "/").suffix(2)
        guard let size = parts.first, let color = parts.last, parts.count == 2 else {
            throw .fileNotFound
        }
        guard let file = EncodedImage(Array("FLAT \(size) \(color)".utf8)) else { throw .outOfMemory }
        return DataResponse(head: ResponseHead(url: request.url, expectedByteCount: file.count), body: .complete(file))
    }
}
