import BowerbirdCore
import BowerbirdRaster
import BowerbirdTestSupport
import Testing

@testable import BowerbirdCodecs

@Suite("Converting colours")
struct ColorConversionTests {
    private func pixels(
        _ components: [Int], _ format: PixelFormat = .rgba8Straight, isOpaque: Bool = false
    ) throws -> Bitmap {
        var buffer = try makeBuffer(components.count / 4, 1, format, isOpaque: isOpaque)
        buffer.withRow(0) { row in
            for (index, value) in components.enumerated() {
                if format == .rgba16Straight {
                    row.storeBytes(of: UInt16(value), toByteOffset: 2 * index, as: UInt16.self)
                } else {
                    row.storeBytes(of: UInt8(value), toByteOffset: index, as: UInt8.self)
                }
            }
        }
        return buffer.freeze()
    }

    private func converted(
        _ components: [Int], from profile: ColorProfile, _ format: PixelFormat = .rgba8Straight
    ) throws -> [Int] {
        let bitmap = try ColorConversion.toSRGB(pixels(components, format), from: profile)
        #expect(bitmap.format == format)
        guard format == .rgba16Straight else { return bitmap.bytes.map(Int.init) }
        return bitmap.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)).map(Int.init) }
    }

    private func cicp(_ primaries: Int, _ transfer: Int) -> ColorProfile {
        .cicp(CodingPoints(primaries: primaries, transfer: transfer))
    }

    private func expect(_ values: [Int], _ expected: [Int], within tolerance: Int = 1) {
        #expect(
            values.count == expected.count && zip(values, expected).allSatisfy { abs($0 - $1) <= tolerance },
            "\(values) for \(expected)")
    }

    /// All greys, and some colours in between.
    private let someColors: [Int] =
        (0...255).flatMap { [$0, $0, $0, 255] } + stride(from: 0, to: 200, by: 7).flatMap { [$0, 255 - $0, 40, 255] }

    // MARK: Known colours

    /// By the published numbers of Display P3: its (234, 51, 35) is what sRGB calls pure red, its red lies outside.
    @Test func displayP3BecomesSRGB() throws {
        for profile in [ColorProfile.icc(TestProfile.displayP3), cicp(12, 13)] {
            expect(try converted([234, 51, 35, 255], from: profile), [255, 0, 0, 255], within: 4)
            expect(try converted([255, 0, 0, 255], from: profile), [255, 0, 0, 255])
            expect(try converted([117, 251, 76, 255], from: profile), [0, 255, 0, 255], within: 10)
            expect(try converted([128, 128, 128, 255], from: profile), [128, 128, 128, 255])
            expect(try converted([200, 100, 50, 255], from: profile), [215, 93, 31, 255])
        }
    }

    @Test func adobeRGBBecomesSRGB() throws {
        let profile = ColorProfile.icc(TestProfile.adobeRGB)
        expect(try converted([200, 100, 50, 255], from: profile), [228, 100, 43, 255], within: 3)
        expect(try converted([0, 255, 0, 255], from: profile), [0, 255, 0, 255])
        expect(try converted([255, 255, 255, 9], from: profile), [255, 255, 255, 9])
    }

    @Test(arguments: [4: 128, 5: 107, 8: 188])
    func gammaIsTakenOutAndSRGBsPutIn(transfer: Int, expected: Int) throws {
        let value = try converted([128, 128, 128, 255], from: cicp(1, transfer))
        expect(value, [expected, expected, expected, 255], within: 2)
    }

    @Test(arguments: [1, 4, 5, 6, 7, 8, 9, 11, 12, 22], [4, 5, 8, 9, 10, 13, 17])
    func greyStaysGreyAndWhiteWhite(primaries: Int, transfer: Int) throws {
        let values = try converted(someColors, from: cicp(primaries, transfer))
        for grey in 0..<256 {
            let pixel = values[4 * grey..<4 * grey + 3]
            #expect(Set(pixel).count == 1, "\(pixel)")
        }
        // Cinema leaves room above white.
        #expect(values[4 * 255] == 255 && values[0] <= 25)
    }

    @Test func greyProfilesActOnAllThree() throws {
        let profile = ColorProfile.icc(TestProfile.gray(curve: TestProfile.gamma(1)))
        expect(try converted([128, 128, 128, 200], from: profile), [188, 188, 188, 200])
        #expect(
            try converted([0, 0, 0, 255, 255, 255, 255, 255], from: profile) == [0, 0, 0, 255, 255, 255, 255, 255])
    }

    @Test func curvesMayBeTablesAndFormulas() throws {
        let table = (0..<64).map { UInt16(65535.0 * SRGB.light(Double($0) / 63)) }
        let curves = [
            TestProfile.table(table), TestProfile.parametric(4, TestProfile.sRGBParameters + [0, 0]),
            TestProfile.parametric(3, TestProfile.sRGBParameters),
        ]
        let expected = try converted(someColors, from: .icc(TestProfile.displayP3))
        for curve in curves {
            let profile = TestProfile.rgb(TestProfile.displayP3Colorants, curve: curve)
            expect(try converted(someColors, from: .icc(profile)), expected, within: 2)
        }
        let squares = [TestProfile.parametric(0, [2]), TestProfile.parametric(1, [2, 1, 0]), TestProfile.gamma(2)]
        let plain = TestProfile.parametric(2, [2, 1, 0, 0])
        let square = try converted(someColors, from: .icc(TestProfile.gray(curve: plain)))
        for curve in squares {
            #expect(try converted(someColors, from: .icc(TestProfile.gray(curve: curve))) == square)
        }
    }

    // MARK: High dynamic range

    /// Diffuse white of 203 cd/m² is the value 0.58 of PQ and 0.75 of HLG.
    @Test func diffuseWhiteIsNearlyWhite() throws {
        expect(try converted([148, 148, 148, 255], from: cicp(9, 16)), [241, 241, 241, 255], within: 2)
        expect(try converted([191, 191, 191, 255], from: cicp(9, 18)), [241, 241, 241, 255], within: 2)
    }

    @Test func theBrightestIsWhiteAndGreysGrow() throws {
        for transfer in [16, 18] {
            let values = try converted(someColors, from: cicp(9, transfer))
            let greys = (0...255).map { values[4 * $0] }
            #expect(greys == greys.sorted() && greys[0] == 0 && greys[255] == 255)
            for grey in 0...255 { #expect(Set(values[4 * grey..<4 * grey + 3]).count == 1) }
        }
    }

    /// 100 cd/m² of BT.709 are as they would be in sRGB with white at 203.
    @Test func whatIsNotBrightIsLeftAsItIs() throws {
        let light = SRGB.encoded(100.0 / 203) * 255
        expect(
            try converted([130, 130, 130, 255], from: cicp(1, 16)), [Int(light), Int(light), Int(light), 255], within: 3
        )
    }

    @Test func brightColoursKeepTheirHue() throws {
        let values = try converted([0, 0, 220, 255], from: cicp(1, 16))
        #expect(values[0] == 0 && values[1] == 0 && values[2] == 255)
        let orange = try converted([46000, 36000, 10000, 65535], from: cicp(1, 16), .rgba16Straight)
        #expect(orange[0] > orange[1] && orange[1] > orange[2] && orange[3] == 65535)
    }

    // MARK: Profiles that are tables

    #if ICC
        /// Lightness 100 ÷ 3 is the grey 78.
        @Test func tablesOfColoursAreFollowed() throws {
            let profile = ColorProfile.icc(TestProfile.table)
            let values = try converted([255, 0, 0, 200, 255, 255, 255, 255, 0, 0, 0, 0], from: profile)
            expect(values, [78, 78, 78, 200, 255, 255, 255, 255, 0, 0, 0, 0], within: 2)
            let wide = try converted([65535, 0, 0, 4321], from: profile, .rgba16Straight)
            expect(wide, [78 * 257, 78 * 257, 78 * 257, 4321], within: 400)
            let shown = try converted([0, 0, 128, 128, 0, 0, 0, 0, 0, 0, 255, 255], from: profile, .bgra8Premultiplied)
            expect(shown, [39, 39, 39, 128, 0, 0, 0, 0, 78, 78, 78, 255], within: 2)
        }

        @Test func aWideRowIsConvertedWhole() throws {
            let colors = (0..<3000).flatMap { _ in [0, 0, 255, 255] }
            let values = try converted(colors, from: .icc(TestProfile.table), .bgra8Premultiplied)
            #expect(Set(values).count == 2)
        }

        @Test func noTableMakesItTrap() throws {
            var generator = SeededRandom(seed: 7)
            for profile in [TestProfile.table, TestProfile.inks] {
                for _ in 0..<20 {
                    var bytes = profile.bytes
                    for _ in 0..<3 { bytes[.random(in: 0..<600, using: &generator)] = .random(in: 0...255) }
                    tryOut(ICCProfile(bytes: bytes))
                }
                for count in stride(from: 0, to: profile.bytes.count, by: 211) {
                    tryOut(ICCProfile(bytes: Array(profile.bytes[..<count])))
                }
            }
        }

        private func tryOut(_ profile: ICCProfile) {
            var pixels = (0...255).map { UInt8($0) }
            pixels.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                ICCTransform(profile, .rgba8Straight)?.convert(base, to: base, pixelCount: 64, .rgba8Straight)
                ICCTransform(inks: profile, isInverted: true)?.convertInks(bytes)
            }
        }
    #endif

    // MARK: What is sRGB already

    @Test(arguments: [
        ColorProfile.unspecified, .sRGB, .icc(TestProfile.sRGB), .cicp(CodingPoints(primaries: 1, transfer: 13)),
        .cicp(CodingPoints(primaries: 1, transfer: 14)),
        .icc(TestProfile.rgb(TestProfile.sRGBColorants, curve: TestProfile.parametric(3, TestProfile.sRGBParameters))),
    ])
    func whatIsSRGBByAnyNameIsTheVerySamePicture(profile: ColorProfile) throws {
        let picture = try makePicture(20, 10)
        #expect(try ColorConversion.toSRGB(picture, from: profile).isIdentical(to: picture))
    }

    @Test func nonsenseLeavesThePictureAsItIs() throws {
        let picture = try makePicture(20, 10)
        var truncated = TestProfile.displayP3.bytes
        truncated.removeLast(100)
        let flat = TestProfile.rgb(
            red: [0.3, 0.3, 0.3], green: [0.3, 0.3, 0.3], blue: [0.3, 0.3, 0.3], curve: TestProfile.gamma(2))
        let profiles = [[], [1, 2, 3], Array(repeating: 0, count: 500), truncated, flat.bytes, TestProfile.inks.bytes]
        for bytes in profiles {
            let profile = ColorProfile.icc(ICCProfile(bytes: bytes))
            #expect(try ColorConversion.toSRGB(picture, from: profile).isIdentical(to: picture))
        }
    }

    @Test func noProfileMakesItTrap() throws {
        let picture = try makePicture(4, 4)
        var generator = SeededRandom(seed: 4)
        for profile in [
            TestProfile.displayP3, TestProfile.gray(curve: TestProfile.table([0, 9, 60000])), TestProfile.inks,
        ] {
            for count in stride(from: 0, to: profile.bytes.count, by: 97) {
                let cut = ICCProfile(bytes: Array(profile.bytes[..<count]))
                _ = try ColorConversion.toSRGB(picture, from: .icc(cut))
            }
            for _ in 0..<60 {
                var bytes = profile.bytes
                for _ in 0..<3 { bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255) }
                _ = try ColorConversion.toSRGB(picture, from: .icc(ICCProfile(bytes: bytes)))
            }
        }
    }

    // MARK: Pixels

    @Test func alphaStaysAndColoursAreConvertedAsTheyWereBeforeIt() throws {
        let profile = ColorProfile.icc(TestProfile.displayP3)
        let straight = try converted([200, 100, 50, 128, 200, 100, 50, 0, 200, 100, 50, 255], from: profile)
        #expect(straight[3] == 128 && straight[7] == 0 && straight[11] == 255)
        #expect(straight[..<3] == straight[8..<11])
        let alpha = 128
        let source = [50, 100, 200].map { ($0 * alpha + 127) / 255 } + [alpha] + [0, 0, 0, 0]
        let premultiplied = try converted(source, from: profile, .bgra8Premultiplied)
        let expected = [straight[2], straight[1], straight[0]].map { ($0 * alpha + 127) / 255 }
        expect(premultiplied, expected + [alpha, 0, 0, 0, 0])
    }

    @Test func sixteenBitsKeepTheirDepth() throws {
        let profile = ColorProfile.icc(TestProfile.displayP3)
        let wide = try converted(someColors.map { 257 * $0 }, from: profile, .rgba16Straight)
        let narrow = try converted(someColors, from: profile)
        for (wide, narrow) in zip(wide, narrow) { #expect(abs(wide - 257 * narrow) <= 257) }
        let steps = try converted(
            (0..<1000).flatMap { [3000 + $0, 3000 + $0, 3000 + $0, 777] }, from: cicp(9, 4), .rgba16Straight)
        #expect(Set(steps).count > 700 && steps[3] == 777)
    }

    @Test func everyFormatGivesTheSameColours() throws {
        let picture = try makePicture(30, 20, format: .rgba8Straight)
        let profile = ColorProfile.icc(TestProfile.displayP3)
        let expected = try ColorConversion.toSRGB(picture, from: profile)
        let display = try ColorConversion.toSRGB(makePicture(30, 20), from: profile)
        #expect(display.isOpaque)
        for y in 0..<20 {
            for x in 0..<30 {
                let pixel = expected.pixel(x, y)
                #expect(display.pixel(x, y) == [pixel[2], pixel[1], pixel[0], pixel[3]])
            }
        }
    }

    @Test func aCancelledTaskStopsIt() async throws {
        let picture = try makePicture(30, 200)
        let error = await Task { () -> RasterError? in
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(RasterError) {
                _ = try ColorConversion.toSRGB(picture, from: .icc(TestProfile.displayP3))
                return nil
            } catch {
                return error
            }
        }.value
        #expect(error == .cancelled)
    }

    @Test func threadsShareATransform() async throws {
        let picture = try makePicture(64, 64)
        for profile in [TestProfile.displayP3, TestProfile.adobeRGB] {
            let expected = try ColorConversion.toSRGB(picture, from: .icc(profile)).bytes
            let results = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<8 {
                    group.addTask { try ColorConversion.toSRGB(picture, from: .icc(profile)).bytes }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.allSatisfy { $0 == expected })
        }
    }

    @Test func fewTransformsAreKept() throws {
        let transforms = ColorTransforms()
        for gamma in 10...40 {
            let profile = TestProfile.gray(curve: TestProfile.gamma(Double(gamma) / 10))
            _ = transforms.transform(from: .icc(profile), .rgba8Straight)
        }
        #expect(transforms.count == 8)
        let huge = ICCProfile(bytes: TestProfile.displayP3.bytes + Array(repeating: 0, count: 5 << 20))
        #expect(ColorTransforms().transform(from: .icc(huge), .rgba8Straight) != nil)
    }
}
