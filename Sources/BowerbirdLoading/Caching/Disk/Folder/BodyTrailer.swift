import Glibc

/// What stands behind the bytes in a file: the facts of the entry, so that a cache without its database can be put
/// together again from its files.
///
///     body | facts | count of facts, count of body, checksum of body, checksum of facts and these, magic: 8 bytes each
///
/// Numbers are little-endian. It is found from the end of the file, and everything in it may be a lie.
enum BodyTrailer {
    /// `BOWBIRD1`: its last digit is the version of all this.
    private static let magic: Int64 = 0x3144_5249_4257_4F42
    private static let footerCount = 40
    /// Facts beyond this are no facts of ours: the longest key that a server takes is a thousandth of it.
    private static let maximumCount = 64 << 20

    static func bytes(of facts: EntryFacts) -> [UInt8] {
        var writer = FactsWriter()
        writer.write(facts)
        let count = writer.bytes.count
        for number in [Int64(count), Int64(facts.length), facts.checksum] { writer.write(number) }
        writer.write(writer.bytes.checksum)
        writer.write(magic)
        return writer.bytes
    }

    /// The facts of a file that is as long as they say; nil for any other. The bytes of the body are not looked at.
    static func facts(of file: borrowing OpenFile) -> EntryFacts? {
        guard let length = file.length, length >= footerCount,
            let footer = try? file.bytes(count: footerCount, from: length - footerCount)
        else { return nil }
        var reader = FactsReader(footer)
        guard let count = reader.count(), let body = reader.count(), count <= maximumCount,
            body <= length - footerCount, count == length - footerCount - body,
            let trailer = try? file.bytes(count: count + footerCount, from: body)
        else { return nil }
        return facts(in: trailer, count: count)
    }

    private static func facts(in trailer: [UInt8], count: Int) -> EntryFacts? {
        var footer = FactsReader(Array(trailer[count...]))
        guard footer.count() == count, let length = footer.count(), let bodyChecksum = footer.number(),
            footer.number() == Array(trailer[..<(count + 24)]).checksum, footer.number() == magic
        else { return nil }
        var reader = FactsReader(Array(trailer[..<count]))
        return reader.facts(length: length, checksum: bodyChecksum)
    }
}
