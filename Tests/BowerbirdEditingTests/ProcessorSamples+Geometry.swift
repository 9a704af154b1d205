import BowerbirdCore
import BowerbirdEditing

extension ProcessorSamples {
    static let geometry: [any ImageProcessor] =
        crops + flips + rotations + sizes + roundCorners + circles + borders + backgrounds

    private static let size = PixelSize(width: 12, height: 8)
    private static let line = RoundCorners.Border(width: 1, color: .black)

    private static let crops: [Crop] =
        Anchor.allCases.map { Crop(size, anchor: $0) } + [
            Crop(PixelRect(size)), Crop(PixelRect(x: 1, y: 0, size: size)), Crop(PixelRect(x: 0, y: 1, size: size)),
            Crop(PixelRect(size.transposed)), Crop(size.transposed), Crop(PixelSize(width: 12, height: 9)),
        ]

    private static let flips = Flip.Direction.allCases.map { Flip($0) }

    private static let rotations = [
        Rotate(10), Rotate(-10), Rotate(90), Rotate(90, canvas: .stays), Rotate(10, canvas: .stays),
        Rotate(10, background: .white), Rotate(10, background: .black),
    ]

    private static let sizes: [Resize] =
        Anchor.allCases.map { Resize(filling: size, anchor: $0) }
        + Resize.Filter.allCases.map { Resize(size, filter: $0) }
        + [
            Resize(size, mode: .fill), Resize(size, mode: .exact), Resize(size, allowsUpscaling: true),
            Resize(filling: size, allowsUpscaling: true), Resize(width: 12), Resize(width: 8), Resize(height: 8),
            Resize(height: 12), Resize(width: 12, allowsUpscaling: true), Resize(height: 8, filter: .box),
        ]

    private static let roundCorners = [
        RoundCorners(radius: 1), RoundCorners(radius: 2.5), RoundCorners(radius: .fraction(0.25)),
        RoundCorners(radius: .fraction(0.5)), RoundCorners(radius: 1, corners: .top),
        RoundCorners(radius: 1, corners: .bottomLeft), RoundCorners(radius: 1, border: line),
        RoundCorners(radius: 1, border: .init(width: 2, color: .black)),
        RoundCorners(radius: 1, border: .init(width: 1, color: .white)),
        RoundCorners(radius: 1, background: .white), RoundCorners(radius: 1, background: .black),
        RoundCorners(radius: 1, border: line, background: .white),
    ]

    private static let circles = [
        Circle(), Circle(border: line), Circle(border: .init(width: 2, color: .black)),
        Circle(border: .init(width: 1, color: .white)), Circle(background: .white), Circle(background: .black),
    ]

    private static let borders = [
        Border(width: 1, color: .black), Border(width: 2, color: .black), Border(width: 1, color: .white),
        Border(width: 1, color: .black, placement: .outset),
    ]

    private static let backgrounds = [Background(.white), Background(.black), Background(.black.withAlpha(128))]
}
