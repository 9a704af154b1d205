public import BowerbirdCore
public import FoundationEssentials
import Glibc

/// Where a picture comes from: bytes, and the identity under which they are known.
public enum ImageSource: Sendable {
    /// An `http:`, `https:`, `file:` or `data:` URL.
    case url(URL)
    /// A file by its path. Never enters the disk cache.
    case file(String)
    /// Bytes that are already here, and a name for them that is yours to keep unique. Never enters the disk cache.
    case data(EncodedImage, name: String)

    /// What a person types: an address with a scheme, else the path of a file. Non-ASCII characters and spaces may stand
    /// in either. Throws `.invalidURL` for an address that means nothing even so.
    public init(_ text: String) throws(ImageError) {
        guard Self.hasScheme(text) else {
            guard !text.isEmpty else { throw .invalidURL(text) }
            self = .file(text)
            return
        }
        guard let url = URLNormalizer.url(text) else { throw .invalidURL(text) }
        self = .url(url)
    }

    /// Whether the text begins like `http://…`, `https://…`, `file:…`, `data:…` or any other `word://…`.
    private static func hasScheme(_ text: String) -> Bool {
        let head = text.trimmingWhitespace.prefix(32).lowercased()
        guard let colon = head.firstIndex(of: ":") else { return false }
        let scheme = head[..<colon]
        guard scheme.first?.isLetter == true, scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) })
        else { return false }
        return ["http", "https", "file", "data"].contains(scheme) || head[colon...].hasPrefix("://")
    }

    /// How messages call it: the URL as it would be typed, or the path. Long data URLs are cut.
    public var address: String {
        switch self {
        case .url(let url):
            let text = url.absoluteString
            return text.utf8.count > 2000 ? text.prefix(80) + "…" : text.percentDecoded
        case .file(let path): return path
        case .data(_, let name): return name
        }
    }

    /// The last part of the path, decoded; empty where there is none.
    public var fileName: String {
        switch self {
        case .url(let url) where url.scheme?.lowercased() == "data": ""
        case .url(let url): url.path(percentEncoded: true).lastComponent.percentDecoded
        case .file(let path): path.lastComponent
        case .data(_, let name): name
        }
    }

    /// The `2` of a name like `bird@2x.png`; 1 where the name has none, or none from 1 to 16.
    var scaleFactor: Double {
        let name = fileName
        guard let end = name.lastIndex(of: ".").map({ name[..<$0] }), end.hasSuffix("x"),
            let sign = end.lastIndex(of: "@"), let factor = Double(end[end.index(after: sign)...].dropLast()),
            (1...16).contains(factor)
        else { return 1 }
        return factor
    }

    /// The URL that a loader is asked for; nil for bytes that are already here.
    var url: URL? {
        switch self {
        case .url(let url): url
        case .file(let path): URL(filePath: path, directoryHint: .notDirectory)
        case .data: nil
        }
    }

    /// Whether it is reached over a network: only such bytes are kept on disk and wait for a slot.
    var isRemote: Bool {
        guard case .url(let url) = self else { return false }
        return ["http", "https"].contains(url.scheme?.lowercased())
    }

    /// The identity of the bytes. That of a file changes when the file does, and asks the file system, for microseconds.
    var key: String { steadyKey ?? url?.fileKey ?? "" }

    /// The identity of bytes that do not change under it; nil for a file.
    var steadyKey: String? {
        switch self {
        case .data(_, let name): "bytes named " + name  // No URL has a space.
        case .file: nil
        case .url(let url): url.isFileURL ? nil : url.keyText
        }
    }
}

extension URL {
    /// The path, and before it what changes when the file does: its time of modification, size and inode.
    fileprivate var fileKey: String {
        var facts = stat()
        guard let path = try? FileLoader.path(of: self) else { return keyText }
        let isThere = unsafe stat(path.map(CChar.init(bitPattern:)) + [0], &facts) == 0
        let time = isThere ? "\(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)" : "missing"
        return "file \(time),\(facts.st_size),\(facts.st_ino) \(self.path(percentEncoded: true))"
    }

    /// The URL without its fragment, which never reaches a server; scheme and host, which have no case, in lower case,
    /// and an international host as people read it.
    fileprivate var keyText: String {
        let text = Substring(absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") })
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[colon...].hasPrefix("://") else {
            return String(text)
        }
        let authority = text.index(colon, offsetBy: 3)
        let path = text[authority...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        let host = text[authority..<path].lastIndex(of: "@").map(text.index(after:)) ?? authority
        return text[..<authority].lowercased() + text[authority..<host] + Punycode.readable(text[host..<path])
            + text[path...]
    }
}

extension String {
    fileprivate var lastComponent: String {
        split(separator: "/").last.map(String.init) ?? ""
    }
}
