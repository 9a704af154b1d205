import Glibc

/// The heap memory behind an encoded file; it grows only by being replaced.
///
/// Invariant of the `@unchecked Sendable`: bytes below a count that has been handed out in an `EncodedImage` never
/// change; one writer (see `append`) writes only at and above every such count.
@safe
package final class ByteStorage: @unchecked Sendable {
    package let bytes: UnsafeMutableRawBufferPointer

    /// Memory for `capacity` bytes (at least 1); nil where the machine has not that much.
    ///
    /// It begins where a line of the processor's cache does. `malloc` gives large blocks 16 bytes into a page, and there
    /// the kernel of some processors (AMD Zen 3) copies a file's pages at a third of the speed.
    package init?(capacity: Int) {
        var base: UnsafeMutableRawPointer?
        guard capacity >= 0, unsafe posix_memalign(&base, 64, max(1, capacity)) == 0, let base = unsafe base else {
            return nil
        }
        unsafe bytes = UnsafeMutableRawBufferPointer(start: base, count: max(1, capacity))
    }

    deinit { unsafe free(bytes.baseAddress) }

    package var capacity: Int { unsafe bytes.count }

    /// Copies `source` to `offset`. The caller is the one writer, and no snapshot reaches beyond `offset`.
    package func append(_ source: UnsafeRawBufferPointer, at offset: Int) {
        precondition(offset >= 0 && source.count <= capacity - offset)
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
        unsafe free.copyMemory(from: source)
    }
}
