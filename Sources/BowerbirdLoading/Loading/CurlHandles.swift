/// The handles of a loop that have done their work and wait for more. Only the loop's thread touches them.
struct CurlHandles {
    private let configuration: HTTPLoader.Configuration
    private let fields: CurlList
    private let limit: Int
    private let cookies = CookieJar()
    private var idle: [CurlHandle] = []

    init(_ configuration: HTTPLoader.Configuration, limit: Int) {
        self.configuration = configuration
        self.limit = limit
        fields = CurlList(fields: configuration.fields(with: [:]))
    }

    /// A handle that is ready for a transfer; nil where there is no memory.
    mutating func take() -> CurlHandle? { idle.popLast() ?? CurlHandle(configuration, fields: fields, cookies) }

    /// After a transfer that ended well. What another leaves in a handle is nowhere promised.
    mutating func giveBack(_ handle: CurlHandle) {
        if idle.count < limit { idle.append(handle) }
    }
}
