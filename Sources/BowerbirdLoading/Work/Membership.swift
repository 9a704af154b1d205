/// A place among the askers of a job. After leaving, and after the end of the job, it does nothing.
struct Membership: Sendable {
    enum Wish: Sendable {
        case leave
        case setPriority(WorkPriority)
    }

    let tell: @Sendable (Wish) -> Void

    /// The job is cancelled when the last one leaves. May be called again.
    func leave() { tell(.leave) }

    /// The job gets the highest priority of its askers.
    func setPriority(_ priority: WorkPriority) { tell(.setPriority(priority)) }
}
