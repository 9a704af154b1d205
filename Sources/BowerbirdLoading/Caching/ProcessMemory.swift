import FoundationEssentials
import Glibc

/// The memory that this process may use.
enum ProcessMemory {
    /// In bytes: the memory of the machine, or less where a control group (a container, a service) is given less.
    static let limit = min(physical, controlGroupLimit(root: "/sys/fs/cgroup", membership: membership) ?? .max)

    private static var physical: Int { sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) }

    private static var membership: String { contents(of: "/proc/self/cgroup") ?? "" }

    /// The least `memory.max` of the group (version 2) that `membership`, the text of `/proc/self/cgroup`, names and
    /// of those around it; nil when none sets one.
    static func controlGroupLimit(root: String, membership: String) -> Int? {
        let line = membership.split(separator: "\n").first { $0.hasPrefix("0::/") }
        guard let group = line?.dropFirst("0::/".count) else { return nil }
        var path = root
        var limits = [limit(ofGroup: path)]
        for component in group.split(separator: "/") {
            path += "/\(component)"
            limits.append(limit(ofGroup: path))
        }
        return limits.compactMap(\.self).min()
    }

    /// Nil for a group without a limit: its file says “max”, or, for the root group, is not there.
    private static func limit(ofGroup path: String) -> Int? {
        contents(of: path + "/memory.max").flatMap { Int($0.filter(\.isNumber)) }
    }

    private static func contents(of path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }
}
