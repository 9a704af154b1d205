internal import CGTK

/// What a widget's drawing in a frame is put together from. Valid only during the call that it was passed to.
///
/// Every push wants a `pop()`, every `save()` a `restore()`.
public struct Snapshot {
    let pointer: OpaquePointer

    /// What follows is seen through: 0 is invisible, 1 opaque.
    public func pushOpacity(_ opacity: Double) {
        gtk_snapshot_push_opacity(pointer, opacity)
    }

    /// What follows is limited to `rectangle`.
    public func pushClip(_ rectangle: Rectangle) {
        var bounds = graphene_rect_t(rectangle)
        gtk_snapshot_push_clip(pointer, &bounds)
    }

    /// What follows is limited to `rectangle` with round corners, which costs nothing in the image itself.
    public func pushRoundedClip(_ rectangle: Rectangle, radius: Double) {
        var bounds = graphene_rect_t(rectangle)
        var rounded = GskRoundedRect()
        gsk_rounded_rect_init_from_rect(&rounded, &bounds, Float(radius))
        gtk_snapshot_push_rounded_clip(pointer, &rounded)
    }

    /// Ends the last push.
    public func pop() {
        gtk_snapshot_pop(pointer)
    }

    /// Remembers the transformation.
    public func save() {
        gtk_snapshot_save(pointer)
    }

    /// Goes back to the transformation remembered last.
    public func restore() {
        gtk_snapshot_restore(pointer)
    }

    /// Moves the origin.
    public func translate(x: Double, y: Double) {
        var point = graphene_point_t(x: Float(x), y: Float(y))
        gtk_snapshot_translate(pointer, &point)
    }

    /// Makes what follows larger, around the origin.
    public func scale(x: Double, y: Double) {
        gtk_snapshot_scale(pointer, Float(x), Float(y))
    }

    /// Fills `rectangle`.
    public func append(_ color: RGBA, in rectangle: Rectangle) {
        var bounds = graphene_rect_t(rectangle)
        var color = GdkRGBA(color)
        gtk_snapshot_append_color(pointer, &color, &bounds)
    }

    /// Draws all of `texture` so that it fills `rectangle`.
    public func append(_ texture: Texture, in rectangle: Rectangle) {
        var bounds = graphene_rect_t(rectangle)
        gtk_snapshot_append_texture(pointer, texture.opaque, &bounds)
    }

    /// Draws with cairo, limited to `rectangle`, in the widget's coordinates.
    public func appendCairo(in rectangle: Rectangle, _ draw: (CairoContext) -> Void) {
        var bounds = graphene_rect_t(rectangle)
        guard let context = gtk_snapshot_append_cairo(pointer, &bounds) else { return }
        defer { cairo_destroy(context) }
        draw(CairoContext(pointer: context))
    }
}
