import Glibc

/// A TCP socket on the loopback interface, blocking. Who opened it closes it.
struct Socket: Sendable {
    let descriptor: Int32

    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ call: String) { description = unsafe "\(call): \(String(cString: strerror(errno)))" }
    }

    /// On a free port. `backlog` clients may wait for `accept()`, and one more.
    static func listening(backlog: Int32 = SOMAXCONN) throws(Failure) -> Socket {
        let socket = try bound()
        guard listen(socket.descriptor, backlog) == 0 else {
            socket.close()
            throw Failure("listen")
        }
        return socket
    }

    /// Has a free port and refuses whoever wants to connect.
    static func bound() throws(Failure) -> Socket {
        let socket = Socket(descriptor: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0))
        guard socket.descriptor >= 0 else { throw Failure("socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let isBound = unsafe withPointer(to: &address) { unsafe bind(socket.descriptor, $0, $1) } == 0
        guard isBound else {
            socket.close()
            throw Failure("bind")
        }
        return socket
    }

    func port() throws(Failure) -> Int {
        var address = sockaddr_in()
        let result = unsafe Self.withPointer(to: &address) { pointer, length in
            var length = length
            return unsafe getsockname(descriptor, pointer, &length)
        }
        guard result == 0 else { throw Failure("getsockname") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// The next client; nil when the socket was shut down.
    func accept() -> Socket? {
        while true {
            let client = Glibc.accept(descriptor, nil, nil)
            if client >= 0 { return Socket(descriptor: client).sendingAtOnce() }
            guard [EINTR, ECONNABORTED].contains(errno) else { return nil }
        }
    }

    /// The next bytes; nil at the end.
    func receive() -> [UInt8]? {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
            unsafe count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// How many of these were taken; nil when nobody takes them.
    func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        return count > 0 ? count : nil
    }

    /// Waits for `other` to become readable. False: this socket's client left, or spoke out of turn, before.
    func waitUntilReady(orGoneBefore other: Int32) -> Bool {
        var watched = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        while unsafe poll(&watched, 2, -1) < 0, errno == EINTR {}
        return watched[0].revents == 0
    }

    /// Wakes who waits for it.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func close() { Glibc.close(descriptor) }

    private func sendingAtOnce() -> Socket {
        var yes: Int32 = 1
        let length = socklen_t(MemoryLayout<Int32>.size)
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, length)
        return self
    }

    private static func withPointer<Result>(
        to address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
