/// Trims go in steps. Between two of them everybody else who waits for the writer gets it; whoever waits for a trim takes
/// its next step.
extension DiskWriter {
    /// Begins to remove what is too much.
    func beginTrimWhenOverLimit() {
        guard isOpen else { return }
        attempt { store throws(DiskFault) in
            if let excess = try store.trimWhenOverLimit() { trim = excess.joined(with: trim) }
        }
    }

    func finishTrim() async {
        while trimFurther() { await settings.pauseInTrim() }
    }

    /// False when there is nothing more to do.
    func trimFurther() -> Bool {
        guard var next = trim else { return false }
        var isDone = true
        attempt { store throws(DiskFault) in isDone = try !store.step(&next) }
        trim = isDone ? nil : next
        return !isDone
    }

    /// Begins to remove the oldest, down to what `goal` leaves.
    func begin(_ goal: Trim) {
        writeDown()
        trim = goal.joined(with: trim)
    }

    /// The rows behind `row` that are too old go. Nil when the store cannot be used.
    func removeExpiredStep(after row: Int64) -> DiskStore.ExpiryPass? {
        var pass: DiskStore.ExpiryPass?
        attempt { store throws(DiskFault) in pass = try store.removeExpiredStep(after: row) }
        return pass
    }

    /// Returns how many were too old.
    func removeExpired() async -> Int {
        writeDown()
        var count = 0
        var next: Int64? = 0
        while let row = next {
            let pass = removeExpiredStep(after: row)
            count += pass?.removedCount ?? 0
            next = pass?.next
            if next != nil { await settings.pauseInTrim() }
        }
        return count
    }
}
