internal import CGTK

/// The owner of one reference to a GObject: the object lives at least as long as this.
///
/// Everything here belongs to GTK's thread, which is the process's main thread and Swift's main actor; the last
/// release may happen anywhere and is carried there.
@MainActor  // the default, but when inferred it is lost in other modules (Swift 6.3), and isolated deinit fails
open class Object {
    /// The GObject, for calls that the bridge does not wrap. Valid as long as this object.
    package let pointer: UnsafeMutableRawPointer

    /// Takes a reference of its own to `pointer`, or the floating one of a new widget.
    package init(retaining pointer: some GObjectPointer) {
        self.pointer = pointer.raw
        g_object_ref_sink(self.pointer)
    }

    /// Takes over the reference that the caller owns.
    package init(adopting pointer: some GObjectPointer) {
        self.pointer = pointer.raw
    }

    isolated deinit {
        g_object_unref(pointer)
    }

    /// The pointer as the GTK type that a call asks for: `gtk_box_append(cast(), child.cast())`.
    ///
    /// Only on `self` and on variables with a name, which live until the call has returned; a temporary object would be
    /// gone by then.
    package func cast<T>() -> UnsafeMutablePointer<T> {
        pointer.assumingMemoryBound(to: T.self)
    }

    /// The pointer for calls on types whose fields GTK hides.
    package var opaque: OpaquePointer { OpaquePointer(pointer) }
}

/// The forms in which C pointers to GObjects reach Swift.
package protocol GObjectPointer {
    nonisolated var raw: UnsafeMutableRawPointer { get }
}

extension OpaquePointer: GObjectPointer {
    package nonisolated var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension UnsafeMutablePointer: GObjectPointer {
    package nonisolated var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension UnsafeMutableRawPointer: GObjectPointer {
    package nonisolated var raw: UnsafeMutableRawPointer { self }
}
