import CCurl

/// The cookies of one loader, in memory. Only its loop's thread touches them, so libcurl needs no lock for them. Every
/// handle keeps the jar, which must outlive them all.
@safe
final class CookieJar {
    /// Nil where there was no memory: then there are no cookies.
    let share: UnsafeMutableRawPointer?

    init() {
        unsafe share = curl_share_init()
        if let share = unsafe share { unsafe ccurl_share(share, CURL_LOCK_DATA_COOKIE) }
    }

    deinit {
        if let share = unsafe share { unsafe curl_share_cleanup(share) }
    }
}
