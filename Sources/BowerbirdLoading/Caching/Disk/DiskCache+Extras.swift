/// The folders that are only read, asked for what is not here. The expiry of their entries counts; how long this cache keeps
/// things does not.
extension DiskCache {
    /// What the first of them has that has it.
    func extraEntry(_ key: DiskKey) -> CacheEntry? {
        for extra in extras {
            if case .hit(let entry, let row) = extra.read(key), !isOver(row, by: .never) { return entry }
        }
        return nil
    }

    func hasExtraEntry(_ key: DiskKey) -> Bool {
        extras.contains { extra in
            if case .present(let row) = extra.find(key) { !isOver(row, by: .never) } else { false }
        }
    }
}
