import Bowerbird

extension EncodedImage {
    /// The same WebP animation with its frames several times, one round behind the other: compressing as many would take
    /// minutes.
    func repeatingWebPFrames(_ count: Int) throws -> EncodedImage {
        let bytes = withUnsafeBytes { Array($0) }
        let chunks = Self.chunks(of: bytes)
        guard let first = chunks.firstIndex(where: Self.isFrame) else { throw CannotMeasure("it does not move") }
        let others = chunks.filter { !Self.isFrame($0) }
        let frames = Array(repeating: chunks.filter(Self.isFrame), count: count).joined()
        let content = (others[..<first] + frames + others[first...]).flatMap { $0 }
        let size = UInt32(content.count + 4)
        let head = bytes[..<4] + (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + bytes[8..<12]
        guard let file = EncodedImage(head + content) else { throw CannotMeasure("there is no memory") }
        return file
    }

    private static func isFrame(_ chunk: ArraySlice<UInt8>) -> Bool { chunk.starts(with: Array("ANMF".utf8)) }

    /// What the file holds, each chunk with its head and padding.
    private static func chunks(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var chunks: [ArraySlice<UInt8>] = []
        var start = 12
        while start + 8 <= bytes.count {
            let size = (0..<4).reduce(0) { $0 | Int(bytes[start + 4 + $1]) << (8 * $1) }
            let end = min(bytes.count, start + 8 + size + size % 2)
            chunks.append(bytes[start..<end])
            start = end
        }
        return chunks
    }
}
