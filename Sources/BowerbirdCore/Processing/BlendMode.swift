/// How a picture or a colour (the source) is laid on a picture (the destination).
///
/// The modes are those of W3C Compositing and Blending Level 1: first the operators of Porter and Duff, which say what
/// is seen where the two overlap, then the separable blend modes, which mix the colours of both there and show either
/// where it is alone. Colours are mixed as they are stored, in sRGB, as browsers and graphics libraries do.
public enum BlendMode: String, Hashable, Sendable, CaseIterable {
    /// Nothing is left of either.
    case clear
    /// The source alone; also known as copy.
    case source
    /// The destination alone: nothing changes.
    case destination
    /// The source over the destination; also known as normal.
    case sourceOver
    /// The source behind the destination.
    case destinationOver
    /// The source, where the destination is.
    case sourceIn
    /// The destination, where the source is.
    case destinationIn
    /// The source, where the destination is not.
    case sourceOut
    /// The destination, where the source is not.
    case destinationOut
    /// The source over the destination, within its shape.
    case sourceAtop
    /// The destination over the source, within the shape of the source.
    case destinationAtop
    /// Either, where the other is not.
    case xor
    /// The sum of both; also known as lighter.
    case plus

    /// The product: never lighter than either.
    case multiply
    /// The product of the inverse: never darker than either.
    case screen
    /// Multiplies where the destination is dark, screens where it is light.
    case overlay
    /// The darker of both, component by component.
    case darken
    /// The lighter of both, component by component.
    case lighten
    /// Brightens the destination by the source.
    case colorDodge
    /// Darkens the destination by the source.
    case colorBurn
    /// Multiplies where the source is dark, screens where it is light.
    case hardLight
    /// Darkens where the source is dark, brightens where it is light, both gently.
    case softLight
    /// How far both are apart.
    case difference
    /// Like difference, with less contrast.
    case exclusion

    /// Whether a transparent source leaves the destination as it is.
    package var ignoresTransparency: Bool {
        switch self {
        case .clear, .source, .sourceIn, .destinationIn, .sourceOut, .destinationAtop: false
        default: true
        }
    }

    /// Whether the result is known to be opaque, from whether the two are.
    package func isOpaque(source: Bool, destination: Bool) -> Bool {
        switch self {
        case .clear, .sourceOut, .destinationOut, .xor: false
        case .source, .destinationAtop: source
        case .destination, .sourceAtop: destination
        case .sourceIn, .destinationIn: source && destination
        default: source || destination
        }
    }
}
