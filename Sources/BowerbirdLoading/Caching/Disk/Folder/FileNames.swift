import Glibc

/// Names in folders, as they are and as we make them.
enum FileNames {
    /// The names in a folder, in no order; none when it cannot be read.
    static func inFolder(_ path: String) -> [String] {
        guard let listing = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(listing) }
        var names: [String] = []
        while let item = unsafe readdir(listing) {
            // `d_name` ends with a zero inside the item, which lives until the next `readdir`.
            let name = unsafe UnsafeRawPointer(item).advanced(by: MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            names.append(unsafe String(cString: name.assumingMemoryBound(to: CChar.self)))
        }
        return names.filter { $0 != "." && $0 != ".." }
    }

    /// What a symbolic link says; nil for what is none.
    static func target(ofLink path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe characters.baseAddress.map { start in unsafe readlink(path, start, characters.count) } ?? -1
            }
        }
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    /// A name that no other has.
    static func random() -> String { hexadecimal(.random(in: .min ... .max)) }

    /// 16 digits.
    static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
