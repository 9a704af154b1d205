import BowerbirdCore
import BowerbirdEditing

extension ProcessorSamples {
    /// Of what mixes in or changes colours.
    static let color: [any ImageProcessor] = tints + gradients + overlays + adjustments + lookups + others

    private static let red = Color(red: 255, green: 0, blue: 0)
    private static let blue = Color(red: 0, green: 0, blue: 255)

    private static let tints: [any ImageProcessor] =
        BlendMode.allCases.map { Tint(red, blendMode: $0) } + [Tint(blue), Tint(red.withAlpha(3))]

    private static let gradients: [any ImageProcessor] = [
        GradientTint([red, blue]), GradientTint([blue, red]), GradientTint([red, blue, red]), GradientTint([red]),
        GradientTint([red, blue.withAlpha(9)]), GradientTint([red, blue], blendMode: .multiply),
        GradientTint([red, blue], from: .topLeft), GradientTint([red, blue], to: .bottomRight),
        GradientTint([red, blue], from: .left, to: .right),
        GradientTint(stops: [.init(red, at: 0), .init(blue, at: 0.5)]),
        GradientTint(stops: [.init(red, at: 0.25), .init(blue, at: 1)]),
    ]

    private static let overlays: [any ImageProcessor] = {
        let pictures = [red, blue].compactMap { try? Picture.solid($0, width: 2, height: 2) }
        let wide = [try? Picture.solid(red, width: 4, height: 1), try? Picture.solid(red, width: 1, height: 4)]
        let placements: [Overlay.Placement] = [
            .stretched, .once(at: .topLeft), .once(at: .topRight), .once(at: .bottomLeft),
            .once(offset: .init(x: 1, y: 0)), .once(offset: .init(x: 0, y: 1)), .once(offset: .init(x: 11, y: 1)),
            .once(offset: .init(x: 1, y: 11)), .tiled(), .tiled(at: .center), .tiled(offset: .init(x: 1, y: 0)),
            .tiled(spacing: PixelSize(width: 1, height: 0)), .tiled(spacing: PixelSize(width: 0, height: 1)),
        ]
        return [Overlay(red), Overlay(blue), Overlay(red, opacity: 0.5), Overlay(red, blendMode: .multiply)]
            + (pictures + wide.compactMap(\.self)).map { Overlay($0) }
            + pictures.prefix(1).flatMap { picture in
                placements.map { Overlay(picture, placement: $0) }
                    + [Overlay(picture, blendMode: .screen), Overlay(picture, opacity: 0.25)]
            }
    }()

    private static let adjustments: [any ImageProcessor] =
        [0.25, 0.5].flatMap { value in
            [
                ColorAdjust(brightness: value), ColorAdjust(contrast: value), ColorAdjust(saturation: value),
                ColorAdjust(exposure: value), ColorAdjust(hue: value), ColorAdjust(gamma: value),
            ]
        } + [ColorAdjust(brightness: -0.25), ColorAdjust(brightness: 0.25, contrast: 0.25)]

    private static let lookups: [any ImageProcessor] = {
        let negative = "LUT_1D_SIZE 2\n1 1 1\n0 0 0\n", veil = "LUT_1D_SIZE 2\n0.5 0.5 0.5\n1 1 1\n"
        let tables = [negative, veil, "DOMAIN_MAX 2 2 2\n" + veil].compactMap { try? LookupTable(cube: $0) }
        return tables.flatMap { [ColorLookup($0), ColorLookup($0, intensity: 0.5), ColorLookup($0, intensity: 0.25)] }
    }()

    private static let others: [any ImageProcessor] = {
        let customs = ["", "a", "b"].map { key in Custom(key: key) { image throws(ProcessingError) in image } }
        let chains = [Chain([Invert()]), Chain([Invert(), Sepia()]), Chain([Sepia(), Invert()])]
        return [Grayscale(), Sepia(), Sepia(intensity: 0.5), Invert()] + customs + chains
    }()
}
