public import BowerbirdCore
import BowerbirdRaster
import Glibc

/// Changes brightness, contrast, saturation, exposure, hue and gamma of a picture, in one pass.
///
/// Every default changes nothing. The steps follow each other in this order, v being an sRGB value from 0 (black) to 1
/// (white), and only the last result is cut to that range:
///
/// 1. exposure: the light of v × 2^exposure;
/// 2. brightness: v + brightness;
/// 3. contrast: (v − ½) × contrast + ½;
/// 4. gamma: v^gamma, 0 for what is below black;
/// 5. saturation: grey + (v − grey) × saturation, with the grey that `Grayscale` makes;
/// 6. hue: turned around the axis of greys, as the filter `hue-rotate()` of CSS does.
///
/// Colours are adjusted as they were before they were multiplied with alpha. A parameter outside its range is refused.
public struct ColorAdjust: ImageProcessor, Hashable {
    /// Added to each colour: −1 makes everything black, 1 white, 0 is the default.
    public var brightness: Double
    /// From 0, all grey, over 1, the default, to 16.
    public var contrast: Double
    /// From 0, without colour, over 1, the default, to 16.
    public var saturation: Double
    /// In stops, each of which doubles the light: from −16 to 16, 0 by default.
    public var exposure: Double
    /// In degrees; any number, 0 by default. Red goes towards yellow, then green.
    public var hue: Double
    /// The exponent: below 1 lightens, above 1 darkens what lies between black and white. From 1/16 to 16, 1 by default.
    public var gamma: Double

    /// Changes nothing but what is given.
    public init(
        brightness: Double = 0, contrast: Double = 1, saturation: Double = 1, exposure: Double = 0, hue: Double = 0,
        gamma: Double = 1
    ) {
        self.brightness = brightness
        self.contrast = contrast
        self.saturation = saturation
        self.exposure = exposure
        self.hue = hue
        self.gamma = gamma
    }

    public var cacheKey: String {
        let numbers = [brightness, contrast, saturation, exposure, hue, gamma]
        return "colorAdjust " + numbers.map(\.inCacheKey).joined(separator: " ")
    }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        try check()
        let matrix = matrix
        guard changesCurve || matrix != .identity else { return image }
        return try image.transformed(by: matrix, after: changesCurve ? curve : nil)
    }

    private func check() throws(ProcessingError) {
        try check(brightness, -1...1, "brightness")
        try check(contrast, 0...16, "contrast")
        try check(saturation, 0...16, "saturation")
        try check(exposure, -16...16, "exposure")
        try check(gamma, 1 / 16...16, "gamma")
        guard hue.isFinite else { throw .invalidParameter("the hue must be a number of degrees, not \(hue)") }
    }

    private func check(_ value: Double, _ range: ClosedRange<Double>, _ name: String) throws(ProcessingError) {
        guard range.contains(value) else {
            let limits = "\(range.lowerBound) and \(range.upperBound)"
            throw .invalidParameter("the \(name) must lie between \(limits), it is \(value)")
        }
    }

    /// Whether any of the steps up to gamma changes something.
    private var changesCurve: Bool { brightness != 0 || contrast != 1 || exposure != 0 || gamma != 1 }

    /// Far above white, and far from where sums lose the digits that count.
    private static let brightest = 1000.0

    /// Steps 1 to 4, for each value of a component.
    private var curve: [Float] {
        let factor = exp2(exposure)
        return (0...255).map { index in
            let value = Double(index) / 255
            let exposed = exposure == 0 ? value : SRGB.encoded(SRGB.light(value) * factor)
            let contrasted = (exposed + brightness - 0.5) * contrast + 0.5
            return Float(min(Self.brightest, gamma == 1 ? contrasted : pow(max(0, contrasted), gamma)))
        }
    }

    /// Steps 5 and 6.
    private var matrix: ColorTransform {
        hueRotation * ColorTransform.grayscale.mixed(with: .identity, saturation)
    }

    /// Greys stay, and so does the luma of every colour; what is apart from them turns.
    private var hueRotation: ColorTransform {
        let angle = hue.truncatingRemainder(dividingBy: 360)
        guard angle != 0 else { return .identity }
        let (cosine, sine) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
        let (red, green, blue) = (ColorTransform.luma[0], ColorTransform.luma[1], ColorTransform.luma[2])
        let turned = ColorTransform([-red, -green, 1 - blue, 0.143, 0.140, -0.283, red - 1, green, blue])
        let grayscale = ColorTransform.grayscale.values
        let identity = ColorTransform.identity.values
        return ColorTransform(
            (0..<9).map { index in
                grayscale[index] + cosine * (identity[index] - grayscale[index]) + sine * turned.values[index]
            })
    }
}
