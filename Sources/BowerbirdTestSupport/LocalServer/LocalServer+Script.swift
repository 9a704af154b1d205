extension LocalServer {
    /// What a server does for all requests for one target.
    public struct Script: Sendable {
        let answer: @Sendable (_ request: Request, _ earlierCount: Int) -> Answer

        /// `answer` gets each request and how many came before it. It runs on the thread of the connection.
        public init(_ answer: @escaping @Sendable (_ request: Request, _ earlierCount: Int) -> Answer) {
            self.answer = answer
        }
    }
}

extension LocalServer.Script {
    /// The same each time.
    public static func always(_ answer: LocalServer.Answer) -> Self { Self { _, _ in answer } }

    /// One after the other, then the last again and again: busy twice and then fine, say.
    public static func inTurn(_ answers: [LocalServer.Answer]) -> Self {
        precondition(!answers.isEmpty, "at least one answer")
        return Self { _, earlierCount in answers[min(earlierCount, answers.count - 1)] }
    }

    /// A redirect to where it comes from.
    public static let redirectLoop = Self { request, _ in .redirect(to: request.target) }

    /// This, for who sends just this `Authorization`; 401 for the others.
    public static func guarded(_ authorization: String, _ answer: LocalServer.Answer) -> Self {
        Self { request, _ in request.headers["authorization"] == authorization ? answer : .unauthorized() }
    }

    /// A file: `LocalServer.Resource` says how it answers.
    public static func resource(_ resource: LocalServer.Resource) -> Self {
        Self { request, _ in resource.answer(to: request) }
    }
}
