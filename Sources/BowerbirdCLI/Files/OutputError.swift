import Glibc

/// Why a file could not be written.
struct OutputError: Error, Hashable {
    let path: String
    /// An `errno`.
    let code: Int32

    var reason: String {
        if code == EINVAL { return "is there and is no file; choose another place with -o" }
        return unsafe "cannot be written: \(String(cString: strerror(code)))\(advice)"
    }

    private var advice: String {
        switch code {
        case ENOSPC, EDQUOT: "; make room, or choose another place with -o"
        case EACCES, EPERM, EROFS: "; choose another place with -o"
        case EISDIR: "; name a file, not a folder"
        case EEXIST, ENOTDIR: "; a file is in the way of the folder"
        default: ""
        }
    }
}
