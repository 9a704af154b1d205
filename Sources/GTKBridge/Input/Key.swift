internal import CGTK

/// A key by what it means, whatever the layout of the keyboard.
public nonisolated struct Key: Hashable, Sendable {
    /// GDK's key value: for most characters the Unicode scalar.
    public let value: UInt32

    /// The key of a GDK key value, as in `gdkkeysyms.h`.
    public init(value: UInt32) {
        self.value = value
    }

    /// The key that types `character`.
    public init(_ character: Unicode.Scalar) {
        value = gdk_unicode_to_keyval(character.value)
    }

    /// Esc.
    public static let escape = Key(value: UInt32(GDK_KEY_Escape))
    /// Return, not the one of the number pad.
    public static let enter = Key(value: UInt32(GDK_KEY_Return))
    /// The space bar.
    public static let space = Key(value: UInt32(GDK_KEY_space))
    /// The arrow.
    public static let left = Key(value: UInt32(GDK_KEY_Left))
    /// The arrow.
    public static let right = Key(value: UInt32(GDK_KEY_Right))
    /// The arrow.
    public static let up = Key(value: UInt32(GDK_KEY_Up))
    /// The arrow.
    public static let down = Key(value: UInt32(GDK_KEY_Down))
}

/// Keys that are held down while something else happens.
public nonisolated struct Modifiers: OptionSet, Hashable, Sendable {
    /// GDK's bits.
    public let rawValue: UInt32

    /// The modifiers in GDK's bits; others are left as they are.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Either Shift key.
    public static let shift = Modifiers(rawValue: GDK_SHIFT_MASK.rawValue)
    /// Either Control key.
    public static let control = Modifiers(rawValue: GDK_CONTROL_MASK.rawValue)
    /// The Alt key.
    public static let alt = Modifiers(rawValue: GDK_ALT_MASK.rawValue)
}

/// A key going down.
public nonisolated struct KeyPress: Hashable, Sendable {
    /// Which key.
    public var key: Key
    /// What was held down with it.
    public var modifiers: Modifiers
}
