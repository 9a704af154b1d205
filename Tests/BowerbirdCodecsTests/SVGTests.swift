#if SVG
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdTestSupport
    import FoundationEssentials
    import Testing

    /// A document with this inside.
    private func svg(_ content: String = "", _ attributes: String = "width=\"4\" height=\"4\"") -> [UInt8] {
        let namespaces = "xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\""
        return Array("<svg \(namespaces) \(attributes)>\(content)</svg>".utf8)
    }

    private let redSquare = "<rect width=\"100%\" height=\"100%\" fill=\"red\"/>"

    @Suite("Drawing SVG")
    struct SVGTests {
        private let decoder = SVGDecoder()

        @Test func pixelsArePremultipliedOrStraight() throws {
            let file = svg("<rect width=\"2\" height=\"4\" fill=\"#f80\" fill-opacity=\"0.5\"/>")
            let bitmap = try decoder.decode(file).bitmap
            #expect(bitmap.format == .bgra8Premultiplied && !bitmap.isOpaque)
            #expect(bitmap.pixel(3, 0) == [0, 0, 0, 0])
            let (pixel, exact) = (bitmap.pixel(0, 0), try decoder.decode(file, DecodingOptions(pixels: .exact)).bitmap)
            #expect(pixel[0] == 0 && (127...128).contains(pixel[2]) && (127...128).contains(pixel[3]))
            #expect(exact.format == .rgba8Straight && exact.pixel(0, 0)[0] == 255 && exact.pixel(0, 0)[3] == pixel[3])
            #expect(try decoder.decode(svg(redSquare)).bitmap.isOpaque)
        }

        @Test(
            arguments: [
                ("width=\"40\" height=\"30\"", 40, 30), ("width=\"1in\" height=\"72pt\"", 96, 96),
                ("width=\"10mm\" height=\"1cm\"", 38, 38), ("width=\"2em\" height=\"1pc\"", 32, 16),
                ("viewBox=\"5 5 70 20\"", 70, 20), ("width=\"100%\" height=\"100%\" viewBox=\"0,0,7,3\"", 7, 3),
                ("width=\"20\" viewBox=\"0 0 4 2\"", 20, 10), ("height=\"20\" viewBox=\"0 0 4 2\"", 40, 20),
                ("", 300, 150), ("width=\"50\"", 50, 150), ("width=\"-4\" height=\"nonsense\"", 300, 150),
                ("width=\"0.2px\" height=\"3\"", 1, 3), ("width=\"65534\" height=\"10\"", 32767, 5),
            ])
        func theSizeIsWhatBrowsersTake(attributes: String, width: Int, height: Int) throws {
            let header = try decoder.header(of: svg("", attributes))
            #expect(header.storedSize == PixelSize(width: width, height: height))
            #expect(header.hasAlpha && header.bitsPerComponent == 8 && header.format == .svg)
        }

        @Test func theHeaderNeedsOnlyTheFirstTag() throws {
            let before = "<?xml version=\"1.0\"?><!-- <svg> --><!DOCTYPE svg [<!ENTITY a \"b>\">]>"
            let file = Array(before.utf8) + svg()
            let end = file.count - 6
            #expect(try decoder.header(of: Array(file[..<end])).storedSize.width == 4)
            for count in 1..<end - 1 {
                #expect(throws: DecodingError.truncated(atByte: count)) {
                    try decoder.header(of: Array(file[..<count]))
                }
            }
        }

        @Test(arguments: [("width=\"4\" height=\"4\"", 0.5), ("viewBox=\"0 0 4 4\"", 0.5), ("viewBox=\"2 0 4 4\"", 0)])
        func theDrawingFillsTheTarget(attributes: String, share: Double) throws {
            let file = svg("<rect width=\"2\" height=\"4\" fill=\"red\"/>", attributes)
            for side in [1, 4, 64, 334] {
                let bitmap = try decoder.decode(file, .fitting(side, side)).bitmap
                #expect(bitmap.size == PixelSize(width: side, height: side))
                let edge = Int(Double(side) * share)
                if edge > 0 { #expect(bitmap.pixel(edge - 1, side - 1) == [0, 0, 255, 255]) }
                if side > 1 { #expect(bitmap.pixel(edge, 0)[3] == 0) }
            }
        }

        @Test func everyScaleModeIsMet() throws {
            let file = svg(redSquare, "width=\"40\" height=\"20\"")
            for mode in ScaleMode.allCases {
                for allowsUpscaling in [true, false] {
                    let options = DecodingOptions(
                        targetSize: PixelSize(width: 100, height: 90), scaleMode: mode, allowsUpscaling: allowsUpscaling
                    )
                    let image = try decoder.decode(file, options)
                    let size = mode.size(
                        of: PixelSize(width: 40, height: 20), in: PixelSize(width: 100, height: 90),
                        allowsUpscaling: true)
                    #expect(image.size == size && image.bitmap.isOpaque)
                    #expect(image.header.storedSize == PixelSize(width: 40, height: 20))
                }
            }
        }

        @Test func picturesInsideAreDrawn() throws {
            #if PNG
                let png = try encode(makePicture(4, 4), with: PNGEncoder())
                let data = Data(png).base64EncodedString()
                for kind in ["href", "xlink:href"] {
                    let file = svg("<image width=\"4\" height=\"4\" \(kind)=\"data:image/png;base64,\(data)\"/>")
                    let image = try decoder.decode(file)
                    #expect(image.warnings.isEmpty)
                    #expect(try image.bitmap.meanDifference(to: makePicture(4, 4)) == 0)
                }
            #endif
        }

        @Test func entitiesThatNameTextsAreRead() throws {
            let file =
                Array("<!DOCTYPE svg [<!-- it's --><!ENTITY c \"red\">]>".utf8)
                + svg("<rect width=\"9\" height=\"9\" fill=\"&c;\"/>")
            #expect(try decoder.decode(file).bitmap.pixel(0, 0) == [0, 0, 255, 255])
        }
    }

    @Suite("Hostile SVG documents")
    struct SVGDamageTests {
        private let decoder = SVGDecoder()

        @Test func nothingOutsideTheDocumentIsLoaded() async throws {
            let folder = try TemporaryDirectory()
            let content = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"a\">\(redSquare)</svg>".utf8)
            let path = folder.path + "/red.svg"
            try Data(content).write(to: URL(filePath: path))
            try Data("rect{fill:red}".utf8).write(to: URL(filePath: folder.path + "/red.css"))
            for address in ["file://\(path)", path, "red.svg", "http://127.0.0.1:9/red.svg", "/dev/zero"] {
                for content in [
                    "<image width=\"4\" height=\"4\" href=\"\(address)\"/>", "<use href=\"\(address)#a\"/>",
                    "<image width=\"4\" height=\"4\" xlink:href=\"\(address)\"/>",
                    "<filter id=\"f\"><feImage href=\"\(address)\"/></filter><g filter=\"url(#f)\"/>",
                    "<rect width=\"4\" height=\"4\" fill=\"url(\(address)#a)\"/>",
                    "<g xmlns:xi=\"http://www.w3.org/2001/XInclude\"><xi:include href=\"\(address)\"/></g>",
                ] {
                    let bitmap = try decoder.decode(svg(content)).bitmap
                    #expect(bitmap.bytes.allSatisfy { $0 == 0 }, "\(content)")
                }
            }
            let style = "<style>@import url(\"\(folder.path)/red.css\");</style><rect width=\"4\" height=\"4\"/>"
            #expect(try decoder.decode(svg(style)).bitmap.pixel(0, 0) == [0, 0, 0, 255])
        }

        @Test(arguments: [
            "<!ENTITY a SYSTEM \"file:///etc/passwd\">", "<!ENTITY % a SYSTEM \"file:///etc/passwd\"> %a;",
        ])
        func externalEntitiesAreNotLoaded(declaration: String) {
            let file = Array("<!DOCTYPE svg [\(declaration)]>".utf8) + svg("<text y=\"4\">&a;</text>")
            if let bitmap = try? decoder.decode(file).bitmap { #expect(bitmap.bytes.allSatisfy { $0 == 0 }) }
        }

        @Test func entitiesThatMultiplyAreRefused() {
            var declarations = "<!ENTITY a0 \"aaaaaaaaaa\">"
            for level in 1...20 {
                let name = "&a\(level - 1);"
                declarations += "<!ENTITY a\(level) \"\(String(repeating: name, count: 10))\">"
            }
            let file = Array("<!DOCTYPE svg [\(declarations)]>".utf8) + svg("<text>&a20;</text>")
            #expect(decoder.failure(of: file) == .corrupt("its entities are more than names for texts"))
        }

        @Test(
            arguments: [
                "<!ENTITY a \"<rect/>\">", "<!ENTITY a '&#60;rect/>'>", "<!ENTITY % a 'x'>%a;",
                "<!ATTLIST image href CDATA 'data:image/png;base64,AAAA'>",
            ])
        func declarationsThatHideSomethingAreRefused(declaration: String) {
            let file = Array("<!DOCTYPE svg [\(declaration)]>".utf8) + svg("<image/>")
            #expect(decoder.failure(of: file) == .corrupt("its entities are more than names for texts"))
        }

        @Test func encodingsWithoutASCIIAreRefused() {
            let file = Array("<?xml version=\"1.0\" encoding=\"UTF-7\"?>".utf8) + svg()
            #expect(decoder.failure(of: file) == .corrupt("its characters are in an encoding that is not read"))
            let known = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>".utf8) + svg()
            #expect(decoder.failure(of: known) == nil)
        }

        @Test func picturesOverTheLimitAreNotDrawn() throws {
            #if PNG
                var parts = PNGParts(of: try encode(makePicture(4, 4), with: PNGEncoder()))
                parts.chunks[0].data.replaceSubrange(0..<8, with: bigEndian(60_000) + bigEndian(60_000))
                let large = Data(parts.file).base64EncodedString()
                let nested = Data(svg(redSquare)).base64EncodedString()
                let address = "data:image/png;base64,\(large)"
                for reference in [
                    address, "&#100;ata&#x3A;image/png;base64,\(large)", " da&#10;ta:image/png;base64,\(large)", "&d;",
                    "data:image/svg+xml;base64,\(nested)", "data:image/svg+xml,&lt;svg/>", "data:,", "data:;base64,!",
                ] {
                    let file =
                        Array("<!DOCTYPE svg [<!ENTITY d '\(address)'>]>".utf8)
                        + svg("<image width=\"4\" height=\"4\" href=\"\(reference)\"/>")
                    let image = try decoder.decode(file)
                    #expect(image.warnings == [.corrupt("a picture inside it is not drawn")], "\(reference.prefix(30))")
                    #expect(image.bitmap.bytes.allSatisfy { $0 == 0 }, "\(reference.prefix(30))")
                }
            #endif
        }

        @Test func aSizeOverTheLimitIsRefused() {
            let file = svg("", "width=\"30000\" height=\"30000\"")
            let size = PixelSize(width: 30_000, height: 30_000)
            #expect(decoder.failure(of: file) == .tooLarge(size, maximumPixelCount: 1 << 28))
            #expect(decoder.failure(of: file, .fitting(10, 10)) == nil)
            let wide = DecodingOptions(targetSize: PixelSize(width: 40_000, height: 1), scaleMode: .exact)
            let target = PixelSize(width: 40_000, height: 1)
            #expect(decoder.failure(of: file, wide) == .tooLarge(target, maximumPixelCount: 1 << 28))
            #expect(decoder.failure(of: svg("", "width=\"0\" height=\"9\"")) == .corrupt("its size is 0 × 9"))
        }

        @Test func elementsThatLieTooDeepAreRefused() {
            let deep = String(repeating: "<g>", count: 63) + redSquare + String(repeating: "</g>", count: 63)
            #expect(decoder.failure(of: svg(deep)) == nil)
            #expect(decoder.failure(of: svg("<g>\(deep)</g>")) == .tooDeeplyNested(maximum: 64))
            var limits = DecodingLimits()
            limits.maximumNestingDepth = 100_000
            let options = DecodingOptions(limits: limits)
            let deepest = String(repeating: "<g>", count: 5000) + String(repeating: "</g>", count: 5000)
            _ = decoder.failure(of: svg(deepest), options)
        }

        /// Each level draws the one below several times.
        private static func bomb(levels: Int, width: Int) -> [UInt8] {
            var content = "<g id=\"a0\"><circle r=\"2\"/></g>"
            for level in 1...levels {
                content += "<g id=\"a\(level)\">"
                content += String(repeating: "<use xlink:href=\"#a\(level - 1)\"/>", count: width) + "</g>"
            }
            return svg("<defs>\(content)</defs><use xlink:href=\"#a\(levels)\"/>")
        }

        @Test func elementsThatMultiplyEnd() {
            #expect(decoder.failure(of: Self.bomb(levels: 5, width: 7)) == nil)
            _ = decoder.failure(of: svg("<g id=\"a\"><use href=\"#a\"/></g>"))
            _ = decoder.failure(
                of: svg("<pattern id=\"a\" width=\"1\" height=\"1\" href=\"#a\"/><rect fill=\"url(#a)\"/>"))
        }

        /// Long enough that the time is over before it, and short enough for a test that leaves it running.
        private static let slow: [UInt8] = {
            let filter = "<filter id=\"f\"><feTurbulence baseFrequency=\"0.1\" numOctaves=\"9\"/></filter>"
            return svg(
                "\(filter)<rect width=\"100%\" height=\"100%\" filter=\"url(#f)\"/>", "width=\"900\" height=\"900\"")
        }()

        @Test func aDrawingThatTakesTooLongIsAnswered() {
            var limits = DecodingLimits()
            limits.maximumDrawingTime = .milliseconds(10)
            let start = ContinuousClock.now
            #expect(
                decoder.failure(of: Self.slow, DecodingOptions(limits: limits))
                    == .tookTooLong(maximum: .milliseconds(10)))
            #expect(ContinuousClock.now - start < .seconds(2))
        }

        @Test func aCancelledTaskIsAnswered() async {
            let checks = DamageChecks(decoder: decoder, file: Self.slow)
            await checks.aCancelledTaskStops()
            let task = Task { SVGDecoder().failure(of: Self.slow) }
            task.cancel()
            #expect(await task.value == .cancelled)
        }

        @Test func manyThatTakeTooLongWaitForEachOther() async {
            var limits = DecodingLimits()
            limits.maximumDrawingTime = .milliseconds(20)
            let options = DecodingOptions(limits: limits)
            await withTaskGroup(of: DecodingError?.self) { group in
                for _ in 0..<8 { group.addTask { SVGDecoder().failure(of: Self.slow, options) } }
                for await error in group { #expect(error == .tookTooLong(maximum: .milliseconds(20))) }
            }
            // Once those have run out, others are drawn again.
            #expect(decoder.failure(of: svg(redSquare), DecodingOptions(limits: DecodingLimits())) == nil)
        }

        @Test func emptyCutAndOtherFilesThrow() {
            #expect(decoder.failure(of: []) == .empty)
            let file = svg(redSquare)
            for count in 1..<file.count {
                #expect(decoder.failure(of: Array(file[..<count])) == .truncated(atByte: count))
            }
            for text in ["<svg></svg", "<html><svg/></html>", "no markup", "</svg>"] {
                #expect(decoder.failure(of: Array(text.utf8)) != nil, "\(text)")
            }
            guard case .corrupt = decoder.failure(of: svg("<rect></g>")) else {
                Issue.record("it was not refused")
                return
            }
        }

        @Test func noDamageTraps() {
            let content = "<!-- a --><g><text>b</text><image href=\"data:image/png;base64,AAAA\"/>\(redSquare)</g>"
            let file = Array("<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY a 'b'>]>".utf8) + svg(content)
            DamageChecks(decoder: decoder, file: file).noChangeTraps(rounds: 200, changes: 2)
        }
    }

    @Suite("Drawing SVG from the corpus", Corpus.isPresent)
    struct SVGCorpusTests {
        @Test(arguments: ["avif/star.svg", "sdwebimage/TestImage.svg"])
        func filesAreDrawn(path: String) throws {
            let image = try SVGDecoder().decode(Corpus.bytes(path), .fitting(200, 200))
            #expect(image.warnings.isEmpty && max(image.size.width, image.size.height) == 200)
            #expect(image.bitmap.bytes.contains { $0 != 0 })
        }
    }
#endif
