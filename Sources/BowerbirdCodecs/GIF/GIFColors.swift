import BowerbirdCore

/// A palette as pixels: one value for each of the 256 indices.
struct GIFColors: Sendable {
    private let values: [UInt32]

    /// - Parameters:
    ///   - palette: Red, green and blue of each colour; without one an index is a level of grey. Indices behind its end
    ///     are black.
    init(_ palette: [UInt8]?, transparentIndex: UInt8?, _ format: PixelFormat) {
        let palette = palette ?? (0...255).flatMap { [$0, $0, $0] }
        values = (0..<256).map { index in
            if transparentIndex.map(Int.init) == index { return 0 }
            let color = palette.dropFirst(3 * index).prefix(3)
            return Self.pixel(color.isEmpty ? [0, 0, 0] : Array(color), format)
        }
    }

    private static func pixel(_ color: [UInt8], _ format: PixelFormat) -> UInt32 {
        let components = format == .bgra8Premultiplied ? color.reversed() : color
        var value: UInt32 = 0xFF00_0000
        for (index, component) in components.enumerated() { value |= UInt32(component) << (8 * index) }
        return value.littleEndian
    }

    /// Writes the pixels of `indices`; there is room for as many.
    func paint(_ indices: UnsafeBufferPointer<UInt8>, to pixels: UnsafeMutablePointer<UInt32>) {
        guard let source = indices.baseAddress else { return }
        values.withUnsafeBufferPointer { values in
            guard let table = values.baseAddress else { return }
            for index in 0..<indices.count { pixels[index] = table[Int(source[index])] }
        }
    }
}
