import Glibc

/// The transfer function of sRGB (IEC 61966-2-1); values and light from 0 to 1.
package enum SRGB {
    /// The light that a value stands for.
    package static func light(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// The value that stands for a light.
    package static func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
