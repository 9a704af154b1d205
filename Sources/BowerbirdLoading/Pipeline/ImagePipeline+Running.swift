import BowerbirdCore

extension ImagePipeline {
    /// How many pictures are being made or waited for now, and how many calls of `data(for:progress:)` have not ended. A
    /// picture that several wait for counts once; the one that an edit begins with counts beside the edited one.
    public var runningCount: Int { pictures.runningCount + fileCount.withLock { $0 } }

    /// Whether anything is under way, be it only a file that is refreshed for whoever comes next, or a finished picture
    /// that is written down behind its answer.
    public var isRunning: Bool { runningCount > 0 || originals.runningCount > 0 || pendingStores.count > 0 }

    /// Ends every task of this pipeline with `.cancelled`, and stops their work. Finished pictures that were still to be
    /// written down are not. What is asked for after it starts anew.
    public func cancelAll() {
        // What is cancelled first must not make room for what is cancelled next.
        transferSlots.hold {
            decodeSlots.hold {
                readSlots.hold {
                    pictures.cancelAll()
                    originals.cancelAll()
                    transfers.cancelAll()
                    pendingStores.cancelAll()
                }
            }
        }
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

    /// Waits until the data cache has been given every finished picture that was answered before: what a program does
    /// before it ends, and before it asks its data cache to write everything down. See `DiskContent`.
    public func waitForStores() async { await pendingStores.waitUntilIdle() }

    /// Waits until nothing runs, not even work that was abandoned: what a test wants to know at its end.
    package func waitUntilIdle() async {
        await pictures.waitUntilIdle()
        await originals.waitUntilIdle()
        await transfers.waitUntilIdle()
        await credentials.waitUntilIdle()
        await pendingStores.waitUntilIdle()
    }
}
