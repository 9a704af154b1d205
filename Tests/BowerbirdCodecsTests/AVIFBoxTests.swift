#if AVIF
    import BowerbirdCore
    import Testing

    @testable import BowerbirdCodecs

    @Suite("What the boxes of AVIF files say")
    struct AVIFBoxTests {
        @Test func delaysComeFromTheTrackOfPictures() throws {
            let file = box("moov", track("auxv", [(9, 9)]) + track("pict", [(2, 50), (1, 1000)]))
            let movie = try #require(readMovie(in: file))
            #expect(movie.delays(count: 3) == [.milliseconds(50), .milliseconds(50), .seconds(1)])
            #expect(movie.delays(count: 5).suffix(2) == [.zero, .zero])
            #expect(movie.delays(count: 1) == [.milliseconds(50)])
        }

        @Test(
            arguments: [
                (nil, 500, LoopCount.forever), (0, 500, .times(1)), (1, 500, .times(1)), (1, 1000, .times(2)),
                (1, 1001, .times(3)), (1, UInt32.max, .forever), (1, 0, .times(1)),
            ] as [(UInt8?, UInt32, LoopCount)])
        func anEditListThatIsRepeatedFillsTheTrack(flags: UInt8?, duration: UInt32, expected: LoopCount) {
            let edits = flags.map { box("edts", box("elst", [0, 0, 0, $0] + bigEndian(1) + bigEndian(500))) } ?? []
            let file = box("moov", track("pict", [(1, 1)], duration: duration, edits))
            #expect(readMovie(in: file)?.loopCount == expected)
        }

        @Test func aForgedTableIsNoLongerThanItsBox() throws {
            var file = box("moov", track("pict", [(1, 100), (1, 100)]))
            let count = try #require(file.offset(of: "stts")) + 8
            file = file.replacing(at: count, with: bigEndian(.max))
            #expect(readMovie(in: file)?.delays(count: 4).count == 4)
        }

        @Test func noPrefixTraps() {
            let file = box("moov", track("pict", [(1, 1), (2, 2)], box("edts", box("elst", [0, 0, 0, 1]))))
            for count in 0..<file.count { _ = readMovie(in: Array(file[..<count]))?.delays(count: 9) }
        }

        @Test(arguments: [0, 7, 1, 2, UInt32.max])
        func aBoxNeverReachesBeyondItsParent(size: UInt32) {
            let bytes = bigEndian(size) + Array("moov".utf8) + bigEndian(.max) + bigEndian(.max)
            let boxes = ISOBox.all(in: 0..<12, of: bytes.span.bytes)
            #expect(boxes.allSatisfy { $0.end <= 12 })
            #expect(boxes.count == (size == 0 || size == .max ? 1 : 0))
        }

        @Test func cutsAreRoundedToPixelsAndLieInThePicture() {
            let size = PixelSize(width: 722, height: 722)
            let cut = aperture((385, 1), (330, 1), (103, 1), (-308, 1))
            #expect(
                cut.rect(in: PixelSize(width: 722, height: 1024))
                    == PixelRect(x: 272, y: 39, size: PixelSize(width: 385, height: 330)))
            #expect(
                aperture((30, 2), (20, 2), (1, 2), (-1, 2)).rect(in: PixelSize(width: 16, height: 11))
                    == PixelRect(x: 1, y: 0, size: PixelSize(width: 15, height: 10)))
            for bad in [(723, 1), (0, 1), (1, 0), (-5, 1), (5, -1), (Int32.max, 1)] as [(Int32, Int32)] {
                #expect(aperture(bad, (5, 1), (0, 1), (0, 1)).rect(in: size) == PixelRect(size))
                #expect(aperture((5, 1), bad, (0, 1), (0, 1)).rect(in: size) == PixelRect(size))
            }
            for bad in [(400, 1), (-400, 1), (.min, 1), (.max, .max), (1, 0)] as [(Int32, Int32)] {
                #expect(aperture((722, 1), (5, 1), bad, (0, 1)).rect(in: size).size.width >= 5)
            }
            #expect(aperture((5, 1), (5, 1), (.min, 1), (0, 1)).rect(in: size) == PixelRect(size))
        }

        @Test(arguments: Orientation.allCases)
        func everyOrientationIsTurnsAndAMirror(orientation: Orientation) {
            let (turns, mirror) = orientation.quarterTurnsAndMirror
            #expect(Orientation(quarterTurns: turns, mirror: mirror.map { UInt8($0) }) == orientation)
        }

        private func readMovie(in file: [UInt8]) -> AVIFMovie? { AVIFMovie(in: file.span.bytes) }

        private func aperture(
            _ width: (Int32, Int32), _ height: (Int32, Int32), _ x: (Int32, Int32), _ y: (Int32, Int32)
        ) -> CleanAperture {
            func fraction(_ value: (Int32, Int32)) -> CleanAperture.Fraction {
                CleanAperture.Fraction(numerator: value.0, denominator: value.1)
            }
            return CleanAperture(
                width: fraction(width), height: fraction(height), horizontalOffset: fraction(x),
                verticalOffset: fraction(y))
        }

        private func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
            bigEndian(UInt32(contents.count + 8)) + Array(type.utf8) + contents
        }

        private func track(
            _ handler: String, _ runs: [(UInt32, UInt32)], duration: UInt32 = 500, _ edits: [UInt8] = []
        ) -> [UInt8] {
            let zeros = Array<UInt8>(repeating: 0, count: 12)
            let table = bigEndian(0) + bigEndian(UInt32(runs.count)) + runs.flatMap { bigEndian($0) + bigEndian($1) }
            let media =
                box("mdhd", zeros + bigEndian(1000)) + box("hdlr", zeros[..<8] + Array(handler.utf8))
                + box("minf", box("stbl", box("stts", table)))
            return box("trak", box("tkhd", zeros + zeros[..<8] + bigEndian(duration)) + edits + box("mdia", media))
        }
    }
#endif
