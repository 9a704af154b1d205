/// A lock that guards a value: decide under it, act outside it.
///
/// It is a `Mutex`; in builds for a sanitizer (`BOWERBIRD_SANITIZER`) a pthread mutex, because the thread sanitizer
/// does not see the futex calls of `Mutex` on Linux and reports races that are none.
#if BOWERBIRD_SANITIZER
    import Glibc

    /// Invariant of the `@unchecked Sendable`: `value` is touched only between lock and unlock.
    @safe
    package final class Lock<Value: ~Copyable>: @unchecked Sendable {
        private var value: Value
        private let mutex: UnsafeMutablePointer<pthread_mutex_t>

        package init(_ value: consuming sending Value) {
            self.value = value
            unsafe mutex = .allocate(capacity: 1)
            unsafe pthread_mutex_init(mutex, nil)
        }

        deinit {
            unsafe pthread_mutex_destroy(mutex)
            unsafe mutex.deallocate()
        }

        package func withLock<R: ~Copyable, E: Error>(
            _ body: (inout sending Value) throws(E) -> sending R
        ) throws(E) -> sending R {
            unsafe pthread_mutex_lock(mutex)
            defer { unsafe pthread_mutex_unlock(mutex) }
            return try body(&value)
        }
    }
#else
    package import Synchronization

    package struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
        @usableFromInline
        let mutex: Mutex<Value>

        @inlinable
        package init(_ value: consuming sending Value) { mutex = Mutex(value) }

        @inlinable
        package borrowing func withLock<R: ~Copyable, E: Error>(
            _ body: (inout sending Value) throws(E) -> sending R
        ) throws(E) -> sending R {
            try mutex.withLock(body)
        }
    }
#endif
