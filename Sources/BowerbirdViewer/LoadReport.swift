import Bowerbird

/// A table of what a page has loaded, and the proof that a second time needs no network.
struct LoadReport {
    let page: String
    let log: LoadLog
    let requests: [ImageRequest]

    /// `pipeline` is the one that has loaded everything; `restarted` has the same disk cache and an empty memory, as
    /// after a restart of the program.
    func text(_ pipeline: ImagePipeline, restarted: ImagePipeline) async -> String {
        var rows = [["", page, "bytes", "pixels", "from", "1st preview", "final", "again", "after restart"]]
        var origins: [ImageResponse.Origin] = []
        for (index, entry) in log.entries.enumerated() {
            guard entry.arrived != nil else {
                rows.append([String(index + 1), entry.name, entry.error?.description ?? "not loaded"])
                continue
            }
            let second = try? await pipeline.response(for: requests[index])
            let third = try? await restarted.response(for: requests[index])
            origins += [second, third].compactMap { $0?.origin }
            rows.append(row(index, entry, second, third))
        }
        let networkCount = origins.count { $0 == .network }
        return TextTable(rows).text + "\nloaded again \(origins.count) times, \(networkCount) from the network\n"
    }

    private func row(
        _ index: Int, _ entry: LoadLog.Entry, _ second: ImageResponse?, _ third: ImageResponse?
    ) -> [String] {
        let response = entry.arrived
        return [
            String(index + 1), entry.name, response?.byteCount.map(String.init) ?? "–",
            response?.image.header.size.description ?? "–", response?.origin.rawValue ?? "–",
            response?.timings.firstPreview.map { "\($0.milliseconds) ms" } ?? "–", response?.time ?? "–",
            second?.originAndTime ?? "–", third?.originAndTime ?? "–",
        ]
    }
}

extension ImageResponse {
    fileprivate nonisolated var time: String { "\(timings.total.milliseconds) ms" }
    fileprivate nonisolated var originAndTime: String { "\(origin.rawValue) \(time)" }
}

/// Columns that are as wide as their widest cell. A row with fewer cells than the first one is a message.
private struct TextTable {
    private let rows: [[String]]

    init(_ rows: [[String]]) { self.rows = rows }

    var text: String {
        let full = rows.filter { $0.count == rows[0].count }
        let widths = rows[0].indices.map { column in full.map { $0[column].columnCount }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { index, cell in
                index == row.count - 1 ? cell : cell.padded(to: widths[index], atEnd: index == 1)
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

extension String {
    /// How many columns a terminal needs: two for each character of East Asia.
    fileprivate nonisolated var columnCount: Int {
        unicodeScalars.reduce(0) {
            $0 + ((0x1100...0x115F).contains($1.value) || (0x2E80...0xFFEF).contains($1.value) ? 2 : 1)
        }
    }

    fileprivate nonisolated func padded(to width: Int, atEnd: Bool) -> String {
        let space = String(repeating: " ", count: max(0, width - columnCount))
        return atEnd ? self + space : space + self
    }
}

extension Duration {
    /// Rounded to a tenth.
    nonisolated var milliseconds: Double { ((self / .milliseconds(1)) * 10).rounded() / 10 }
    /// Rounded to a tenth.
    nonisolated var seconds: Double { ((self / .seconds(1)) * 10).rounded() / 10 }
}

extension Int {
    /// Rounded to a tenth, decimal megabytes.
    nonisolated var megabytes: Double { (Double(self) / 100_000).rounded() / 10 }
}
