/// Asks again and again, letting other tasks run in between, until `condition` holds. For what tells nobody that it
/// happens: a thread that ends, a descriptor that is closed. False after 30 seconds, which
/// a machine that is busy with other tests may need.
public func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
        if try condition() { return true }
        await Task.yield()
    }
    return try condition()
}
