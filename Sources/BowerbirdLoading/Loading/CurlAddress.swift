import CCurl
import FoundationEssentials

extension URL {
    /// Where a `Location` field from this address leads, as libcurl sees it when it follows by itself; nil where that is
    /// nowhere.
    func followed(to location: String) -> URL? {
        guard let address = CurlAddress(), address.go(to: absoluteString), address.go(to: location) else { return nil }
        return address.text.flatMap { URL(string: $0, encodingInvalidCharacters: false) }
    }
}

/// An address in libcurl's form.
@safe
private struct CurlAddress: ~Copyable {
    private let handle: OpaquePointer

    init?() {
        guard let handle = unsafe curl_url() else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe curl_url_cleanup(handle) }

    /// `text` may be relative to where this is. Other schemes are let through here, to be named in an error.
    func go(to text: String) -> Bool {
        let flags = UInt32(CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME)
        return unsafe curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK
    }

    var text: String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(handle, CURLUPART_URL, &text, 0) == CURLUE_OK, let text = unsafe text else {
            return nil
        }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
