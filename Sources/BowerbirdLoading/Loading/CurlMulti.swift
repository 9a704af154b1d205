import BowerbirdCore
import CCurl
import Glibc

/// libcurl's multi interface on a thread of its own. The thread lives as long as this object: a loader holds it, and so
/// does every reader, so that a stream outlives its loader.
final class CurlMulti: Sendable {
    private let mailbox: CurlMailbox

    private init(mailbox: CurlMailbox) { self.mailbox = mailbox }

    deinit { mailbox.stop() }

    static func start(_ configuration: HTTPLoader.Configuration) throws(LoadingError) -> CurlMulti {
        guard isLibraryReady, let handle = unsafe curl_multi_init() else { throw .outOfMemory }
        let mailbox = unsafe CurlMailbox(multi: handle)
        guard startThread(Launch(mailbox: mailbox, configuration: configuration)) else {
            unsafe curl_multi_cleanup(handle)
            throw .outOfMemory
        }
        return CurlMulti(mailbox: mailbox)
    }

    func start(_ order: TransferOrder) { mailbox.post(.start(order)) }
    func resume(_ body: TransferBody) { mailbox.post(.resume(body)) }
    func cancel(_ body: TransferBody) { mailbox.post(.cancel(body)) }

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    private static func startThread(_ launch: Launch) -> Bool {
        let context = unsafe Unmanaged.passRetained(launch).toOpaque()
        let isStarted = unsafe startDetachedThread(runLoop, context)
        if !isStarted { unsafe Unmanaged<Launch>.fromOpaque(context).release() }
        return isStarted
    }
}

/// What the thread is born with.
private final class Launch: Sendable {
    let mailbox: CurlMailbox
    let configuration: HTTPLoader.Configuration

    init(mailbox: CurlMailbox, configuration: HTTPLoader.Configuration) {
        self.mailbox = mailbox
        self.configuration = configuration
    }
}

private typealias ThreadBody = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

private func startDetachedThread(_ body: ThreadBody, _ context: UnsafeMutableRawPointer) -> Bool {
    var thread = pthread_t()
    guard unsafe pthread_create(&thread, nil, body, context) == 0 else { return false }
    pthread_detach(thread)
    return true
}

private func runLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let launch = unsafe Unmanaged<Launch>.fromOpaque(context).takeRetainedValue()
    unsafe ccurl_name_thread("bowerbird-http")
    blockSignals()
    CurlLoop(mailbox: launch.mailbox, configuration: launch.configuration).run()
    return nil
}

/// Signals are the application's. `SIGPIPE`, which TLS can raise here, then never kills it.
private func blockSignals() {
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
}
