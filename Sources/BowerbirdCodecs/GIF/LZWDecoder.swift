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
    var pixelCount: Int { position - LZWTable.literalCount }
    private(set) var state = State.hungry

    /// The 256 single colours, the pixels, and room for the last copy.
    private let memory: UnsafeMutableRawPointer
    /// Behind the last pixel.
    private let end: Int
    /// Of the next pixel.
    private var position = LZWTable.literalCount
    private var table: LZWTable
    private var bits = LZWBits()

    /// Copies are made in pieces of this many bytes, whatever lies behind their end: later ones write over it.
    private static let chunk = 16

    /// Room for `pixelCount` pixels, which the caller has checked; nil where the machine has not that much memory.
    init?(minimumCodeSize: Int, pixelCount: Int) {
        precondition((1...8).contains(minimumCodeSize) && pixelCount >= 0)
        let count = LZWTable.byteCount + LZWTable.literalCount + pixelCount + Self.chunk
        guard let allocation = malloc(count) else { return nil }
        table = LZWTable(minimumCodeSize: minimumCodeSize, in: allocation)
        memory = allocation + LZWTable.byteCount
        end = LZWTable.literalCount + pixelCount
        if pixelCount == 0 { state = .ended }
        for literal in 0..<LZWTable.literalCount {
            memory.storeBytes(of: UInt8(literal), toByteOffset: literal, as: UInt8.self)
        }
    }

    deinit { free(memory - LZWTable.byteCount) }

    /// What has been unpacked: an index of the palette for each pixel.
    var pixels: UnsafeBufferPointer<UInt8> {
        let start = (memory + LZWTable.literalCount).assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: start, count: pixelCount)
    }

    /// Goes on with the next bytes. Never writes beyond the room for the pixels, whatever they say.
    func decode(_ data: UnsafeRawBufferPointer) {
        guard state == .hungry, var source = data.baseAddress else { return }
        let sourceEnd = source + data.count
        // Copies, because the compiler can keep those in registers.
        var (bits, table, position) = (bits, table, position)
        reading: while bits.fill(from: &source, to: sourceEnd, atLeast: table.codeSize) {
            while bits.count >= table.codeSize {
                let code = bits.take(table.codeSize)
                if code == table.clear {
                    table.removeAll()
                    continue
                }
                let string = code == table.clear &+ 1 ? nil : table.string(code)
                guard let string else {
                    state = code == table.clear &+ 1 ? .ended : .damaged
                    break reading
                }
                position = write(string, at: position, &table)
                if position == end {
                    state = .ended
                    break reading
                }
            }
        }
        (self.bits, self.table, self.position) = (bits, table, position)
    }

    /// Writes as much of the string as there is room for, and gives the position behind it.
    ///
    /// A string ends before `position`, so that only what was written is read; but the newest one may end just there: its
    /// last pixel is then its first one.
    @inline(__always)
    private func write(_ string: LZWTable.String, at position: Int, _ table: inout LZWTable) -> Int {
        let length = min(string.length, end &- position)
        Self.copy(length, from: memory + string.offset, to: memory + position)
        if string.offset &+ length > position {
            let first = memory.load(fromByteOffset: string.offset, as: UInt8.self)
            memory.storeBytes(of: first, toByteOffset: position &+ length &- 1, as: UInt8.self)
        }
        table.previous = LZWTable.String(offset: position, length: length)
        return position &+ length
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

/// The strings that codes stand for. The memory is the decoder's.
private struct LZWTable {
    struct String {
        var offset: Int
        /// 0 where there is no string.
        var length: Int
    }

    static let literalCount = 256
    static let byteCount = maximumCount * MemoryLayout<UInt64>.stride
    private static let maximumCount = 4096
    private static let maximumCodeSize = 12

    /// The code that empties the table; the next one ends the data.
    let clear: Int
    private(set) var codeSize: Int
    /// The string before, which the next one makes longer by its first pixel.
    var previous = String(offset: 0, length: 0)
    private let minimumCodeSize: Int
    private var nextCode: Int
    /// Of each string: its offset shifted left by 16, and its length.
    private let strings: UnsafeMutablePointer<UInt64>

    init(minimumCodeSize: Int, in memory: UnsafeMutableRawPointer) {
        strings = memory.bindMemory(to: UInt64.self, capacity: Self.maximumCount)
        self.minimumCodeSize = minimumCodeSize
        clear = 1 << minimumCodeSize
        codeSize = minimumCodeSize + 1
        nextCode = clear + 2
        for code in 0..<Self.maximumCount { strings[code] = UInt64(code) << 16 | 1 }
    }

    @inline(__always)
    mutating func removeAll() {
        codeSize = minimumCodeSize &+ 1
        nextCode = clear &+ 2
        previous.length = 0
    }

    /// What the code stands for, once the string before has been added with what follows it; nil where the code stands for
    /// nothing. The first code after a clear is a single colour.
    @inline(__always)
    mutating func string(_ code: Int) -> String? {
        if previous.length > 0 {
            if nextCode < Self.maximumCount { add() }
            if code >= nextCode { return nil }
        } else if code > clear {
            return nil
        }
        if nextCode == 1 &<< codeSize, codeSize < Self.maximumCodeSize { codeSize &+= 1 }
        let string = strings[code]
        return String(offset: Int(truncatingIfNeeded: string &>> 16), length: Int(truncatingIfNeeded: string & 0xFFFF))
    }

    @inline(__always)
    private mutating func add() {
        strings[nextCode] =
            UInt64(truncatingIfNeeded: previous.offset) &<< 16 | UInt64(truncatingIfNeeded: previous.length &+ 1)
        nextCode &+= 1
    }
}

/// Bits that have come and are no whole code yet, the first one lowest. Those above `count` are a part of what follows
/// in the same piece, or 0.
private struct LZWBits {
    private(set) var count = 0
    private var bits: UInt64 = 0

    /// Takes in as many whole bytes as there is room for; false when that leaves fewer than `needed` bits.
    @inline(__always)
    mutating func fill(from source: inout UnsafeRawPointer, to end: UnsafeRawPointer, atLeast needed: Int) -> Bool {
        if end - source >= 8 {
            let next = UInt64(littleEndian: source.loadUnaligned(as: UInt64.self))
            bits |= next &<< UInt64(truncatingIfNeeded: count)
            source += (63 &- count) &>> 3
            count |= 56
            return true
        }
        while count <= 56, source < end {
            bits |= UInt64(source.load(as: UInt8.self)) &<< UInt64(truncatingIfNeeded: count)
            source += 1
            count &+= 8
        }
        return count >= needed
    }

    @inline(__always)
    mutating func take(_ size: Int) -> Int {
        let code = Int(truncatingIfNeeded: bits) & (1 &<< size &- 1)
        bits &>>= UInt64(truncatingIfNeeded: size)
        count &-= size
        return code
    }
}
