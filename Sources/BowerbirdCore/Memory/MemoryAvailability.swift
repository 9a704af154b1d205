import Glibc

/// The memory that this process may use: that of the machine, or less where a control group (a container, a service) is
/// given less.
public struct MemoryAvailability: Hashable, Sendable {
    /// In all, in bytes.
    public var total: Int
    /// What can be had without taking it from somebody, in bytes: files that are only kept for later count as free.
    public var free: Int

    /// For tests, and for those who know better.
    public init(total: Int, free: Int) {
        self.total = total
        self.free = free
    }

    /// `total` at the first time that somebody asked.
    public static let processLimit = current().total

    /// As it is now. Reads some files of the kernel, which takes 100 to 150 microseconds.
    /// - Parameter root: The folder with `proc` and `sys`; another than `/` is for tests.
    public static func current(root: String = "/") -> MemoryAvailability {
        let root = root == "/" ? "" : root
        var memory = ofMachine(root: root)
        for folder in ControlGroup(root: root).folders { memory.narrow(toGroup: folder) }
        return memory
    }

    private static func ofMachine(root: String) -> MemoryAvailability {
        let counts = KernelFile.counts(in: KernelFile.text(root + "/proc/meminfo") ?? "")
        let total = counts["MemTotal"].flatMap(bytes) ?? pages(_SC_PHYS_PAGES)
        return MemoryAvailability(
            total: total, free: min(total, counts["MemAvailable"].flatMap(bytes) ?? pages(_SC_AVPHYS_PAGES)))
    }

    private static func bytes(kilobytes: Int) -> Int? {
        let (bytes, isHuge) = kilobytes.multipliedReportingOverflow(by: 1024)
        return isHuge ? nil : bytes
    }

    private static func pages(_ name: Int) -> Int { sysconf(Int32(name)) * sysconf(Int32(_SC_PAGESIZE)) }

    /// A group without a limit says “max” or, at the root, nothing; its usage is then of no interest.
    private mutating func narrow(toGroup folder: String) {
        let limits = ["memory.max", "memory.high"].compactMap { KernelFile.number("\(folder)/\($0)") }
        guard let limit = limits.min() else { return }
        total = min(total, limit)
        free = min(free, total, max(0, limit - Self.usage(ofGroup: folder)))
    }

    private static func usage(ofGroup folder: String) -> Int {
        let usage = KernelFile.number("\(folder)/memory.current") ?? 0
        let cached = KernelFile.counts(in: KernelFile.text("\(folder)/memory.stat") ?? "")["inactive_file"] ?? 0
        return max(0, usage - cached)
    }
}
