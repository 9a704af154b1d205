#if BOWERBIRD_SANITIZER
    import BowerbirdCore

    typealias MemoryLock = Lock
#else
    import Synchronization

    /// A `Lock` that the compiler can look into: one of another module is called in its general form, which costs more
    /// than a hit.
    typealias MemoryLock = Mutex
#endif
