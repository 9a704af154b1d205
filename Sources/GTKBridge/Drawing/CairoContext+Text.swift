internal import CGTK

extension CairoContext {
    /// Draws one line of text in the sans-serif font of the system.
    /// - Parameters:
    ///   - x: The left edge.
    ///   - y: The top of the line.
    ///   - size: The height of the font, in pixels.
    ///   - maximumWidth: A longer text ends in "…"; nil for no limit.
    /// - Returns: how much room the line takes.
    @discardableResult
    public func draw(
        _ text: String, x: Double, y: Double, size: Double, color: RGBA, isBold: Bool = false,
        maximumWidth: Double? = nil
    ) -> (width: Double, height: Double) {
        let layout = pango_cairo_create_layout(pointer)
        defer { if let layout { g_object_unref(layout.raw) } }
        setFont(of: layout, size: size, isBold: isBold)
        pango_layout_set_text(layout, text, -1)
        pango_layout_set_single_paragraph_mode(layout, 1)
        if let maximumWidth { limitWidth(of: layout, to: maximumWidth) }
        cairo_move_to(pointer, x, y)
        setSource(color)
        pango_cairo_show_layout(pointer, layout)
        return extent(of: layout)
    }

    private func setFont(of layout: OpaquePointer?, size: Double, isBold: Bool) {
        let font = pango_font_description_new()
        defer { pango_font_description_free(font) }
        pango_font_description_set_family(font, "Sans")
        pango_font_description_set_absolute_size(font, size * Double(PANGO_SCALE))
        pango_font_description_set_weight(font, isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        pango_layout_set_font_description(layout, font)
    }

    private func limitWidth(of layout: OpaquePointer?, to width: Double) {
        pango_layout_set_width(layout, Int32(min(max(width, 0), 1e6) * Double(PANGO_SCALE)))
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    }

    private func extent(of layout: OpaquePointer?) -> (width: Double, height: Double) {
        var (width, height): (Int32, Int32) = (0, 0)
        pango_layout_get_pixel_size(layout, &width, &height)
        return (Double(width), Double(height))
    }
}
