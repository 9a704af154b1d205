import Bowerbird
import FoundationEssentials

/// What `bowerbird cache` says, for people and for programs.
struct CacheReport: Sendable {
    let console: Console
    let printsJSON: Bool

    private func show(_ text: @autoclosure () -> String, _ json: @autoclosure () -> JSONLine) {
        console.print(printsJSON ? json().text : text())
    }

    func show(_ statistics: DiskCache.Statistics, of folder: String) {
        show(statistics.text(of: folder), statistics.json(of: folder))
    }

    func show(_ files: [DiskCache.CachedFile]) {
        let now = Date()
        if !printsJSON, !files.isEmpty { console.print(DiskCache.CachedFile.heading) }
        for file in files { show(file.row(at: now), file.json) }
        if !printsJSON {
            let sum = files.reduce(0) { $0 + $1.byteCount }
            console.print("\(Figures.count(files.count, "file")), \(Figures.bytes(sum))")
        }
    }

    func showCopy(of entry: CacheEntry, _ address: String, in file: String) {
        var json = JSONLine()
        json.add("url", address)
        json.add("file", file)
        json.add("bytes", entry.data.count)
        show("\(file.printable): \(Figures.bytes(entry.data.count))", json)
    }

    func showRemoval(of count: Int) {
        var json = JSONLine()
        json.add("removed", count)
        show("removed \(Figures.count(count, "file"))", json)
    }

    func showMissing(_ address: String) { console.printRemark("it is not in the cache", on: address, as: "note") }

    func show(_ result: DiskCache.Verification) {
        for key in result.damaged { console.printRemark("it was damaged and is removed", on: key.text) }
        for key in result.missing { console.printRemark("its file was gone; it is removed", on: key.text) }
        show(result.text, result.json)
    }
}

extension DiskCache.Statistics {
    fileprivate func text(of folder: String) -> String {
        var lines = [
            ("files", Figures.grouped(entryCount)), ("bytes", Figures.bytes(byteCount)),
            ("on disk", Figures.bytes(allocatedByteCount)),
            ("pinned", "\(Figures.count(pinnedCount, "file")), \(Figures.bytes(pinnedAllocatedByteCount))"),
            ("in files", Figures.grouped(fileCount)), ("inline", Figures.grouped(inlineCount)),
            ("too old", Figures.grouped(expiredCount)), ("database", Figures.bytes(databaseByteCount)),
            ("log", Figures.bytes(logByteCount)),
        ]
        if let freeByteCount { lines.append(("free", Figures.bytes(freeByteCount))) }
        if let oldest { lines.append(("oldest", oldest.ISO8601Format())) }
        if let newest { lines.append(("newest", newest.ISO8601Format())) }
        return folder.printable + "\n" + lines.map { "  \($0.0.padded(to: 10))\($0.1)" }.joined(separator: "\n")
    }

    fileprivate func json(of folder: String) -> JSONLine {
        var json = JSONLine()
        json.add("folder", folder)
        json.add("files", entryCount)
        json.add("bytes", byteCount)
        json.add("allocated", allocatedByteCount)
        json.add("pinned", pinnedCount)
        json.add("pinnedAllocated", pinnedAllocatedByteCount)
        json.add("inFiles", fileCount)
        json.add("inline", inlineCount)
        json.add("expired", expiredCount)
        json.add("database", databaseByteCount)
        json.add("log", logByteCount)
        if let freeByteCount { json.add("free", freeByteCount) }
        if let oldest { json.add("oldest", oldest.ISO8601Format()) }
        if let newest { json.add("newest", newest.ISO8601Format()) }
        return json
    }
}

extension DiskCache.CachedFile {
    fileprivate static let heading = row("size", "stored", "used", "", "address")

    fileprivate func row(at now: Date) -> String {
        Self.row(
            Figures.bytes(byteCount), Figures.age(now.timeIntervalSince(storedAt)),
            Figures.age(now.timeIntervalSince(usedAt)), isPinned ? "pinned" : "", name.printable)
    }

    /// The address; behind it what was made of it, where that is what is kept.
    private var name: String {
        let rest = key.text.hasPrefix(url) ? key.text.dropFirst(url.count) : ""
        return url + rest
    }

    private static func row(_ cells: String...) -> String {
        zip(cells, [10, 8, 8, 8, 0]).map { $0.padded(to: $1) }.joined()
    }

    fileprivate var json: JSONLine {
        var json = JSONLine()
        json.add("key", key.text)
        json.add("source", key.source)
        json.add("url", url)
        if let mediaType { json.add("mediaType", mediaType) }
        json.add("bytes", byteCount)
        json.add("allocated", allocatedByteCount)
        json.add("stored", storedAt.ISO8601Format())
        json.add("used", usedAt.ISO8601Format())
        if let expiresAt { json.add("expires", expiresAt.ISO8601Format()) }
        json.add("pinned", isPinned)
        json.add("inline", isInline)
        json.add("tags", tags.sorted())
        return json
    }
}

extension DiskCache.Verification {
    fileprivate var text: String {
        var parts = [
            "\(Figures.count(checkedCount, "file")) read, \(Figures.bytes(checkedByteCount)) sound",
            "\(damaged.count) damaged", "\(missing.count) missing",
        ]
        if strayFileCount > 0 {
            parts.append("\(Figures.count(strayFileCount, "file")) of no entry (\(Figures.bytes(strayByteCount)))")
        }
        if !isComplete { parts.append("not all were read") }
        return parts.joined(separator: "; ")
    }

    fileprivate var json: JSONLine {
        var json = JSONLine()
        json.add("checked", checkedCount)
        json.add("bytes", checkedByteCount)
        json.add("damaged", damaged.map(\.text))
        json.add("missing", missing.map(\.text))
        json.add("strayFiles", strayFileCount)
        json.add("strayBytes", strayByteCount)
        json.add("complete", isComplete)
        return json
    }
}
