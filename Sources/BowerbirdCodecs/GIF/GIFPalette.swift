/// At most 256 colours and the way from a colour to its number. What is nothing counts as one of them.
struct GIFPalette {
    static let maximumCount = 256
    /// A power of two, four times the colours, so that a search is short.
    private static let slotCount = 1024
    private static let free: Int16 = -1

    /// As in `GIFPixels`.
    private(set) var colors: [UInt32] = []
    private var slots = Array(repeating: free, count: slotCount)

    init() {}

    /// The number of nothing.
    var transparentIndex: UInt8? { index(of: GIFPixels.nothing) }

    func index(of color: UInt32) -> UInt8? {
        let slot = slots[slot(of: color)]
        return slot == Self.free ? nil : UInt8(slot)
    }

    /// The number of the colour, which is added where it is new; nil where there is no room for it.
    mutating func insert(_ color: UInt32) -> UInt8? {
        let slot = slot(of: color)
        if slots[slot] != Self.free { return UInt8(slots[slot]) }
        guard colors.count < Self.maximumCount else { return nil }
        slots[slot] = Int16(colors.count)
        colors.append(color)
        return UInt8(colors.count - 1)
    }

    /// Where the colour is, or where it would be put.
    private func slot(of color: UInt32) -> Int {
        var slot = Int((color &* 0x9E37_79B1) >> 22)
        while slots[slot] != Self.free, colors[Int(slots[slot])] != color { slot = (slot + 1) % Self.slotCount }
        return slot
    }

    /// The numbers of all pixels; nil where a colour is missing.
    func indices(of pixels: GIFPixels) -> [UInt8]? { Self.indices(of: pixels) { index(of: $0) } }

    /// The same with the colours of the picture added; nil where they are too many.
    mutating func insert(_ pixels: GIFPixels) -> [UInt8]? { Self.indices(of: pixels) { insert($0) } }

    /// Neighbours are often equal, and asked for once.
    private static func indices(of pixels: GIFPixels, _ index: (UInt32) -> UInt8?) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(pixels.values.count)
        guard var last = pixels.values.first, var number = index(last) else { return nil }
        for pixel in pixels.values {
            if pixel != last {
                guard let found = index(pixel) else { return nil }
                (last, number) = (pixel, found)
            }
            result.append(number)
        }
        return result
    }
}
