import Glibc

/// What this process has of the machine's memory.
package enum ResidentMemory {
    /// 0 where the system does not tell. Grows and shrinks by pages.
    package static var byteCount: Int {
        guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var text = [CChar](repeating: 0, count: 128)
        guard unsafe fgets(&text, Int32(text.count), file) != nil else { return 0 }
        // Size, resident pages, and more.
        let fields = text.prefix { $0 != 0 }.split(separator: 0x20)
        guard fields.count > 1 else { return 0 }
        let digits = String(decoding: fields[1].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (Int(digits) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
