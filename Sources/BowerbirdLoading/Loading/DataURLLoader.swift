import BowerbirdCore
import FoundationEssentials

/// Reads `data:` addresses (RFC 2397), whose bytes are in the address itself: base64 or percent-encoded. Nothing is
/// waited for.
///
/// As in browsers, a fragment does not count, white space inside base64 is skipped and its padding may be missing.
public struct DataURLLoader: DataLoader {
    /// It has no state: any number of them do the same.
    public init() {}

    /// The whole body. Throws `.invalidDataURL` or `.tooLarge`.
    public func response(for request: DataRequest) async throws(LoadingError) -> DataResponse {
        let bytes = try Self.bytes(of: request.url.absoluteString)
        guard bytes.count <= request.maximumByteCount else {
            throw .tooLarge(maximumByteCount: request.maximumByteCount)
        }
        guard let image = EncodedImage(bytes) else { throw .outOfMemory }
        let head = ResponseHead(url: request.url, expectedByteCount: image.count)
        return DataResponse(head: head, body: .complete(image))
    }

    private static func bytes(of url: String) throws(LoadingError) -> [UInt8] {
        let address = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let colon = address.firstIndex(of: UInt8(ascii: ":")), hasDataScheme(address[..<colon]) else {
            throw .unsupportedScheme(String(Substring(address.prefix { $0 != UInt8(ascii: ":") })))
        }
        let rest = address[colon...].dropFirst()
        guard let comma = rest.firstIndex(of: UInt8(ascii: ",")) else { throw .invalidDataURL("it has no comma") }
        let data = rest[comma...].dropFirst().percentDecoded()
        return isBase64(Substring(rest[..<comma])) ? try base64Decoded(data) : data
    }

    private static func hasDataScheme(_ scheme: Substring.UTF8View) -> Bool {
        Substring(scheme).lowercased() == "data"
    }

    private static func isBase64(_ mediaType: Substring) -> Bool {
        mediaType.split(separator: ";", omittingEmptySubsequences: false).dropFirst().last?.lowercased() == "base64"
    }

    private static func base64Decoded(_ text: [UInt8]) throws(LoadingError) -> [UInt8] {
        let digits = text.filter { !isSpace($0) }
        let padding = repeatElement(UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
        // More padding than is due would pass otherwise.
        guard padding.isEmpty || digits.last != padding.first, let bytes = Data(base64Encoded: Data(digits + padding))
        else { throw .invalidDataURL("its base64 is damaged") }
        return [UInt8](bytes)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
