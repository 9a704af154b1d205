/// One direction of a table of colours: which values of a component its first and its last entry stand for.
package struct TableAxis: Hashable, Sendable {
    /// At least 2.
    package let count: Int
    package let lower: Double
    /// More than `lower`.
    package let upper: Double

    package init(count: Int, lower: Double, upper: Double) {
        precondition(count >= 2 && lower < upper)
        self.count = count
        self.lower = lower
        self.upper = upper
    }

    /// The nearer one of the two entries around a value from 0 to 255, and how much of the way to the next one is left
    /// behind. Values outside are taken for the first or the last that the table has.
    package func place(of byte: Int) -> (index: Int, share: Double) {
        let position = (Double(byte) / 255 - lower) / (upper - lower) * Double(count - 1)
        let inside = position > 0 ? min(position, Double(count - 1)) : 0
        let index = min(Int(inside), count - 2)
        return (index, inside - Double(index))
    }
}
