/// Which bits of a pixel are its red, green, blue and alpha.
struct ChannelMasks {
    let red: Channel
    let green: Channel
    let blue: Channel
    let alpha: Channel
    let hasAlpha: Bool

    /// In that order; the ones that are missing are 0.
    init(_ masks: [UInt32]) {
        let masks = masks + Array(repeating: 0, count: max(0, 4 - masks.count))
        red = Channel(mask: masks[0], absent: 0)
        green = Channel(mask: masks[1], absent: 0)
        blue = Channel(mask: masks[2], absent: 0)
        alpha = Channel(mask: masks[3], absent: 255)
        hasAlpha = masks[3] != 0
    }

    @inline(__always)
    func color(of pixel: UInt32, _ packing: PackedPixel) -> UInt32 {
        packing.pack(red.value(of: pixel), green.value(of: pixel), blue.value(of: pixel), alpha.value(of: pixel))
    }

    /// Some bits of a pixel, brought to 8.
    struct Channel {
        private let mask: UInt32
        private let shift: UInt32
        /// The 8 bits for each value, of which there are at most 256.
        private let values: [UInt8]

        /// A channel without bits is always `absent`. Of more than 8 bits only the first 8 count.
        init(mask: UInt32, absent: UInt8) {
            let width = 32 - mask.leadingZeroBitCount
            let unused = max(mask.trailingZeroBitCount, width - 8)
            shift = mask == 0 ? 0 : UInt32(unused)
            self.mask = mask
            let most = Int(mask >> shift)
            values = mask == 0 ? [absent] : (0...most).map { UInt8(($0 * 255 + most / 2) / max(most, 1)) }
        }

        @inline(__always)
        func value(of pixel: UInt32) -> UInt8 { values[Int((pixel & mask) >> shift)] }
    }
}
