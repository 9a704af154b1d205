/// Packs the pixels of one picture.
struct LZWEncoder {
    private static let maximumCodeCount = 4096
    private static let maximumBlockByteCount = 255

    private let minimumCodeSize: Int
    private var strings = LZWStrings()
    private var codeSize: Int
    private var nextCode: Int
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var block: [UInt8] = []
    private var result: [UInt8]

    private init(minimumCodeSize: Int) {
        self.minimumCodeSize = minimumCodeSize
        codeSize = minimumCodeSize + 1
        nextCode = 1 << minimumCodeSize + 2
        result = [UInt8(minimumCodeSize)]
    }

    /// The code size, the blocks of data, and the block that ends them.
    static func encode(_ indices: [UInt8], minimumCodeSize: Int) -> [UInt8] {
        var encoder = LZWEncoder(minimumCodeSize: minimumCodeSize)
        encoder.encode(indices)
        return encoder.result
    }

    private var clear: Int { 1 << minimumCodeSize }

    private mutating func encode(_ indices: [UInt8]) {
        write(clear)
        guard let first = indices.first else { return finish(nil) }
        var prefix = Int(first)
        for index in indices.dropFirst() {
            if let longer = strings.code(of: prefix, index) {
                prefix = longer
                continue
            }
            write(prefix)
            remember(prefix, index)
            prefix = Int(index)
        }
        finish(prefix)
    }

    /// The reader has the string one code later; the sizes of the codes follow what it has.
    private mutating func remember(_ prefix: Int, _ index: UInt8) {
        guard nextCode < Self.maximumCodeCount else { return startAnew() }
        strings.insert(nextCode, for: prefix, index)
        grow()
        nextCode += 1
    }

    private mutating func grow() {
        if nextCode == 1 << codeSize, codeSize < 12 { codeSize += 1 }
    }

    private mutating func startAnew() {
        write(clear)
        strings.removeAll()
        codeSize = minimumCodeSize + 1
        nextCode = clear + 2
    }

    private mutating func finish(_ last: Int?) {
        if let last {
            write(last)
            grow()
        }
        write(clear + 1)
        if bitCount > 0 { append(UInt8(truncatingIfNeeded: bits)) }
        if !block.isEmpty { endBlock() }
        result.append(0)
    }

    private mutating func write(_ code: Int) {
        bits |= UInt32(code) << UInt32(bitCount)
        bitCount += codeSize
        while bitCount >= 8 {
            append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }

    private mutating func append(_ byte: UInt8) {
        block.append(byte)
        if block.count == Self.maximumBlockByteCount { endBlock() }
    }

    private mutating func endBlock() {
        result.append(UInt8(block.count))
        result.append(contentsOf: block)
        block.removeAll(keepingCapacity: true)
    }
}

/// Strings by what they are: a shorter one and one index more.
private struct LZWStrings {
    /// A power of two, twice the strings that there can be, so that a search is short.
    private static let slotCount = 8192
    private static let free = UInt32.max
    /// 20 bits of what the string is, 12 of its code.
    private var slots = Array(repeating: free, count: slotCount)

    private func key(_ prefix: Int, _ index: UInt8) -> UInt32 { UInt32(prefix) << 8 | UInt32(index) }

    /// Where the string is, or where it would be put.
    private func slot(of key: UInt32) -> Int {
        var slot = Int((key &* 0x9E37_79B1) >> 19)
        while slots[slot] != Self.free, slots[slot] >> 12 != key { slot = (slot + 1) & (Self.slotCount - 1) }
        return slot
    }

    func code(of prefix: Int, _ index: UInt8) -> Int? {
        let slot = slots[slot(of: key(prefix, index))]
        return slot == Self.free ? nil : Int(slot & 0xFFF)
    }

    mutating func insert(_ code: Int, for prefix: Int, _ index: UInt8) {
        let key = key(prefix, index)
        slots[slot(of: key)] = key << 12 | UInt32(code)
    }

    mutating func removeAll() {
        for slot in slots.indices { slots[slot] = Self.free }
    }
}
