/// Words and `--name value` pairs.
struct Arguments {
    private(set) var words: [String] = []
    private var values: [String: String] = [:]

    init(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let word = rest.popFirst() {
            if word.hasPrefix("--"), let value = rest.popFirst() { values[word] = value } else { words.append(word) }
        }
    }

    subscript(name: String) -> String? { values[name] }

    func number(_ name: String, _ usual: Int) -> Int { values[name].flatMap { Int($0) } ?? usual }
}
