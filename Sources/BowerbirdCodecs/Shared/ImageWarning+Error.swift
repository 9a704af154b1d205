import BowerbirdCore

// The same fault is a warning where something can be shown all the same, and an error where nothing can.

extension ImageWarning {
    /// For what was wrong with the file; nil for everything else.
    init?(_ error: DecodingError) {
        switch error {
        case .truncated(let offset): self = .truncated(atByte: offset)
        case .corrupt(let reason): self = .corrupt(reason)
        default: return nil
        }
    }
}

extension DecodingError {
    /// For a file of which nothing can be shown.
    init(_ warning: ImageWarning) {
        switch warning {
        case .truncated(let offset): self = .truncated(atByte: offset)
        case .corrupt(let reason): self = .corrupt(reason)
        }
    }
}
