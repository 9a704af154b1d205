import BowerbirdCore

extension Color {
    /// As a canonical pixel: premultiplied, each colour rounded to the nearest, blue in the lowest byte.
    var premultipliedPixel: UInt32 {
        UInt32(alpha) << 24 | premultiplied(red) << 16 | premultiplied(green) << 8 | premultiplied(blue)
    }

    private func premultiplied(_ component: UInt8) -> UInt32 { (UInt32(component) * UInt32(alpha) + 127) / 255 }
}
