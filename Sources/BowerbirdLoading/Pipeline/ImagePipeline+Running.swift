import BowerbirdCore

extension ImagePipeline {
    /// How many pictures and files are being made or waited for now; those that several wait for count once.
    public var runningCount: Int { max(pictures.runningCount, originals.runningCount) }

    /// Whether anything is under way.
    public var isRunning: Bool { runningCount > 0 }

    /// Ends every task of this pipeline with `.cancelled`, and stops their work.
    public func cancelAll() {
        pictures.cancelAll()
        originals.cancelAll()
        transfers.cancelAll()
    }

    /// How many transfers run at once; at least 1. Raising it starts waiting ones at once, lowering it lets those that
    /// run come to their end.
    public var maximumTransferCount: Int {
        get { transferSlots.limit }
        set { transferSlots.limit = newValue }
    }

    /// Whether no more transfers are begun; false at first. Those that run go on.
    public var isSuspended: Bool {
        get { transferSlots.isSuspended }
        set { transferSlots.isSuspended = newValue }
    }

    /// Waits until nothing runs, not even work that was abandoned: what a test wants to know at its end.
    package func waitUntilIdle() async {
        await pictures.waitUntilIdle()
        await originals.waitUntilIdle()
        await transfers.waitUntilIdle()
        await credentials.waitUntilIdle()
    }
}
