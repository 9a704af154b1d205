import BowerbirdCore
import BowerbirdEditing

extension ProcessorSamples {
    static let filtering: [any ImageProcessor] = [
        Blur(radius: 0), Blur(radius: 1), Blur(radius: 1.5), Blur(radius: 1, saturation: 0),
        Blur(radius: 1, saturation: 1.5), Blur(radius: 1, tint: .white.withAlpha(9)),
        Blur(radius: 1, tint: .black.withAlpha(9)), Blur(radius: 1, saturation: 1.5, tint: .black.withAlpha(9)),
        Blur.soft, Blur.light, Blur.extraLight, Blur.dark, Blur.tinted(.white), Blur.tinted(.black),
        Sharpen(), Sharpen(radius: 2), Sharpen(radius: 2.5), Sharpen(amount: 1), Sharpen(amount: 1.5),
        Sharpen(threshold: 1), Sharpen(threshold: 2), Sharpen(radius: 2, amount: 1, threshold: 1),
        Pixelate(blockSize: 1), Pixelate(blockSize: 2), Pixelate(blockSize: 22),
        Vignette(), Vignette(strength: 0.25), Vignette(strength: 0.75), Vignette(radius: 0), Vignette(radius: 1),
        Vignette(falloff: 0), Vignette(falloff: 1), Vignette(color: .white), Vignette(color: .white.withAlpha(1)),
    ]
}
