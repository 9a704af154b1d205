extension LocalServer {
    /// What a server does for one request, step by step. It does just that: a head may promise what never comes.
    public struct Answer: Sendable {
        /// One thing to do.
        public enum Step: Sendable {
            /// A status line and header fields, as written.
            case head(Int, [String: String])
            case bytes([UInt8])
            /// So many bytes, all zero, without holding them in memory.
            case zeros(Int)
            /// One piece of a body with `Transfer-Encoding: chunked`; an empty one is the last.
            case chunk([UInt8])
            /// Waits until the test opens it, or the client goes away.
            case gate(Gate)
            /// Closes the connection; what is left of the steps is not done.
            case close
        }

        /// In order. After the last the connection waits for its next request.
        public var steps: [Step]

        /// An answer of any kind, also of one that breaks the rules.
        public init(_ steps: [Step]) { self.steps = steps }
    }
}

extension LocalServer.Answer {
    /// A good answer with its length.
    public static func ok(_ body: [UInt8], headers: [String: String] = [:]) -> Self {
        Self([head(200, headers, byteCount: body.count), .bytes(body)])
    }

    /// A large body that takes no memory here.
    public static func zeros(_ count: Int) -> Self { Self([head(200, byteCount: count), .zeros(count)]) }

    /// An answer of any status.
    public static func status(_ status: Int, headers: [String: String] = [:], body: [UInt8] = []) -> Self {
        Self([head(status, headers, byteCount: body.count), .bytes(body)])
    }

    /// 401, and what would help.
    public static func unauthorized(_ challenge: String = "Basic realm=\"test\"") -> Self {
        status(401, headers: ["WWW-Authenticate": challenge])
    }

    /// 503, or 429. `retryAfter` is a number of seconds or a date, as written.
    public static func busy(_ status: Int = 503, retryAfter: String) -> Self {
        Self.status(status, headers: ["Retry-After": retryAfter])
    }

    /// `location` may be absolute or relative.
    public static func redirect(to location: String, status: Int = 302) -> Self {
        Self([head(status, ["Location": location], byteCount: 0)])
    }

    /// The pieces of a body of known length, each but the first behind the next gate.
    public static func gated(_ pieces: [[UInt8]], by gates: [LocalServer.Gate]) -> Self {
        precondition(pieces.count == gates.count + 1, "a gate between two pieces")
        let byteCount = pieces.reduce(0) { $0 + $1.count }
        let later = zip(gates, pieces.dropFirst()).flatMap { [Step.gate($0), .bytes($1)] }
        return Self([head(200, [:], byteCount: byteCount), .bytes(pieces[0])] + later)
    }

    /// Promises the whole body, sends its first bytes and closes the connection.
    public static func cut(_ body: [UInt8], after count: Int) -> Self {
        Self([head(200, [:], byteCount: body.count), .bytes([UInt8](body.prefix(count))), .close])
    }

    /// A body whose head promises another length: of more bytes, after which the connection is closed early, or of fewer,
    /// where the rest stands in the way of the next answer.
    public static func wrongLength(_ body: [UInt8], said: Int) -> Self {
        Self([head(200, [:], byteCount: said), .bytes(body), .close])
    }

    /// A body whose length the head does not tell.
    public static func chunked(_ pieces: [[UInt8]], headers: [String: String] = [:]) -> Self {
        let head = Step.head(200, headers.merging(["Transfer-Encoding": "chunked"]) { $1 })
        return Self([head] + pieces.map { .chunk($0) } + [.chunk([])])
    }

    /// A head that promises a body of this length.
    public static func head(_ status: Int, _ headers: [String: String] = [:], byteCount: Int) -> Step {
        .head(status, headers.merging(["Content-Length": "\(byteCount)"]) { $1 })
    }
}
