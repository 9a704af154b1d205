import Glibc

extension DiskCache {
    /// `bowerbird/<name>` in the user's cache folder: `$XDG_CACHE_HOME` where that is an absolute path, else
    /// `~/.cache`. Programs that share a name share their pictures.
    public static func defaultFolder(named name: String = "images") -> String {
        defaultFolder(named: name, cacheHome: variable("XDG_CACHE_HOME"), home: variable("HOME") ?? homeFromPasswords)
    }

    /// The rule, without the environment. XDG says that a path which is not absolute is to be ignored.
    static func defaultFolder(named name: String, cacheHome: String?, home: String?) -> String {
        if let cacheHome, cacheHome.hasPrefix("/") { return "\(cacheHome)/bowerbird/\(name)" }
        return "\(home ?? "")/.cache/bowerbird/\(name)"
    }

    /// Nil for one that is not set, or empty.
    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe String(cString: value)
    }

    private static var homeFromPasswords: String? {
        guard let entry = unsafe getpwuid(getuid()), let folder = unsafe entry.pointee.pw_dir else { return nil }
        return unsafe String(cString: folder)
    }
}
