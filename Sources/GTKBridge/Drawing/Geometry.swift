internal import CGTK

/// A rectangle in logical pixels (of a widget) or pixels (of a surface); y grows downwards.
public nonisolated struct Rectangle: Hashable, Sendable {
    /// The corner at the top left, and the size.
    public var x, y, width, height: Double

    /// The rectangle whose top left corner is (`x`, `y`).
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The largest rectangle of the proportions of `width` × `height` inside this one, centred; empty when either is.
    public func fitting(width: Double, height: Double) -> Rectangle {
        guard width > 0, height > 0 else { return Rectangle(x: x, y: y, width: 0, height: 0) }
        let scale = min(self.width / width, self.height / height)
        let fitted = (width: width * scale, height: height * scale)
        return Rectangle(
            x: x + (self.width - fitted.width) / 2, y: y + (self.height - fitted.height) / 2, width: fitted.width,
            height: fitted.height)
    }
}

/// A color with straight alpha, each part from 0 to 1, sRGB.
public nonisolated struct RGBA: Hashable, Sendable {
    /// From 0 to 1.
    public var red, green, blue, alpha: Double

    /// An opaque color, unless `alpha` says otherwise.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// A grey: 0 is black, 1 white.
    public init(grey: Double, alpha: Double = 1) {
        self.init(red: grey, green: grey, blue: grey, alpha: alpha)
    }
}

extension graphene_rect_t {
    nonisolated init(_ rectangle: Rectangle) {
        self.init(
            origin: graphene_point_t(x: Float(rectangle.x), y: Float(rectangle.y)),
            size: graphene_size_t(width: Float(rectangle.width), height: Float(rectangle.height)))
    }
}

extension GdkRGBA {
    nonisolated init(_ color: RGBA) {
        self.init(
            red: Float(color.red), green: Float(color.green), blue: Float(color.blue), alpha: Float(color.alpha))
    }
}
