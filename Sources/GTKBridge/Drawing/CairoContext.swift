internal import CGTK

/// Draws with cairo. Valid only during the call that it was passed to.
public struct CairoContext {
    /// How a surface is drawn at another size.
    public nonisolated enum Filter: Sendable {
        /// Pixels stay squares.
        case nearest
        /// Between neighbours: fast, and good down to half the size.
        case bilinear
        /// Over all pixels: slow, and good when much smaller.
        case best
    }

    let pointer: OpaquePointer?

    /// Draws what `body` draws, and then takes back its transformations and clips.
    public func scoped(_ body: (CairoContext) -> Void) {
        cairo_save(pointer)
        defer { cairo_restore(pointer) }
        body(self)
    }

    /// Moves the origin.
    public func translate(x: Double, y: Double) {
        cairo_translate(pointer, x, y)
    }

    /// Makes what follows larger, around the origin.
    public func scale(x: Double, y: Double) {
        cairo_scale(pointer, x, y)
    }

    /// Turns what follows around the origin, clockwise.
    public func rotate(radians: Double) {
        cairo_rotate(pointer, radians)
    }

    /// Limits what follows to `rectangle`, whose corners are round if `radius` is not 0.
    public func clip(to rectangle: Rectangle, radius: Double = 0) {
        trace(rectangle, radius: radius)
        cairo_clip(pointer)
    }

    /// Fills `rectangle`, whose corners are round if `radius` is not 0.
    public func fill(_ rectangle: Rectangle, radius: Double = 0, with color: RGBA) {
        trace(rectangle, radius: radius)
        setSource(color)
        cairo_fill(pointer)
    }

    /// Draws a part of a circle.
    /// - Parameters:
    ///   - start: Where it begins, in radians, clockwise from the right.
    ///   - end: Where it ends.
    public func strokeArc(
        x: Double, y: Double, radius: Double, from start: Double, to end: Double, lineWidth: Double, with color: RGBA
    ) {
        cairo_new_path(pointer)
        cairo_arc(pointer, x, y, radius, start, end)
        setSource(color)
        cairo_set_line_width(pointer, lineWidth)
        cairo_set_line_cap(pointer, CAIRO_LINE_CAP_ROUND)
        cairo_stroke(pointer)
    }

    /// Draws all of `surface` so that it fills `rectangle`.
    public func draw(
        _ surface: CairoSurface, in rectangle: Rectangle, filter: Filter = .bilinear, opacity: Double = 1
    ) {
        guard rectangle.width > 0, rectangle.height > 0 else { return }
        let (width, height) = (Double(surface.width), Double(surface.height))
        scoped { _ in
            clip(to: rectangle)
            translate(x: rectangle.x, y: rectangle.y)
            scale(x: rectangle.width / width, y: rectangle.height / height)
            cairo_set_source_surface(pointer, surface.pointer, 0, 0)
            let pattern = cairo_get_source(pointer)
            cairo_pattern_set_filter(pattern, filter.cairo)
            // Otherwise the border is blended with the nothing around it.
            cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
            cairo_paint_with_alpha(pointer, opacity)
        }
    }

    func setSource(_ color: RGBA) {
        cairo_set_source_rgba(pointer, color.red, color.green, color.blue, color.alpha)
    }

    private func trace(_ rectangle: Rectangle, radius: Double) {
        let radius = min(radius, rectangle.width / 2, rectangle.height / 2)
        cairo_new_path(pointer)
        guard radius > 0 else {
            return cairo_rectangle(pointer, rectangle.x, rectangle.y, rectangle.width, rectangle.height)
        }
        let (left, right) = (rectangle.x + radius, rectangle.x + rectangle.width - radius)
        let (top, bottom) = (rectangle.y + radius, rectangle.y + rectangle.height - radius)
        cairo_arc(pointer, right, top, radius, -.pi / 2, 0)
        cairo_arc(pointer, right, bottom, radius, 0, .pi / 2)
        cairo_arc(pointer, left, bottom, radius, .pi / 2, .pi)
        cairo_arc(pointer, left, top, radius, .pi, 3 * .pi / 2)
        cairo_close_path(pointer)
    }
}

extension CairoContext.Filter {
    fileprivate var cairo: cairo_filter_t {
        switch self {
        case .nearest: CAIRO_FILTER_NEAREST
        case .bilinear: CAIRO_FILTER_BILINEAR
        case .best: CAIRO_FILTER_BEST
        }
    }
}
