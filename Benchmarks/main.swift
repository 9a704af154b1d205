// bowerbird-bench [--json] [--topic NAME]…
//
// Measures Bowerbird beside the raw libraries and prints a table. What others do on the machine decides over absolute
// figures, so few but ratios and memory have limits, and a limit that does not hold does not make the exit status 1.

import Glibc

var arguments = CommandLine.arguments.dropFirst()
if let child = MemoryChild(Array(arguments)) {
    exit(await child.run())
}

let printsJSON = arguments.contains("--json")
arguments.removeAll { $0 == "--json" }

var topics: [Topic] = []
while let option = arguments.popFirst() {
    let name = arguments.popFirst()?.lowercased()
    guard option == "--topic", let topic = Topic.all.first(where: { $0.name.lowercased() == name }) else {
        printToStandardError("usage: bowerbird-bench [--json] [--topic NAME]…")
        printToStandardError("topics: " + Topic.all.map(\.name).joined(separator: ", "))
        exit(2)
    }
    topics.append(topic)
}

var reports: [Report] = []
for topic in topics.isEmpty ? Topic.all : topics {
    printToStandardError("measuring \(topic.name)")
    reports.append(await Report(of: topic))
}
print(printsJSON ? try Report.json(reports) : Report.table(reports))
exit(reports.contains { $0.failure != nil } ? 1 : 0)

func printToStandardError(_ line: String) {
    var line = line + "\n"
    _ = line.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
