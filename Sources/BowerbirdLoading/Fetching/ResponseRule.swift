/// Which answers of a server are taken for a picture. The others are an error before their bodies are read.
public struct ResponseRule: Sendable {
    /// Any other status is `LoadingError.status`. By default 200 to 299.
    public var statuses: Set<Int>
    /// In lower case, without parameters: `image/png`, or `image/*` for all of a kind. Any other is
    /// `LoadingError.mediaType`. nil (the default) allows any, and leaves it to the bytes to say what they are.
    public var mediaTypes: Set<String>?
    /// A look of your own, at the head. What it throws becomes `LoadingError.refused`. Runs on no particular thread.
    public var check: (@Sendable (ResponseHead) throws -> Void)?

    /// Every success, unless more is said.
    public init(
        statuses: Set<Int> = Set(200...299), mediaTypes: Set<String>? = nil,
        check: (@Sendable (ResponseHead) throws -> Void)? = nil
    ) {
        self.statuses = statuses
        self.mediaTypes = mediaTypes
        self.check = check
    }

    /// Throws where the answer is not to be taken. One without a status is not judged by it.
    func check(_ head: ResponseHead) throws(LoadingError) {
        if let status = head.status, !statuses.contains(status) { throw .status(status) }
        if let mediaTypes { try check(mediaType(of: head), mediaTypes) }
        do { try check?(head) } catch { throw .refused("\(error)") }
    }

    private func mediaType(of head: ResponseHead) -> String {
        let type = head["content-type"]?.prefix { $0 != ";" } ?? ""
        return type.filter { $0 != " " }.lowercased()
    }

    private func check(_ type: String, _ allowed: Set<String>) throws(LoadingError) {
        let kind = type.contains("/") ? type.prefix { $0 != "/" } + "/*" : ""
        guard allowed.contains(type) || allowed.contains(String(kind)) else { throw .mediaType(type) }
    }
}
