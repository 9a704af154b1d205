/// An sRGB colour with straight (not premultiplied) alpha, 8 bits a component.
public struct Color: Hashable, Sendable {
    /// 0 is none, 255 the most.
    public var red: UInt8
    /// 0 is none, 255 the most.
    public var green: UInt8
    /// 0 is none, 255 the most.
    public var blue: UInt8
    /// 0 is transparent, 255 (the default) opaque.
    public var alpha: UInt8

    /// Opaque unless an alpha is given.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Opaque.
    public static let white = Color(red: 255, green: 255, blue: 255)
    /// Opaque.
    public static let black = Color(red: 0, green: 0, blue: 0)
    /// Wholly transparent.
    public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

    /// The same colour with another alpha.
    public func withAlpha(_ alpha: UInt8) -> Color {
        Color(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// `RRGGBBAA` in hexadecimal: what cache keys carry.
    public var hexadecimal: String {
        [red, green, blue, alpha].map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
