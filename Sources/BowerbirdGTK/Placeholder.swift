public import Bowerbird

/// What a view shows while there is nothing better.
public nonisolated enum Placeholder: Sendable {
    /// Nothing: what lies behind the view.
    case none
    /// All of the view in one colour.
    case color(Color)
    /// A picture that is already here: a thumbnail under the large picture that is on its way.
    case image(DecodedImage)
    /// What the view showed before.
    case previousImage
}
