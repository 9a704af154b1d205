import CCurl
import FoundationEssentials

extension CurlHandle {
    func setOptions(_ configuration: HTTPLoader.Configuration) {
        // For redirects too.
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_MAXREDIRS, max(0, configuration.maximumRedirects))
        // Pictures are compressed already. A server that does it all the same is undone by libcurl.
        set(CURLOPT_ACCEPT_ENCODING, "identity")
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds)
        // A small picture and its head at once.
        set(CURLOPT_BUFFERSIZE, 32 << 10)
        set(CURLOPT_NOSIGNAL, 1)
        // Else a transfer that is cancelled while it looks for its host's address holds up all others until it has it.
        set(CURLOPT_QUICK_EXIT, 1)
    }

    func setFollowing(_ follows: Bool) { set(CURLOPT_FOLLOWLOCATION, follows ? 1 : 0) }

    func setAddress(of url: URL) {
        set(CURLOPT_URL, url.absoluteString)
        // Wait for word whether one HTTP/2 connection will do. Over plain HTTP the wait would be for the end of another
        // transfer.
        set(CURLOPT_PIPEWAIT, url.scheme?.lowercased() == "https" ? 1 : 0)
    }

    /// libcurl gives a connection, and what it remembers of a talk about TLS, only to who verifies as its maker did.
    func setVerification(_ verifies: Bool) {
        set(CURLOPT_SSL_VERIFYPEER, verifies ? 1 : 0)
        set(CURLOPT_SSL_VERIFYHOST, verifies ? 2 : 0)
    }

    /// Without a jar cookies are neither sent nor kept. A list of no files turns them off, and the empty file's name on;
    /// the jar must be set in between, or the handle would make one of its own.
    func setCookies(_ jar: CookieJar?) {
        unsafe ccurl_set_pointer(easy, CURLOPT_SHARE, jar?.share)
        unsafe ccurl_set_string(easy, CURLOPT_COOKIEFILE, nil)
        guard let share = unsafe jar?.share else { return }
        unsafe ccurl_set_pointer(easy, CURLOPT_SHARE, share)
        set(CURLOPT_COOKIEFILE, "")
    }

    func setContext(of transfer: CurlTransfer) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        unsafe ccurl_set_pointer(easy, CURLOPT_PRIVATE, context)
        unsafe ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        unsafe ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        unsafe ccurl_set_pointer(easy, CURLOPT_PREREQDATA, context)
    }

    func setCallbacks() {
        unsafe ccurl_set_receiver(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
            let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
            return unsafe CurlHandle.transfer(at: context)?.receive(body: bytes) ?? 0
        }
        unsafe ccurl_set_receiver(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
            unsafe CurlHandle.transfer(at: context)?.receive(line: UnsafeRawBufferPointer(start: bytes, count: count))
            return count
        }
        unsafe ccurl_set_before_request(easy) { context, _, _, _, _ in
            unsafe CurlHandle.transfer(at: context)?.beginWaiting()
            return CURL_PREREQFUNC_OK
        }
    }

    /// The transfer that this easy handle serves.
    static func transfer(of easy: UnsafeMutableRawPointer?) -> CurlTransfer? {
        var context: UnsafeMutableRawPointer?
        unsafe ccurl_get_pointer(easy, CURLINFO_PRIVATE, &context)
        return unsafe transfer(at: context)
    }

    /// The context that `setContext` gave: alive, since the loop keeps the transfer while its handle is in use.
    private static func transfer(at context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        unsafe context.map { unsafe Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func set(_ option: CURLoption, _ value: Int) { unsafe ccurl_set_long(easy, option, value) }
    private func set(_ option: CURLoption, _ value: String) { unsafe ccurl_set_string(easy, option, value) }
}
