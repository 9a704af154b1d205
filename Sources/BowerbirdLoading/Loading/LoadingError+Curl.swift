import CCurl
import FoundationEssentials

extension LoadingError {
    /// What a result of libcurl other than `CURLE_OK` means for this transfer.
    init(_ result: CURLcode, _ transfer: CurlTransfer) {
        self =
            switch result {
            case CURLE_COULDNT_RESOLVE_HOST: .hostNotFound(transfer.effectiveURL?.host(percentEncoded: false) ?? "")
            case CURLE_PARTIAL_FILE: Self.incomplete(transfer.progress)
            case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects
            case CURLE_OUT_OF_MEMORY: .outOfMemory
            case CURLE_UNSUPPORTED_PROTOCOL: Self.unsupported(transfer)
            case CURLE_OPERATION_TIMEDOUT: .timedOut(transfer.message(for: result))
            case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .invalidAnswer(transfer.message(for: result))
            case _ where isAboutConnecting(result): .cannotConnect(transfer.message(for: result))
            case _ where isAboutTLS(result): .insecure(transfer.message(for: result))
            default: .connectionLost(transfer.message(for: result))
            }
    }

    private static func incomplete(_ progress: (received: Int, expected: Int?)) -> LoadingError {
        .incomplete(received: progress.received, expected: progress.expected)
    }

    /// A redirect to another scheme, or an answer that is not HTTP.
    private static func unsupported(_ transfer: CurlTransfer) -> LoadingError {
        let scheme = transfer.effectiveURL?.scheme?.lowercased() ?? ""
        if scheme.hasPrefix("http") { return .invalidAnswer(transfer.message(for: CURLE_UNSUPPORTED_PROTOCOL)) }
        return .unsupportedScheme(scheme)
    }
}

private func isAboutConnecting(_ result: CURLcode) -> Bool {
    [CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY, CURLE_URL_MALFORMAT].contains(result)
}

private func isAboutTLS(_ result: CURLcode) -> Bool {
    [
        CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
        CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
    ].contains(result)
}
