/// How a picture meets a target size. This is the one place where the size of a scaled picture is computed.
public enum ScaleMode: String, Hashable, Sendable, CaseIterable {
    /// The whole picture inside the target, proportions kept. The default everywhere.
    case fit
    /// The smallest picture that covers the target, proportions kept; nothing is cut off.
    case fill
    /// Exactly the target, proportions given up.
    case exact

    /// The size in which a picture of `size` is shown for `target`.
    ///
    /// Each side is rounded to the nearest pixel and is at least 1. Without `allowsUpscaling` (the default) a picture
    /// is never made larger: `.fit` and `.fill` then give its own size, `.exact` cuts each side to its own.
    public func size(of size: PixelSize, in target: PixelSize, allowsUpscaling: Bool = false) -> PixelSize {
        guard !size.isEmpty, !target.isEmpty else { return size }
        if self == .exact { return exactSize(of: size, in: target, allowsUpscaling: allowsUpscaling) }
        let horizontal = Double(target.width) / Double(size.width)
        let vertical = Double(target.height) / Double(size.height)
        let factor = self == .fit ? min(horizontal, vertical) : max(horizontal, vertical)
        return size.scaled(by: allowsUpscaling ? factor : min(factor, 1))
    }

    private func exactSize(of size: PixelSize, in target: PixelSize, allowsUpscaling: Bool) -> PixelSize {
        if allowsUpscaling { return target }
        return PixelSize(width: min(size.width, target.width), height: min(size.height, target.height))
    }
}

extension PixelSize {
    fileprivate func scaled(by factor: Double) -> PixelSize {
        PixelSize(width: Self.scaled(width, by: factor), height: Self.scaled(height, by: factor))
    }

    private static func scaled(_ side: Int, by factor: Double) -> Int {
        max(1, Int(exactly: (Double(side) * factor).rounded()) ?? .max)
    }
}
