import CDeflate

/// Makes the checksums of a file's chunks right, which the fuzzer would hardly hit upon.
enum PNGRepair {
    /// - Parameter numbersFrames: Whether the chunks of an animation are numbered anew, too.
    static func repaired(_ file: [UInt8], numbersFrames: Bool) -> [UInt8] {
        var file = file
        var start = 8
        var number = 0
        while let end = end(ofChunkAt: start, in: file) {
            let type = String(decoding: file[start + 4..<start + 8], as: UTF8.self)
            if numbersFrames, ["fcTL", "fdAT"].contains(type), end - start >= 16 {
                file.replaceSubrange(start + 8..<start + 12, with: PNGSketch.bytes(number))
                number += 1
            }
            let checked = Array(file[start + 4..<end - 4])
            let checksum = Int(libdeflate_crc32(0, checked, checked.count))
            file.replaceSubrange(end - 4..<end, with: PNGSketch.bytes(checksum))
            start = end
        }
        return file
    }

    private static func end(ofChunkAt start: Int, in file: [UInt8]) -> Int? {
        guard start + 12 <= file.count else { return nil }
        let length = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        return length <= file.count - start - 12 ? start + 12 + length : nil
    }
}
