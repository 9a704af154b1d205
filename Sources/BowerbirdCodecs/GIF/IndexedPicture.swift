import BowerbirdCore

/// A picture with a palette.
struct IndexedPicture {
    let palette: GIFPalette
    let indices: [UInt8]
    /// Whether nothing is among the pixels.
    let hasTransparency: Bool

    /// As it is where the colours are few enough; else with those that stand for them best.
    ///
    /// - Parameters:
    ///   - instead: A picture that would look the same, for the case that it has fewer colours.
    ///   - shared: The palette of the file: it is taken where it has all colours, and becomes this picture's where it is
    ///     empty.
    init(
        _ pixels: GIFPixels, instead: GIFPixels?, shared: inout GIFPalette, _ options: EncodingOptions
    ) throws(EncodingError) {
        if let picture = Self(exactly: pixels, &shared) ?? instead.flatMap({ Self(exactly: $0, &shared) }) {
            self = picture
            return
        }
        self = try Self(quantizing: pixels, options)
        if shared.colors.isEmpty { shared = palette }
    }

    private init(_ palette: GIFPalette, _ indices: [UInt8]) {
        self.palette = palette
        self.indices = indices
        hasTransparency = palette.transparentIndex.map { indices.contains($0) } ?? false
    }

    private init?(exactly pixels: GIFPixels, _ shared: inout GIFPalette) {
        if let indices = shared.indices(of: pixels) {
            self.init(shared, indices)
            return
        }
        var palette = GIFPalette()
        guard let indices = palette.insert(pixels) else { return nil }
        if shared.colors.isEmpty { shared = palette }
        self.init(palette, indices)
    }

    private init(quantizing pixels: GIFPixels, _ options: EncodingOptions) throws(EncodingError) {
        var palette = GIFPalette()
        if pixels.values.contains(GIFPixels.nothing) { _ = palette.insert(GIFPixels.nothing) }
        let effort = options.clampedEffort
        let room = GIFPalette.maximumCount - palette.colors.count
        for color in ColorQuantizer(pixels).colors(room, rounds: effort > 0.5 ? 3 : effort > 0 ? 1 : 0) {
            _ = palette.insert(color)
        }
        guard !Task.isCancelled else { throw .cancelled }
        var dithering = Dithering(to: palette, isOn: effort > 0)
        self.init(palette, dithering.indices(of: pixels))
        guard !Task.isCancelled else { throw .cancelled }
    }
}
