/// What has come of a sequence: one picture is a success, none of several a failure.
struct CollectedImages {
    private var responses: [ImageResponse] = []
    private var errors: [ImageError] = []

    mutating func add(_ step: ImageSequence.Step) {
        switch step {
        case .progress: break
        case .loaded(_, let response): responses.append(response)
        case .failed(_, let error): errors.append(error)
        }
    }

    var result: Result<[ImageResponse], ImageError> {
        responses.isEmpty && !errors.isEmpty ? .failure(.allFailed(errors)) : .success(responses)
    }
}
