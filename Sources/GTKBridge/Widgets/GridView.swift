internal import CGTK

/// A grid of any length from a few cells that are used again and again. It belongs into a `ScrolledWindow`.
///
/// GTK binds more cells than are seen (about 190 for 24), so a bound cell is not a visible one. Every `bind` is followed
/// by one `unbind` with the same cell and index, at the latest when the grid is taken apart.
public final class GridView<Cell: Widget>: Widget {
    private let items: OpaquePointer?

    /// The grid keeps the closures: what captures the grid, or an owner of it, captures it weakly.
    /// - Parameters:
    ///   - count: How many items there are.
    ///   - columns: How many cells a row has at least and at most.
    ///   - makeCell: Makes a cell, when one more is needed.
    ///   - bind: Makes a cell show the item at an index.
    ///   - unbind: The cell is about to show another item or none: stop what it is doing for this one.
    ///   - activate: The item was clicked, once, or chosen with the keyboard.
    public init(
        count: Int, columns: ClosedRange<Int>, makeCell: @escaping @MainActor () -> Cell,
        bind: @escaping @MainActor (Cell, Int) -> Void, unbind: @escaping @MainActor (Cell, Int) -> Void,
        activate: @escaping @MainActor (Int) -> Void
    ) {
        items = gtk_string_list_new(nil)
        let factory = CellFactory(makeCell: makeCell, bind: bind, unbind: unbind)
        // The selection takes over the items, the grid takes over the selection and the factory.
        super.init(retaining: gtk_grid_view_new(gtk_no_selection_new(items), factory.makeListItemFactory()))
        gtk_grid_view_set_min_columns(opaque, UInt32(clamping: max(columns.lowerBound, 1)))
        gtk_grid_view_set_max_columns(opaque, UInt32(clamping: max(columns.upperBound, 1)))
        gtk_grid_view_set_single_click_activate(opaque, 1)
        connect("activate") { activate(Int($0.uint(0))) }
        self.count = count
    }

    /// How many items there are. Setting it unbinds every cell that is in use, and binds what is seen then.
    public var count: Int {
        get { Int(g_list_model_get_n_items(items)) }
        set {
            // The items carry nothing but their positions.
            "".withCString { empty in
                let names = Array(repeating: empty, count: max(newValue, 0)) as [UnsafePointer<CChar>?] + [nil]
                gtk_string_list_splice(items, 0, UInt32(clamping: count), names)
            }
        }
    }
}

/// Makes, binds and unbinds cells as a GtkListItemFactory asks for it.
private final class CellFactory<Cell: Widget> {
    private let makeCell: @MainActor () -> Cell
    private let bind: @MainActor (Cell, Int) -> Void
    private let unbind: @MainActor (Cell, Int) -> Void
    /// By list item. GTK moves a list item's position when others come or go; this is the one it was bound with.
    private var boundIndexes: [OpaquePointer: Int] = [:]

    init(
        makeCell: @escaping @MainActor () -> Cell, bind: @escaping @MainActor (Cell, Int) -> Void,
        unbind: @escaping @MainActor (Cell, Int) -> Void
    ) {
        self.makeCell = makeCell
        self.bind = bind
        self.unbind = unbind
    }

    /// A factory that keeps this, with one reference for the caller to give away.
    func makeListItemFactory() -> OpaquePointer? {
        guard let factory = gtk_signal_list_item_factory_new() else { return nil }
        let object = Object(retaining: factory)
        object.connect("setup") { $0.object(0).map(self.setUp) }
        object.connect("bind") { $0.object(0).map(self.bind) }
        object.connect("unbind") { $0.object(0).map(self.unbind) }
        return factory
    }

    private func setUp(_ item: OpaquePointer) {
        let cell = makeCell()
        gtk_list_item_set_child(item, cell.cast())
    }

    private func bind(_ item: OpaquePointer) {
        guard let cell = cell(of: item) else { return }
        let index = Int(gtk_list_item_get_position(item))
        boundIndexes[item] = index
        bind(cell, index)
    }

    private func unbind(_ item: OpaquePointer) {
        guard let cell = cell(of: item), let index = boundIndexes.removeValue(forKey: item) else { return }
        unbind(cell, index)
    }

    private func cell(of item: OpaquePointer) -> Cell? {
        Widget.peer(of: gtk_list_item_get_child(item)) as? Cell
    }
}
