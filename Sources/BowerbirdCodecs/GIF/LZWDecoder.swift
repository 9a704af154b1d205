import Glibc

/// Unpacks the LZW data of one picture, piece by piece as they come.
///
/// A string of the table is a piece of what was written before, so that it is an offset and a length, and unpacking it
/// is a copy. The single colours stand before the pixels for the same reason.
final class LZWDecoder {
    enum State {
        case hungry
        /// All pixels are there, or the data say that no more come.
        case ended
        /// The data contradict themselves: nothing behind them can be known.
        case damaged
    }

    /// How many pixels have been written.
    var pixelCount: Int { position - Self.literalCount }
    private(set) var state = State.hungry

    /// The 256 single colours, the pixels, and room for the last copy.
    private let memory: UnsafeMutableRawPointer
    /// Of each string: its offset in `memory`, shifted left by 16, and its length.
    private let strings: UnsafeMutablePointer<UInt64>
    /// Behind the last pixel.
    private let end: Int
    /// Of the next pixel.
    private var position = literalCount

    private let minimumCodeSize: Int
    private var codeSize: Int
    private var nextCode: Int
    /// The string before; its length is 0 where there is none.
    private var previous = (offset: 0, length: 0)
    /// Bits that have come and are no whole code yet, the first one lowest.
    private var bits: UInt64 = 0
    private var bitCount = 0

    private static let literalCount = 256
    private static let maximumCodeCount = 4096
    private static let maximumCodeSize = 12
    /// Copies are made in pieces of this many bytes, whatever lies behind their end: later ones write over it.
    private static let chunk = 16

    /// Room for `pixelCount` pixels, which the caller has checked; nil where the machine has not that much memory.
    init?(minimumCodeSize: Int, pixelCount: Int) {
        precondition((1...8).contains(minimumCodeSize) && pixelCount >= 0)
        let stringsByteCount = Self.maximumCodeCount * MemoryLayout<UInt64>.stride
        guard let memory = malloc(stringsByteCount + Self.literalCount + pixelCount + Self.chunk) else { return nil }
        strings = memory.bindMemory(to: UInt64.self, capacity: Self.maximumCodeCount)
        self.memory = memory + stringsByteCount
        self.minimumCodeSize = minimumCodeSize
        end = Self.literalCount + pixelCount
        codeSize = minimumCodeSize + 1
        nextCode = 1 << minimumCodeSize + 2
        if pixelCount == 0 { state = .ended }
        for literal in 0..<Self.literalCount {
            self.memory.storeBytes(of: UInt8(literal), toByteOffset: literal, as: UInt8.self)
        }
        for code in 0..<Self.maximumCodeCount { strings[code] = UInt64(code) << 16 | 1 }
    }

    deinit { free(strings) }

    /// What has been unpacked: an index of the palette for each pixel.
    var pixels: UnsafeBufferPointer<UInt8> {
        let start = (memory + Self.literalCount).assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: start, count: pixelCount)
    }

    /// Goes on with the next bytes. Never writes beyond the room for the pixels, whatever they say.
    ///
    /// Invariants: a string ends before `position`, but for the last byte of the newest one, which is the one at
    /// `position`; so a copy reads what has been written.
    func decode(_ data: UnsafeRawBufferPointer) {
        guard state == .hungry, var source = data.baseAddress else { return }
        let sourceEnd = source + data.count
        let (memory, strings, end) = (memory, strings, end)
        let clear = 1 << minimumCodeSize
        var (bits, bitCount) = (bits, bitCount)
        var (codeSize, nextCode, position) = (codeSize, nextCode, position)
        var (previousOffset, previousLength) = previous

        reading: while true {
            if sourceEnd - source >= 8 {
                let next = UInt64(littleEndian: source.loadUnaligned(as: UInt64.self))
                bits |= next &<< UInt64(truncatingIfNeeded: bitCount)
                source += (63 &- bitCount) &>> 3
                bitCount |= 56
            } else {
                while bitCount <= 56, source < sourceEnd {
                    bits |= UInt64(source.load(as: UInt8.self)) &<< UInt64(truncatingIfNeeded: bitCount)
                    source += 1
                    bitCount &+= 8
                }
                if bitCount < codeSize { break }
            }
            while bitCount >= codeSize {
                let code = Int(truncatingIfNeeded: bits) & (1 &<< codeSize &- 1)
                bits &>>= UInt64(truncatingIfNeeded: codeSize)
                bitCount &-= codeSize
                if code == clear {
                    codeSize = minimumCodeSize &+ 1
                    nextCode = clear &+ 2
                    previousLength = 0
                    continue
                }
                if code == clear &+ 1 {
                    state = .ended
                    break reading
                }
                if previousLength > 0, nextCode < Self.maximumCodeCount {
                    strings[nextCode] =
                        UInt64(truncatingIfNeeded: previousOffset) &<< 16
                        | UInt64(truncatingIfNeeded: previousLength &+ 1)
                    nextCode &+= 1
                }
                // The first code after a clear is a colour, and there is no string yet that any other could mean.
                if code >= nextCode || previousLength == 0 && code > clear {
                    state = .damaged
                    break reading
                }
                if nextCode == 1 &<< codeSize, codeSize < Self.maximumCodeSize { codeSize &+= 1 }

                let offset = Int(truncatingIfNeeded: strings[code] &>> 16)
                var length = Int(truncatingIfNeeded: strings[code] & 0xFFFF)
                if length > end &- position {
                    length = end &- position
                    state = .ended
                }
                Self.copy(length, from: memory + offset, to: memory + position)
                if offset &+ length > position {
                    let first = memory.load(fromByteOffset: offset, as: UInt8.self)
                    memory.storeBytes(of: first, toByteOffset: position &+ length &- 1, as: UInt8.self)
                }
                previousOffset = position
                previousLength = length
                position &+= length
                if position == end {
                    state = .ended
                    break reading
                }
            }
        }
        (self.bits, self.bitCount) = (bits, bitCount)
        (self.codeSize, self.nextCode, self.position) = (codeSize, nextCode, position)
        previous = (previousOffset, previousLength)
    }

    @inline(__always)
    private static func copy(_ length: Int, from source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
        if length > 4 * chunk {
            target.copyMemory(from: source, byteCount: length)
            return
        }
        var done = 0
        repeat {
            let bytes = source.loadUnaligned(fromByteOffset: done, as: SIMD16<UInt8>.self)
            target.storeBytes(of: bytes, toByteOffset: done, as: SIMD16<UInt8>.self)
            done &+= chunk
        } while done < length
    }
}
