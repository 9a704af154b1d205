internal import CGTK

extension Widget {
    /// What the widget looked like in the frame that was drawn last, with everything inside it, one pixel a logical
    /// pixel. The cost of drawing it once more.
    public func screenshot() throws(GraphicsError) -> Texture {
        guard let renderer, gsk_renderer_is_realized(renderer) != 0 else { throw .notShown }
        guard let node = lastDrawing() else { throw .notShown }
        defer { gsk_render_node_unref(node) }
        var viewport = graphene_rect_t(Rectangle(x: 0, y: 0, width: Double(width), height: Double(height)))
        guard let texture = gsk_renderer_render_texture(renderer, node, &viewport) else { throw .notShown }
        return Texture(adopting: texture)
    }

    /// What the widget looks like in the next frame, with every change made so far. Throws `.notShown` when it is not on
    /// the screen, or leaves it before.
    ///
    /// A widget that has asked for a new drawing has none until the frame is painted, so `screenshot()` alone finds
    /// nothing of a busy widget.
    public func screenshotOfNextFrame() async throws(GraphicsError) -> Texture {
        guard isMapped, let clock = gtk_widget_get_frame_clock(cast()) else { throw .notShown }
        let frameClock = Object(retaining: clock)
        let result = await withCheckedContinuation { continuation in
            let answer = OneAnswer(continuation)
            answer.tokens = [
                frameClock.connect("after-paint") { [unowned self] _ in
                    CallbackMeter.skipCurrent()
                    answer.give(Result { () throws(GraphicsError) in try self.screenshot() })
                },
                onUnmap { answer.give(.failure(.notShown)) },
            ]
            queueDraw()
        }
        return try result.get()
    }

    /// Writes `screenshot()` as a PNG file.
    public func renderPNG(to path: String) throws(GraphicsError) {
        try screenshot().writePNG(to: path)
    }

    private func lastDrawing() -> OpaquePointer? {
        guard let paintable = gtk_widget_paintable_new(cast()), let snapshot = gtk_snapshot_new() else { return nil }
        defer { g_object_unref(paintable.raw) }
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        return gtk_snapshot_free_to_node(snapshot)
    }
}

/// A continuation that several signals may answer, and the first one does.
private final class OneAnswer {
    typealias Answer = Result<Texture, GraphicsError>

    var tokens: [SignalToken] = []
    private var continuation: CheckedContinuation<Answer, Never>?

    init(_ continuation: CheckedContinuation<Answer, Never>) { self.continuation = continuation }

    func give(_ answer: Answer) {
        for token in tokens { token.disconnect() }
        continuation?.resume(returning: answer)
        continuation = nil
    }
}
