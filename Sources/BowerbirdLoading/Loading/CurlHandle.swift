import CCurl
import FoundationEssentials
import Glibc

/// An easy handle with the options that are the same for all transfers of a loader. It serves one after the other:
/// making it, setting it up and faulting in its buffers would be a fifth of the work for a small file.
@safe
final class CurlHandle {
    let easy: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private let configuration: HTTPLoader.Configuration
    private let commonFields: CurlList
    private let cookies: CookieJar
    /// The handle points into it.
    private var fields: CurlList
    /// Redirects are handed over like any answer where somebody else decides about them.
    private(set) var followsRedirects = true

    /// Nil where there is no memory.
    init?(_ configuration: HTTPLoader.Configuration, fields: CurlList, _ cookies: CookieJar) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe self.easy = easy
        self.configuration = configuration
        commonFields = fields
        self.fields = fields
        self.cookies = cookies
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        setOptions(configuration)
        setCallbacks()
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe errorText.deallocate()
    }

    /// Everything in which one transfer differs from another is set here, so that nothing of the last one is left.
    func begin(_ transfer: CurlTransfer, _ request: DataRequest) {
        fields = fields(of: request)
        unsafe errorText[0] = 0
        unsafe ccurl_set_list(easy, CURLOPT_HTTPHEADER, fields.first)
        setAddress(of: request.url)
        followsRedirects = configuration.onRedirect == nil && request.privateFields.isEmpty
        setFollowing(followsRedirects)
        setVerification(!request.allowsInvalidCertificate)
        setCookies(request.usesCookies && !request.hasField("cookie") ? cookies : nil)
        setContext(of: transfer)
    }

    private func fields(of request: DataRequest) -> CurlList {
        if request.headers.isEmpty { return commonFields }
        return CurlList(fields: configuration.fields(with: request.headers))
    }

    /// libcurl's own words, or its general ones where it had none for this case.
    func message(for result: CURLcode) -> String {
        let own = unsafe String(cString: errorText)
        return unsafe own.isEmpty ? String(cString: curl_easy_strerror(result)) : own
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        unsafe ccurl_get_long(easy, info, &value)
        return value
    }

    func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        unsafe ccurl_get_offset(easy, info, &value)
        return Int(value)
    }

    /// The address of the last redirect, or `url`, with which the transfer began: that one is not taken apart again.
    func effectiveURL(from url: URL) -> URL? {
        var text: UnsafePointer<CChar>?
        unsafe ccurl_get_string(easy, CURLINFO_EFFECTIVE_URL, &text)
        guard let text = unsafe text else { return nil }
        return unsafe strcmp(text, url.absoluteString) == 0 ? url : URL(string: String(cString: text))
    }
}

extension DataRequest {
    fileprivate func hasField(_ name: String) -> Bool { headers.keys.contains { $0.lowercased() == name } }
}
