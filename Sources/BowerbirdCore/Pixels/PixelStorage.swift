import Glibc

/// The memory behind a picture.
///
/// Invariant of the `@unchecked Sendable`: it is written only while one `PixelBuffer`, which cannot be copied, owns
/// it; `freeze()` consumes that buffer and after it nobody writes. Only this module can make one.
@safe
package final class PixelStorage: @unchecked Sendable {
    package let bytes: UnsafeMutableRawBufferPointer

    /// Zeroed memory; nil where the machine has not that much. Large blocks come from the kernel already zero.
    init?(byteCount: Int) {
        guard byteCount > 0, let base = unsafe calloc(byteCount, 1) else { return nil }
        unsafe bytes = UnsafeMutableRawBufferPointer(start: base, count: byteCount)
    }

    deinit { unsafe free(bytes.baseAddress) }
}
