import Glibc

/// Why a file could not be written.
struct OutputError: Error, Hashable {
    let path: String
    /// An `errno`.
    let code: Int32

    var reason: String { unsafe "cannot be written: \(String(cString: strerror(code)))\(advice)" }

    private var advice: String {
        switch code {
        case ENOSPC, EDQUOT: "; make room, or choose another folder with -o"
        case EACCES, EPERM, EROFS: "; choose another folder with -o"
        case EEXIST, ENOTDIR: "; a file is in the way of the folder"
        default: ""
        }
    }
}
