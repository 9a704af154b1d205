/// One client of a `LocalServer`, on a thread of its own.
struct Connection {
    let socket: Socket
    let server: ServerCore

    /// Returns when either side is done.
    func serve() {
        var unread: [UInt8] = []
        while let request = readRequest(&unread), perform(server.answer(to: request)) {}
    }

    private func readRequest(_ unread: inout [UInt8]) -> LocalServer.Request? {
        while true {
            if let end = endOfHead(in: unread) {
                defer { unread.removeFirst(end) }
                return LocalServer.Request(head: String(decoding: unread[..<end], as: UTF8.self))
            }
            guard let bytes = socket.receive(), isLetter(bytes[0]) || !unread.isEmpty else { return nil }
            unread += bytes
        }
    }

    /// A request begins with the name of a method; a talk about TLS does not.
    private func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    private func endOfHead(in bytes: [UInt8]) -> Int? {
        let end = [UInt8]("\r\n\r\n".utf8)
        return bytes.indices.dropLast(3).first { bytes[$0..<$0 + 4].elementsEqual(end) }.map { $0 + 4 }
    }

    /// False: the connection is to be closed.
    private func perform(_ answer: LocalServer.Answer) -> Bool {
        answer.steps.allSatisfy(perform)
    }

    private func perform(_ step: LocalServer.Answer.Step) -> Bool {
        switch step {
        case .head(let status, let headers): send(head(status, headers))
        case .bytes(let bytes): send(bytes)
        case .zeros(let count): sendZeros(count)
        case .chunk(let bytes): send([UInt8]("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10])
        case .gate(let gate): gate.pass(for: socket)
        case .close: false
        }
    }

    private func head(_ status: Int, _ headers: [String: String]) -> [UInt8] {
        let fields = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        return [UInt8]("HTTP/1.1 \(status) Scripted\r\n\(fields)\r\n".utf8)
    }

    private func sendZeros(_ count: Int) -> Bool {
        let block = [UInt8](repeating: 0, count: 64 << 10)
        for start in stride(from: 0, to: count, by: block.count) {
            guard send([UInt8](block.prefix(count - start))) else { return false }
        }
        return true
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let count = socket.send(rest) else { return false }
            server.sent(count)
            rest = rest.dropFirst(count)
        }
        return true
    }
}

extension LocalServer.Request {
    fileprivate init?(head: String) {
        let lines = head.split(whereSeparator: \.isNewline)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        let fields = lines.dropFirst().compactMap(Self.field)
        self.init(
            method: String(words[0]), target: String(words[1]),
            headers: Dictionary(fields) { "\($0), \($1)" })
    }

    private static func field(_ line: Substring) -> (String, String)? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        return (line[..<colon].lowercased(), String(value))
    }
}
