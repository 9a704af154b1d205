import Glibc

/// The heap memory behind an encoded file; it grows only by being replaced.
///
/// Invariant of the `@unchecked Sendable`: bytes below a count that has been handed out in an `EncodedImage` never
/// change; one writer (see `append`) writes only at and above every such count.
@safe
package final class ByteStorage: @unchecked Sendable {
    package let bytes: UnsafeMutableRawBufferPointer

    /// Memory for `capacity` bytes (at least 1); nil where the machine has not that much.
    package init?(capacity: Int) {
        guard capacity >= 0, let base = unsafe malloc(max(1, capacity)) else { return nil }
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
