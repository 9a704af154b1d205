import Glibc

extension DiskCache {
    /// `<application>/<name>` in the user's cache folder: `$XDG_CACHE_HOME` where that is an absolute path, else
    /// `~/.cache`. Programs that share both names share their pictures: Bowerbird's own do. The user may delete it at any
    /// time.
    ///
    /// - Parameters:
    ///   - name: Tells the caches of a program apart.
    ///   - application: The id of the program, as "org.example.Viewer".
    public static func defaultFolder(named name: String = "images", application: String = "bowerbird") -> String {
        folder("\(application)/\(name)", in: variable("XDG_CACHE_HOME"), orInHome: ".cache", home)
    }

    /// `<application>/<name>` in the folder for the user's data: `$XDG_DATA_HOME` where that is an absolute path, else
    /// `~/.local/share`. For pinned pictures that are to outlive the cleaning of caches; such a cache has
    /// `Configuration.isMarkedAsCache` set to false, so that it is part of backups.
    public static func dataFolder(named name: String = "images", application: String = "bowerbird") -> String {
        folder("\(application)/\(name)", in: variable("XDG_DATA_HOME"), orInHome: ".local/share", home)
    }

    /// The rule, without the environment. XDG says that a path which is not absolute is to be ignored.
    static func folder(_ name: String, in given: String?, orInHome place: String, _ home: String?) -> String {
        if let given, given.hasPrefix("/") { return "\(given)/\(name)" }
        return "\(home ?? "")/\(place)/\(name)"
    }

    private static var home: String? { variable("HOME") ?? homeFromPasswords }

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

extension DiskCache {
    /// Whether a disk cache lies in the folder. Looks, and makes nothing.
    public static func exists(in folder: String) -> Bool {
        let place = CacheFolder(path: folder)
        return place.currentStore != nil || FileIdentity(ofFile: folder + "/entries.sqlite") != nil
    }
}
