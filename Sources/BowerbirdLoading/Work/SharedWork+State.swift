import BowerbirdCore

extension SharedWork {
    /// What happens to the jobs, as a value.
    struct State {
        private var entries: [Key: Entry] = [:]
        /// Jobs that have not ended, those that were abandoned included.
        private var taskCount = 0
        private var idleWaiters: [CheckedContinuation<Void, Never>] = []
        private var lastID: UInt64 = 0

        struct Joined: Sendable {
            let entry: UInt64
            let relay: PriorityRelay
            let handle: JobHandle
            let isFirst: Bool
            let latest: Update?
            let listeners: [PriorityRelay.Listener]
        }

        struct Departure: Sendable {
            /// The job to cancel, when the one who left was the last.
            var abandoned: JobHandle?
            var listeners: [PriorityRelay.Listener] = []
        }

        var runningCount: Int { entries.count }

        func isRunning(_ key: Key) -> Bool { entries[key] != nil }

        /// A place for somebody who is about to join.
        mutating func takePlace() -> UInt64 { nextID() }

        mutating func join(_ key: Key, _ asker: Member, _ priority: WorkPriority, at place: UInt64) -> Joined {
            let isFirst = entries[key] == nil
            if isFirst { taskCount += 1 }
            var entry = entries.removeValue(forKey: key) ?? Entry(id: nextID(), priority)
            let listeners = entry.add(asker, priority, at: place)
            entries[key] = entry
            return Joined(
                entry: entry.id, relay: entry.relay, handle: entry.handle, isFirst: isFirst, latest: entry.latest,
                listeners: listeners)
        }

        mutating func publish(_ update: Update, _ key: Key, _ entry: UInt64) -> [Member] {
            guard entries[key]?.id == entry else { return [] }
            entries[key]?.note(update)
            return entries[key]?.askers ?? []
        }

        mutating func finish(_ key: Key, _ entry: UInt64) -> [Member] {
            guard entries[key]?.id == entry else { return [] }
            return entries.removeValue(forKey: key)?.askers ?? []
        }

        /// Whom to tell of the priority of the job.
        mutating func setPriority(
            _ key: Key, _ place: UInt64, _ priority: WorkPriority
        ) -> [PriorityRelay.Listener] {
            entries[key]?.setPriority(priority, at: place) ?? []
        }

        /// Gives up a place; nothing happens to the job where the place is not one of its own.
        mutating func leave(_ key: Key, _ place: UInt64) -> Departure {
            guard let listeners = entries[key]?.remove(at: place) else { return Departure() }
            guard entries[key]?.isAbandoned == true else { return Departure(listeners: listeners) }
            return Departure(abandoned: entries.removeValue(forKey: key)?.handle)
        }

        /// Every job, the oldest first.
        mutating func removeAll() -> [(handle: JobHandle, askers: [Member])] {
            defer { entries = [:] }
            return entries.values.sorted { $0.id < $1.id }.map { ($0.handle, $0.askers) }
        }

        /// Whom to tell that nothing runs any more.
        mutating func end() -> [CheckedContinuation<Void, Never>] {
            taskCount -= 1
            guard taskCount == 0 else { return [] }
            defer { idleWaiters = [] }
            return idleWaiters
        }

        mutating func isIdle(orWake waiter: CheckedContinuation<Void, Never>) -> Bool {
            if taskCount > 0 { idleWaiters.append(waiter) }
            return taskCount == 0
        }

        private mutating func nextID() -> UInt64 {
            lastID += 1
            return lastID
        }
    }

    /// A job that somebody waits for.
    struct Entry {
        let id: UInt64
        let relay: PriorityRelay
        private(set) var latest: Update?
        let handle = JobHandle()
        private var members: [UInt64: (asker: Member, priority: WorkPriority)] = [:]
        private var tally = PriorityTally()

        init(id: UInt64, _ priority: WorkPriority) {
            self.id = id
            relay = PriorityRelay(priority)
        }

        var isAbandoned: Bool { members.isEmpty }

        /// In the order of coming, so that a run can be repeated.
        var askers: [Member] { members.sorted { $0.key < $1.key }.map(\.value.asker) }

        mutating func note(_ update: Update) {
            if latest == nil { latest = update } else { latest?.merge(newer: update) }
        }

        // Each of these gives back whom to tell of the priority.

        mutating func add(_ asker: Member, _ priority: WorkPriority, at place: UInt64) -> [PriorityRelay.Listener] {
            members[place] = (asker, priority)
            tally.add(priority)
            return follow()
        }

        mutating func setPriority(_ priority: WorkPriority, at place: UInt64) -> [PriorityRelay.Listener] {
            guard let member = members[place] else { return [] }
            members[place] = (member.asker, priority)
            tally.remove(member.priority)
            tally.add(priority)
            return follow()
        }

        /// Nil where nobody has the place.
        mutating func remove(at place: UInt64) -> [PriorityRelay.Listener]? {
            guard let member = members.removeValue(forKey: place) else { return nil }
            tally.remove(member.priority)
            return follow()
        }

        private func follow() -> [PriorityRelay.Listener] { tally.highest.map(relay.change(to:)) ?? [] }
    }
}
