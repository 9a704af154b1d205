import CKernels

/// What each value of red, green and blue becomes, each by itself.
package struct ColorCurves: Sendable {
    private let red: [UInt8]
    private let green: [UInt8]
    private let blue: [UInt8]

    /// 256 entries each.
    package init(red: [UInt8], green: [UInt8], blue: [UInt8]) {
        precondition(red.count == 256 && green.count == 256 && blue.count == 256)
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Changes canonical pixels, by their straight colours.
    package func apply(to pixels: UnsafeMutableRawBufferPointer) {
        guard let bytes = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_look_up_components(blue, green, red, bytes, pixels.count / 4)
    }
}
