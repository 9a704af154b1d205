/// How often an animation is played.
public enum LoopCount: Hashable, Sendable, CustomStringConvertible {
    /// Until somebody stops it.
    case forever
    /// So often in all, at least once.
    case times(Int)

    /// From the number in a file where 0 means for ever.
    public init(zeroIsForever count: Int) { self = count <= 0 ? .forever : .times(count) }

    /// 0 for ever: what most files write.
    public var zeroIsForever: Int {
        switch self {
        case .forever: 0
        case .times(let count): count
        }
    }

    public var description: String {
        switch self {
        case .forever: "for ever"
        case .times(1): "once"
        case .times(let count): "\(count) times"
        }
    }
}
