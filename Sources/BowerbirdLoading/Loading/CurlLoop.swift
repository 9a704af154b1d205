import CCurl

/// The loop that drives all transfers. It is made, run and ended on one thread and never leaves it.
final class CurlLoop {
    private let mailbox: CurlMailbox
    private let configuration: HTTPLoader.Configuration
    private let idleTimeout: Milliseconds
    private var running: [ObjectIdentifier: CurlTransfer] = [:]
    /// How often libcurl was given the word.
    private var turn = 0
    private var queue: HostQueue<TransferOrder>
    private var handles: CurlHandles

    /// libcurl shortens this by its own timers.
    private static let longestWait: Milliseconds = 60_000
    /// Beyond this many idle connections the oldest is closed.
    private static let maximumKeptConnections = 32
    /// Each has a buffer of 32 KB.
    private static let maximumKeptHandles = 32

    init(mailbox: CurlMailbox, configuration: HTTPLoader.Configuration) {
        self.mailbox = mailbox
        self.configuration = configuration
        idleTimeout = configuration.idleTimeout.milliseconds
        queue = HostQueue(limit: configuration.maximumConnectionsPerHost)
        let kept = max(configuration.maximumConnectionsPerHost, Self.maximumKeptConnections)
        handles = CurlHandles(configuration, limit: Self.maximumKeptHandles)
        unsafe ccurl_multi_set_long(mailbox.multi, CURLMOPT_MAXCONNECTS, kept)
    }

    /// Returns when nobody is left to read: then nothing needs an answer.
    func run() {
        while obey(mailbox.takeAll()) {
            perform()
            endFinished()
            let timeout = endSilent(now: Monotonic.now)
            for transfer in running.values { transfer.announce() }
            rest(timeout)
        }
        for transfer in running.values { release(transfer) }
        running = [:]
        unsafe curl_multi_cleanup(mailbox.multi)
    }

    /// False: it is time to end.
    private func obey(_ commands: [CurlMailbox.Command]) -> Bool {
        for command in commands {
            switch command {
            case .start(let order): enter(order)
            case .resume(let body): resume(body)
            case .cancel(let body): cancel(body)
            case .stop: return false
            }
        }
        return true
    }

    private func enter(_ order: TransferOrder) {
        let mayStart = queue.enter(order, order.host)
        if mayStart, !start(order) { leave(order.host) }
    }

    /// One to this host has ended: the next that is still wanted takes its place.
    private func leave(_ host: TransferHost) {
        while let order = queue.leave(host) {
            if start(order) { return }
        }
    }

    /// False: it has no place in the line any more.
    private func start(_ order: TransferOrder) -> Bool {
        guard order.body.begin() else { return false }
        guard let transfer = handles.take().map({ CurlTransfer(order, on: $0) }),
            unsafe curl_multi_add_handle(mailbox.multi, transfer.handle.easy) == CURLM_OK
        else {
            order.body.end(.outOfMemory)
            return false
        }
        transfer.firstTurn = turn + 1
        running[ObjectIdentifier(order.body)] = transfer
        return true
    }

    /// Bytes that libcurl held back come within this call; where they are refused, nothing else would end the transfer.
    private func resume(_ body: TransferBody) {
        guard let transfer = running[ObjectIdentifier(body)] else { return }
        let result = transfer.resume()
        if result != CURLE_OK { end(transfer, transfer.failure(for: result)) }
    }

    /// The answer has gone to the reader already; what is left is to let go of the connection.
    private func cancel(_ body: TransferBody) {
        guard let transfer = running[ObjectIdentifier(body)] else { return }
        end(transfer, .cancelled)
    }

    /// Until something comes over the network, or by the mailbox, or the time is over. For the few sockets of a loader
    /// epoll with `curl_multi_socket_action` is no better: it registers a socket anew for each request.
    private func rest(_ timeout: Milliseconds) {
        guard mailbox.mayRest() else { return }
        unsafe curl_multi_poll(mailbox.multi, nil, 0, Int32(clamping: timeout), nil)
    }

    private func perform() {
        turn += 1
        var active: Int32 = 0
        unsafe curl_multi_perform(mailbox.multi, &active)
    }

    private func endFinished() {
        var waiting: Int32 = 0
        while let message = unsafe curl_multi_info_read(mailbox.multi, &waiting) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            let result = unsafe message.pointee.data.result
            guard let transfer = unsafe CurlHandle.transfer(of: message.pointee.easy_handle) else { continue }
            end(transfer, transfer.failure(for: result))
        }
    }

    /// Ends transfers that were silent for too long, and tells how long the others may still be.
    private func endSilent(now: Milliseconds) -> Milliseconds {
        var wait = Self.longestWait
        for transfer in running.values {
            guard let left = transfer.silenceLeft(of: idleTimeout, now: now) else { continue }
            wait = min(wait, max(0, left))
            if left <= 0 { end(transfer, transfer.silence(of: configuration.idleTimeout)) }
        }
        return wait
    }

    private func release(_ transfer: CurlTransfer) {
        unsafe curl_multi_remove_handle(mailbox.multi, transfer.handle.easy)
        transfer.reportMetrics(isTakenUp: transfer.firstTurn <= turn)
    }

    /// Out of the multi handle first: that is what closes a connection in the middle of a body.
    private func end(_ transfer: CurlTransfer, _ error: LoadingError?) {
        release(transfer)
        running[ObjectIdentifier(transfer.order.body)] = nil
        if error == nil { handles.giveBack(transfer.handle) }
        leave(transfer.order.host)
        transfer.order.body.end(error)
    }
}
