/// A URL as text, taken apart only as far as its query: before it, its items, and the fragment behind it.
struct URLText {
    private let head: Substring
    /// Nil where there is no question mark.
    private let query: Substring?
    private let fragment: Substring

    struct Item {
        let text: Substring
        /// Percent-decoded, like the value.
        let name: String
        let value: String

        init(_ text: Substring) {
            let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
            self.text = text
            name = text[..<equals].percentDecoded
            value = text[equals...].dropFirst().percentDecoded
        }
    }

    init(_ url: String) {
        let end = url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
        let mark = url.utf8[..<end].firstIndex(of: UInt8(ascii: "?"))
        head = url[..<(mark ?? end)]
        query = mark.map { url[url.utf8.index(after: $0)..<end] }
        fragment = url[end...]
    }

    /// In their order. A question mark with nothing behind it has one that is empty.
    var items: [Item] {
        guard let query else { return [] }
        return query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map {
            Item(Substring($0))
        }
    }

    /// The URL without the items of these names; without a question mark when none is left.
    func removingItems(where isRemoved: (String) -> Bool) -> String {
        let kept = items.filter { !isRemoved($0.name) }.map(\.text)
        return head + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")) + fragment
    }
}
