/// Numbers as BlurHash writes them, the highest digit first.
enum Base83 {
    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    /// The value of each character that is one.
    private static let values = Dictionary(uniqueKeysWithValues: zip(alphabet, alphabet.indices))

    /// No longer than any BlurHash is; what is behind that is not looked at.
    static func digits(of text: String) throws(PlaceholderError) -> [Int] {
        let longest = 4 + 2 * 81
        var digits: [Int] = []
        for byte in text.utf8.prefix(longest + 1) {
            guard let value = values[byte] else { throw .unknownCharacter(at: digits.count) }
            digits.append(value)
        }
        return digits
    }

    static func number(_ digits: ArraySlice<Int>) -> Int { digits.reduce(0) { $0 * 83 + $1 } }

    static func text(_ number: Int, digits: Int) -> String {
        var (rest, bytes) = (number, [UInt8]())
        for _ in 0..<digits {
            bytes.append(alphabet[rest % 83])
            rest /= 83
        }
        return String(decoding: bytes.reversed(), as: UTF8.self)
    }
}
