import BowerbirdCore

/// ICC profiles of our own making: a header, a table of tags, and their data.
enum TestProfile {
    /// Colorants and a curve each, as the numbers of the standard, D50.
    static func rgb(
        red: [Double], green: [Double], blue: [Double], curve: [UInt8], tables: [(String, [UInt8])] = []
    ) -> ICCProfile {
        make(
            space: "RGB ", connection: "XYZ ",
            [
                ("rXYZ", xyz(red)), ("gXYZ", xyz(green)), ("bXYZ", xyz(blue)), ("wtpt", xyz([0.9642, 1, 0.8249])),
                ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
            ] + tables)
    }

    static func gray(curve: [UInt8]) -> ICCProfile {
        make(space: "GRAY", connection: "XYZ ", [("wtpt", xyz([0.9642, 1, 0.8249])), ("kTRC", curve)])
    }

    static let sRGBColorants = [
        [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.7141],
    ]
    static let displayP3Colorants = [
        [0.51512, 0.2412, -0.00105], [0.29198, 0.69225, 0.04189], [0.1571, 0.06657, 0.78407],
    ]

    static let sRGB = rgb(sRGBColorants, curve: parametric(3, sRGBParameters))
    static let displayP3 = rgb(displayP3Colorants, curve: parametric(3, sRGBParameters))
    static let adobeRGB = rgb(
        [[0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457]],
        curve: gamma(2.19921875))

    static let sRGBParameters = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]

    static func rgb(_ colorants: [[Double]], curve: [UInt8]) -> ICCProfile {
        rgb(red: colorants[0], green: colorants[1], blue: colorants[2], curve: curve)
    }

    /// Four inks to Lab by a table of two points a side: from paper white 70 levels of 255 less for each colour, and black
    /// for black.
    static let inks = make(
        space: "CMYK", connection: "Lab ", deviceClass: "prtr",
        lookupTable(inputs: 4) { inks in inks[3] == 1 ? 0 : 255 - 70 * (inks[0] + inks[1] + inks[2]) })

    /// Red, green and blue to Lab by a table: grey of the mean of their values.
    static let table = make(
        space: "RGB ", connection: "Lab ", lookupTable(inputs: 3) { lights in 85 * (lights[0] + lights[1] + lights[2]) }
    )

    /// Tables of two points a side and straight curves; `lightness` goes to 255.
    private static func lookupTable(inputs: Int, lightness: ([Int]) -> Int) -> [(String, [UInt8])] {
        var table = Array("mft1\0\0\0\0".utf8) + [UInt8(inputs), 3, 2, 0]
        for value in [1.0, 0, 0, 0, 1, 0, 0, 0, 1] { table += fixed(value) }
        for _ in 0..<inputs { table += (0...255).map { UInt8($0) } }
        for point in 0..<1 << inputs {
            let values = (0..<inputs).map { point >> (inputs - 1 - $0) & 1 }
            table += [UInt8(lightness(values)), 128, 128]
        }
        for _ in 0..<3 { table += (0...255).map { UInt8($0) } }
        return [("wtpt", xyz([0.9642, 1, 0.8249])), ("A2B0", table), ("A2B1", table)]
    }

    static func gamma(_ exponent: Double) -> [UInt8] {
        let value = UInt16((exponent * 256).rounded())
        return Array("curv\0\0\0\0".utf8) + [0, 0, 0, 1, UInt8(value >> 8), UInt8(value & 255)]
    }

    static func table(_ values: [UInt16]) -> [UInt8] {
        Array("curv\0\0\0\0".utf8) + big(UInt32(values.count)) + values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    static func parametric(_ kind: UInt8, _ parameters: [Double]) -> [UInt8] {
        Array("para\0\0\0\0".utf8) + [0, kind, 0, 0] + parameters.flatMap(fixed)
    }

    static func xyz(_ values: [Double]) -> [UInt8] { Array("XYZ \0\0\0\0".utf8) + values.flatMap(fixed) }

    static func make(
        space: String, connection: String, deviceClass: String = "mntr", _ tags: [(String, [UInt8])]
    ) -> ICCProfile {
        var directory = big(UInt32(tags.count))
        var data: [UInt8] = []
        for (name, bytes) in tags {
            directory += Array(name.utf8) + big(UInt32(132 + 12 * tags.count + data.count)) + big(UInt32(bytes.count))
            data += bytes + Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
        }
        var header = [UInt8](repeating: 0, count: 128)
        header.replaceSubrange(0..<4, with: big(UInt32(128 + directory.count + data.count)))
        header.replaceSubrange(8..<12, with: [4, 0x20, 0, 0])
        header.replaceSubrange(12..<24, with: Array((deviceClass + space + connection).utf8))
        header.replaceSubrange(36..<40, with: Array("acsp".utf8))
        header.replaceSubrange(68..<80, with: [0.9642, 1, 0.8249].flatMap(fixed))
        return ICCProfile(bytes: header + directory + data)
    }

    private static func fixed(_ value: Double) -> [UInt8] { big(UInt32(bitPattern: Int32((value * 65536).rounded()))) }

    private static func big(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
