import CCurl

/// A list of header fields in libcurl's form. It must outlive the transfer that uses it.
@safe
final class CurlList {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    init(fields: [String: String]) {
        for (name, value) in fields { append(name, value) }
    }

    deinit { unsafe curl_slist_free_all(first) }

    /// A line break would begin another field, so such a field is left out. libcurl writes a field without a value with
    /// a semicolon; with a colon it means that none shall be sent.
    private func append(_ name: String, _ value: String) {
        guard !(name + value).utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) else { return }
        let line = value.isEmpty ? "\(name);" : "\(name): \(value)"
        guard let longer = unsafe curl_slist_append(first, line) else { return }
        unsafe first = longer
    }
}
