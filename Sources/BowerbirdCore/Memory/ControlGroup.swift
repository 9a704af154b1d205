/// The control groups (version 2) that this process is in: a container, a service.
struct ControlGroup {
    /// Where their files are, from the outermost to that of the process. None where there is no such group.
    let folders: [String]

    /// - Parameter root: Where `/proc` and `/sys` are: nothing, but for tests.
    init(root: String) {
        let line = KernelFile.text(root + "/proc/self/cgroup")?.split(separator: "\n").first { $0.hasPrefix("0::/") }
        guard let path = line?.dropFirst("0::/".count) else {
            folders = []
            return
        }
        folders = path.split(separator: "/").reduce(into: [root + "/sys/fs/cgroup"]) { folders, name in
            folders.append("\(folders[folders.count - 1])/\(name)")
        }
    }

    /// That of the process itself.
    var own: String? { folders.last }
}
