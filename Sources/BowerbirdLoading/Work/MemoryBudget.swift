import BowerbirdCore

/// How much memory the pictures that are being decoded may take together, in all pipelines that share the budget.
///
/// Whoever is about to decode says how many bytes its pixels take, and waits until they fit; the most urgent goes first,
/// and of those who are equally urgent the first. One picture that is larger than the whole budget is decoded while no
/// other is. Pictures that are finished do not count: those are the image cache's.
///
/// Any thread may use it; a call takes about a microsecond.
public final class MemoryBudget: Sendable {
    /// The budget of the process, of `defaultByteLimit`.
    public static let shared = MemoryBudget()

    /// In bytes: a quarter of the memory that this process may use (that of the machine, or of its control group), and
    /// no less than 64 MB.
    public static let defaultByteLimit = max(64 << 20, MemoryAvailability.processLimit / 4)

    private let queue: WorkQueue

    /// A budget of its own, in bytes. One below 0 is 0: then one picture at a time is decoded.
    public init(byteLimit: Int = MemoryBudget.defaultByteLimit) {
        queue = WorkQueue(limit: .max, costLimit: max(0, byteLimit))
    }

    /// In bytes. Raising it lets in at once who waits; lowering it stops nothing.
    public var limit: Int {
        get { queue.costLimit }
        set { queue.costLimit = max(0, newValue) }
    }

    /// What the pictures that are being decoded take now. More than the limit where one alone does, or where it was
    /// lowered.
    public var bytesInFlight: Int { queue.runningCost }

    /// How many wait.
    var waitingCount: Int { queue.waitingCount }

    /// Waits until `byteCount` bytes fit. The ticket is to be given back with `leave`; nil, and nothing to give back,
    /// when the task is cancelled first.
    func enter(byteCount: Int, priority: PriorityRelay) async -> WorkQueue.Ticket? {
        let ticket = queue.takeTicket()
        return await queue.enter(ticket, priority: priority, cost: byteCount) ? ticket : nil
    }

    func leave(_ ticket: WorkQueue.Ticket) { queue.leave(ticket) }
}
