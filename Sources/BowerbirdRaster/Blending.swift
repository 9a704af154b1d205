package import BowerbirdCore
import CKernels

/// Lays rows of premultiplied pixels, or one colour, on rows of a picture.
package struct Blending: Sendable {
    private let kernel: BBBlending

    /// `opacity` multiplies the alpha of the source; 255 leaves it as it is.
    package init(_ mode: BlendMode, opacity: UInt8 = 255) {
        kernel = BBBlending(mode: mode.kernel, opacity: opacity, instruction_set: bb_best_instruction_set())
    }

    /// Lays as many pixels of `source` on `destination` as the shorter of both has.
    package func blend(_ source: UnsafeRawBufferPointer, on destination: UnsafeMutableRawBufferPointer) {
        guard let pixels = unsafe source.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        guard let result = unsafe destination.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_blend_row(kernel, pixels, result, min(source.count, destination.count) / 4)
    }

    /// Lays one opaque colour on `destination`: the alpha of the colour is ignored, it belongs into the opacity.
    package func blend(_ color: Color, on destination: UnsafeMutableRawBufferPointer) {
        guard let result = unsafe destination.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_blend_pixel(kernel, color.opaquePixel, result, destination.count / 4)
    }
}

extension Color {
    /// Its bytes as the canonical pixels have them, with full alpha.
    fileprivate var opaquePixel: UInt32 {
        UInt32(blue) | UInt32(green) << 8 | UInt32(red) << 16 | 255 << 24
    }
}

extension BlendMode {
    fileprivate var kernel: BBBlendMode {
        switch self {
        case .clear: BBBlendClear
        case .source: BBBlendSource
        case .destination: BBBlendDestination
        case .sourceOver: BBBlendSourceOver
        case .destinationOver: BBBlendDestinationOver
        case .sourceIn: BBBlendSourceIn
        case .destinationIn: BBBlendDestinationIn
        case .sourceOut: BBBlendSourceOut
        case .destinationOut: BBBlendDestinationOut
        case .sourceAtop: BBBlendSourceAtop
        case .destinationAtop: BBBlendDestinationAtop
        case .xor: BBBlendXor
        case .plus: BBBlendPlus
        case .multiply: BBBlendMultiply
        case .screen: BBBlendScreen
        case .overlay: BBBlendOverlay
        case .darken: BBBlendDarken
        case .lighten: BBBlendLighten
        case .colorDodge: BBBlendColorDodge
        case .colorBurn: BBBlendColorBurn
        case .hardLight: BBBlendHardLight
        case .softLight: BBBlendSoftLight
        case .difference: BBBlendDifference
        case .exclusion: BBBlendExclusion
        }
    }
}
