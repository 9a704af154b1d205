internal import CGTK
internal import CGTKWidgets

/// A widget that a subclass draws. All methods to override are called by GTK and do nothing here.
///
/// While it is in a window nobody needs to hold it. Its `deinit` tells that the widget is gone, and `didLeaveWindow()`
/// that its window was closed or it was taken out, in case somebody still holds it.
open class Canvas: Widget {
    /// A canvas that belongs to no window yet.
    public init() {
        let callbacks = BowerbirdCanvasCallbacks(
            snapshot: drawCanvas, measure: measureCanvas, allocate: allocateCanvas, event: tellCanvas)
        super.init(retaining: bowerbird_canvas_new(callbacks))
    }

    /// Draws the widget. Called only after `queueDraw()` and changes of size, not in every frame.
    open func draw(_ snapshot: Snapshot, width: Int, height: Int) {}

    /// How much room it wants along `axis`, in logical pixels. Default 0: what `setSizeRequest` and expansion give.
    open func measure(_ axis: Axis) -> (minimum: Int, natural: Int) { (0, 0) }

    /// It was given a size.
    open func didResize(width: Int, height: Int) {}

    /// It came onto the screen.
    open func didMap() {}

    /// It left the screen.
    open func didUnmap() {}

    /// It became part of a window.
    open func didEnterWindow() {}

    /// Its window was closed, or it was taken out.
    open func didLeaveWindow() {}
}

private nonisolated func canvas(_ peer: UnsafeMutableRawPointer) -> Canvas? {
    Unmanaged<Widget>.fromOpaque(peer).takeUnretainedValue() as? Canvas
}

private nonisolated func drawCanvas(
    _ peer: UnsafeMutableRawPointer, _ snapshot: OpaquePointer, _ width: Int32, _ height: Int32
) {
    nonisolated(unsafe) let snapshot = snapshot  // GTK's, for this call, on this thread
    let canvas = canvas(peer)
    CallbackMeter.enter(.snapshot) {
        canvas?.draw(Snapshot(pointer: snapshot), width: Int(width), height: Int(height))
    }
}

private nonisolated func measureCanvas(
    _ peer: UnsafeMutableRawPointer, _ orientation: GtkOrientation, _: Int32, _ minimum: UnsafeMutablePointer<Int32>,
    _ natural: UnsafeMutablePointer<Int32>
) {
    let canvas = canvas(peer)
    let size = CallbackMeter.enter(.layout) { canvas?.measure(Axis(orientation)) ?? (minimum: 0, natural: 0) }
    minimum.pointee = Int32(clamping: max(size.minimum, 0))
    natural.pointee = Int32(clamping: max(size.natural, size.minimum, 0))
}

private nonisolated func allocateCanvas(_ peer: UnsafeMutableRawPointer, _ width: Int32, _ height: Int32) {
    let canvas = canvas(peer)
    CallbackMeter.enter(.layout) { canvas?.didResize(width: Int(width), height: Int(height)) }
}

private nonisolated func tellCanvas(_ peer: UnsafeMutableRawPointer, _ event: BowerbirdCanvasEvent) {
    let canvas = canvas(peer)
    CallbackMeter.enter(.lifecycle) { canvas?.handle(event) }
}

extension Canvas {
    fileprivate func handle(_ event: BowerbirdCanvasEvent) {
        switch event {
        case BOWERBIRD_CANVAS_MAPPED: didMap()
        case BOWERBIRD_CANVAS_UNMAPPED: didUnmap()
        case BOWERBIRD_CANVAS_ROOTED: didEnterWindow()
        case BOWERBIRD_CANVAS_UNROOTED: didLeaveWindow()
        default: break
        }
    }
}
