#if BOWERBIRD_SANITIZER
    import BowerbirdCore

    typealias InlinedLock = Lock
#else
    import Synchronization

    /// A `Lock` that the compiler can look into: one that is `package` in another module is called in its general form,
    /// which looks types up in each call.
    typealias InlinedLock = Mutex
#endif
