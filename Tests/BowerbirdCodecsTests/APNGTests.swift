#if PNG
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdTestSupport
    import Testing

    private let red: [UInt8] = [255, 0, 0, 255]
    private let green: [UInt8] = [0, 255, 0, 255]
    private let blue: [UInt8] = [0, 0, 255, 255]
    private let clear: [UInt8] = [0, 0, 0, 0]

    private let exact = DecodingOptions(pixels: .exact)

    private func frames(_ file: [UInt8], _ options: DecodingOptions = exact) throws -> (any FrameSource)? {
        try PNGDecoder().frames(in: #require(EncodedImage(file)), options)
    }

    @Suite("Animated PNG")
    struct APNGTests {
        private let decoder = PNGDecoder()

        /// Red, with a green square in the middle of the second frame.
        private func twoFrames(disposal: UInt8 = 0, playCount: UInt32 = 0, third: Bool = false) -> APNGParts {
            var file = APNGParts(6, 4, frameCount: third ? 3 : 2, playCount: playCount)
            file.addFrame(red, isStill: true)
            file.addFrame(green, x: 2, y: 1, width: 2, height: 2, delay: (3, 100), disposal: disposal)
            if third { file.addFrame(blue, width: 1, height: 1) }
            return file
        }

        @Test func theHeaderTellsOfTheAnimation() throws {
            let header = try decoder.header(of: twoFrames(playCount: 7).file)
            #expect(header.frameCount == 2 && header.isAnimated && header.loopCount == .times(7))
            #expect(try decoder.header(of: twoFrames().file).loopCount == .forever)
            let still = try decoder.header(of: encode(makePicture(3, 3), with: PNGEncoder()))
            #expect(still.frameCount == 1 && !still.isAnimated && still.loopCount == nil)
        }

        @Test func framesAreComposed() throws {
            let source = try #require(try frames(twoFrames().file))
            #expect(source.size == PixelSize(width: 6, height: 4) && source.loopCount == .forever)
            #expect(source.delays == [.milliseconds(100), .milliseconds(30)])
            #expect(try source.frame(at: 0).pixel(2, 1) == red)
            let second = try source.frame(at: 1)
            #expect(second.pixel(2, 1) == green && second.pixel(1, 1) == red && second.pixel(3, 3) == red)
        }

        @Test func aStillHasNoFrames() throws {
            #expect(try frames(encode(makePicture(3, 3), with: PNGEncoder())) == nil)
            var one = APNGParts(3, 3, frameCount: 1)
            one.addFrame(red, isStill: true)
            #expect(try frames(one.file) == nil)
            #expect(try decoder.decode(one.file, exact).bitmap.pixel(1, 1) == red)
        }

        @Test(arguments: [0, 1, 2] as [UInt8])
        func whatAFrameLeavesIsAsItSays(disposal: UInt8) throws {
            let left = [green, clear, red][Int(disposal)]
            let source = try #require(try frames(twoFrames(disposal: disposal, third: true).file))
            let third = try source.frame(at: 2)
            #expect(third.pixel(0, 0) == blue && third.pixel(2, 1) == left && third.pixel(5, 3) == red)
        }

        @Test func theFirstFrameLeavesNothingBehindWhenItIsToBeUndone() throws {
            var file = APNGParts(4, 4, frameCount: 2)
            file.addFrame(red, disposal: 2, isStill: true)
            file.addFrame(green, width: 1, height: 1)
            let source = try #require(try frames(file.file))
            #expect(try source.frame(at: 1).pixel(3, 3) == clear)
        }

        @Test func aFrameReplacesOrCoversWhatIsBelow() throws {
            for (blend, expected) in [(0, [0, 0, 255, 128] as [UInt8]), (1, [127, 0, 128, 255])] {
                var file = APNGParts(2, 2, frameCount: 2)
                file.addFrame(red, isStill: true)
                file.addFrame([0, 0, 255, 128], blend: UInt8(blend))
                let source = try #require(try frames(file.file))
                #expect(try source.frame(at: 1).pixel(1, 1) == expected)
            }
        }

        @Test func aDelayIsAFractionOfASecond() throws {
            var file = APNGParts(2, 2, frameCount: 4)
            file.addFrame(red, delay: (1, 4), isStill: true)
            file.addFrame(green, delay: (20, 0))
            file.addFrame(blue, delay: (0, 100))
            file.addFrame(red, delay: (65535, 1))
            let delays = try #require(try frames(file.file)).delays
            #expect(delays == [.milliseconds(250), .milliseconds(200), .milliseconds(100), .seconds(65535)])
        }

        @Test func theStillPictureIsNoFrameWhereItHasNotBeenAnnounced() throws {
            var file = APNGParts(4, 4, frameCount: 2)
            file.addStill(blue)
            file.addFrame(red, width: 2, height: 2)
            file.addFrame(green)
            let source = try #require(try frames(file.file))
            #expect(source.frameCount == 2)
            let first = try source.frame(at: 0)
            #expect(first.pixel(0, 0) == red && first.pixel(3, 3) == clear)
            #expect(try decoder.decode(file.file, exact).bitmap.bytes == first.bytes)
        }

        @Test func framesAreScaledAndTurnedLikeStills() throws {
            var file = twoFrames()
            file.parts.insert("eXIf", exif(orientation: 6, isBigEndian: true))
            let source = try #require(try frames(file.file, .fitting(2, 3)))
            #expect(source.size == PixelSize(width: 2, height: 3))
            #expect(try source.frame(at: 1).size == source.size)
        }

        @Test func anyOrderGivesTheSameFrames() throws {
            var file = APNGParts(8, 8, frameCount: 12)
            file.addFrame(red, isStill: true)
            for index in 1..<12 {
                let color: [UInt8] = [UInt8(index * 20), 0, 99, 200]
                file.addFrame(
                    color, x: index % 5, y: index % 4, width: 3, height: 3, disposal: UInt8(index % 3), blend: 1)
            }
            let source = try #require(try frames(file.file))
            let inOrder = try (0..<12).map { try source.frame(at: $0).bytes }
            for index in [11, 3, 7, 0, 4, 11] { #expect(try source.frame(at: index).bytes == inOrder[index]) }
        }

        @Test func aThousandFramesAreNoMoreThanOne() throws {
            var file = APNGParts(3, 3, frameCount: 1000)
            file.addFrame(red, isStill: true)
            for index in 1..<1000 { file.addFrame([UInt8(index % 256), 1, 2, 255]) }
            let source = try #require(try frames(file.file))
            #expect(source.frameCount == 1000)
            #expect(try source.frame(at: 999).pixel(1, 1) == [231, 1, 2, 255])
        }

        // MARK: Faults

        @Test func moreFramesThanTheLimitAreRefused() throws {
            var file = twoFrames()
            file.parts.chunks[1].data = bigEndian(0x7FFF_FFFF) + bigEndian(0)
            let bytes = file.file
            #expect(throws: DecodingError.tooManyFrames(maximum: 20_000)) { try frames(bytes) }
            #expect(try decoder.header(of: bytes).frameCount == 0x7FFF_FFFF)
            #expect(try decoder.decode(bytes, exact).bitmap.pixel(0, 0) == red)
        }

        @Test func fewerFramesThanAnnouncedAreShownWithAWarning() throws {
            var file = twoFrames()
            file.parts.chunks[1].data = bigEndian(5) + bigEndian(0)
            #expect(try frames(file.file)?.frameCount == 2)
            guard case .corrupt? = try decoder.decode(file.file).warnings.first else {
                Issue.record("no warning")
                return
            }
        }

        @Test func framesBehindTheAnnouncedOnesAreNotShown() throws {
            var file = twoFrames(third: true)
            file.parts.chunks[1].data = bigEndian(2) + bigEndian(0)
            #expect(try frames(file.file)?.frameCount == 2)
            #expect(try decoder.decode(file.file).warnings.isEmpty)
        }

        /// Changes of a file of three frames, and how many can be shown then.
        private static let faults: [(name: String, count: Int, change: @Sendable (inout PNGParts) -> Void)] = [
            ("a frame outside the picture", 2, { $0.chunks[7].data[7] = 7 }),
            ("a frame of no width", 2, { $0.chunks[7].data[7] = 0 }),
            (
                "a frame at the end of numbers", 2,
                { $0.chunks[7].data.replaceSubrange(4..<8, with: [255, 255, 255, 255]) }
            ),
            ("an unknown disposal", 2, { $0.chunks[7].data[24] = 3 }),
            ("an unknown blending", 2, { $0.chunks[7].data[25] = 2 }),
            ("a short frame", 2, { $0.chunks[7].data.removeLast() }),
            ("a number twice", 2, { $0.chunks[7].data[3] = 2 }),
            ("pixels out of order", 2, { $0.chunks.swapAt(8, 9) }),
            ("a frame without pixels", 2, { $0.chunks.removeSubrange(8..<10) }),
            ("pixels without a number", 2, { $0.chunks[8].data = [1, 2] }),
            ("the first frame in a corner", 0, { $0.chunks[2].data[7] = 2 }),
            ("a first number that is not 0", 0, { $0.chunks[2].data[3] = 1 }),
            ("no frame announced", 0, { $0.chunks[1].data = bigEndian(0) + bigEndian(0) }),
            ("an animation of nine bytes", 0, { $0.chunks[1].data.append(0) }),
            ("an animation behind the pixels", 0, { $0.chunks.swapAt(1, 3) }),
        ]

        @Test func aBrokenAnimationEndsWithItsLastGoodFrame() throws {
            for (name, count, change) in Self.faults {
                var parts = twoFrames(third: true).parts
                change(&parts)
                parts.chunks.append(("IEND", []))
                let source = try frames(parts.file)
                #expect((source?.frameCount ?? 0) == count, "\(name)")
                if let source { #expect(try source.frame(at: count - 1).pixel(0, 0) == red, "\(name)") }
                #expect(try decoder.decode(parts.file, exact).bitmap.pixel(0, 0) == red, "\(name)")
            }
        }

        @Test func aFrameWithDamagedPixelsThrows() throws {
            var file = twoFrames(third: true)
            file.parts.chunks[5].data[10] ^= 0xFF
            let bytes = file.file
            let source = try #require(try frames(bytes))
            #expect(try source.frame(at: 0).pixel(0, 0) == red)
            #expect(throws: DecodingError.self) { try source.frame(at: 1) }
            #expect(try source.frame(at: 0).pixel(0, 0) == red)
        }

        @Test func noPrefixAndNoFlippedByteTraps() throws {
            let file = twoFrames(third: true).file
            let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1 << 20))
            for index in file.indices {
                var damaged = file
                damaged[index] ^= 0x81
                for bytes in [damaged, Array(file[..<index])] where !bytes.isEmpty {
                    _ = try? decoder.decode(bytes, options)
                    guard let source = try? frames(bytes, options) else { continue }
                    for frame in 0..<source.frameCount { _ = try? source.frame(at: frame) }
                }
            }
        }

        @Test func noChangedNumberTraps() throws {
            var random = SeededRandom(seed: 31)
            for _ in 0..<2000 {
                var parts = twoFrames(third: true).parts
                let chunk = Int.random(in: 1..<parts.chunks.count, using: &random)
                guard !parts.chunks[chunk].data.isEmpty else { continue }
                let byte = Int.random(in: 0..<min(30, parts.chunks[chunk].data.count), using: &random)
                parts.chunks[chunk].data[byte] = UInt8.random(in: 0...255, using: &random)
                parts.chunks.append(("IEND", []))
                guard let source = try? frames(parts.file) else { continue }
                for frame in 0..<source.frameCount { _ = try? source.frame(at: frame) }
            }
        }

        // MARK: On their way

        @Test func framesCanBeHadAsSoonAsTheyAreThere() throws {
            let file = twoFrames(third: true).file
            let whole = try #require(try frames(file))
            let decoder = try #require(decoder.makeProgressiveDecoder(exact))
            var counts: [Int] = []
            for end in 1...file.count {
                let prefix = Array(file[..<end])
                try decoder.update(prefix.span.bytes, isComplete: end == file.count)
                let source = try decoder.frames()
                if let count = source?.frameCount, counts.last != count { counts.append(count) }
                guard let source, end.isMultiple(of: 50) else { continue }
                let last = source.frameCount - 1
                #expect(try source.frame(at: last).bytes == whole.frame(at: last).bytes)
            }
            #expect(counts == [2, 3])
            let image = try decoder.finish()
            #expect(image.bitmap.bytes == (try whole.frame(at: 0).bytes) && image.warnings.isEmpty)
        }

        @Test func theFirstFrameIsTheFinalPictureHoweverItCame() throws {
            var parts = APNGParts(4, 4, frameCount: 2)
            parts.addStill(blue)
            parts.addFrame(red, width: 2, height: 2)
            parts.addFrame(green)
            let file = parts.file
            for step in [1, 40, file.count] {
                let decoder = try #require(decoder.makeProgressiveDecoder(exact))
                for end in stride(from: step, through: file.count + step - 1, by: step) {
                    let prefix = Array(file[..<min(end, file.count)])
                    try decoder.update(prefix.span.bytes, isComplete: end >= file.count)
                }
                #expect(try decoder.finish().bitmap.bytes == PNGDecoder().decode(file, exact).bitmap.bytes)
                #expect(try decoder.frames()?.frameCount == 2)
            }
        }

        /// Found by the fuzzer: only files that came at once showed their animation.
        @Test func aDamagedStillThatIsNotShownDoesNotMatterHoweverItCame() throws {
            var parts = APNGParts(4, 4, frameCount: 2)
            parts.parts.chunks.append(
                (
                    "IDAT",
                    [
                        0x88, 0x63, 0x9C, 0x9F, 0xE7, 0xFA, 0x5C, 0xA0, 0x14, 0x8C, 0x82, 0x51, 0x30, 0x0A, 0x46, 0xC1,
                        0x28, 0x20, 0x0D, 0, 0, 0x08, 0x40, 0, 1,
                    ]
                ))
            parts.addFrame(red)
            parts.addFrame(green)
            let file = parts.file
            let whole = try PNGDecoder().decode(file, exact)
            #expect(whole.bitmap.pixel(0, 0) == red)
            for count in [1, 3] {
                let decoder = try #require(decoder.makeProgressiveDecoder(exact))
                for part in 1...count {
                    let prefix = Array(file[..<(file.count * part / count)])
                    try decoder.update(prefix.span.bytes, isComplete: part == count)
                    _ = try decoder.preview()
                }
                #expect(try decoder.finish().bitmap.bytes == whole.bitmap.bytes)
                #expect(try decoder.frames()?.frameCount == 2)
            }
        }
    }

    @Suite("Animated PNG from the corpus", Corpus.isPresent)
    struct APNGCorpusTests {
        @Test func framesHaveThePixelsOfTheirReferences() throws {
            let folder = "image-rs/reference/png/apng"
            let source = try #require(try frames(Corpus.bytes("image-rs/images/png/apng/ball.png")))
            let references = try Corpus.files(in: folder, ending: ".png").filter { $0.contains("/ball.png.anim_") }
            #expect(references.count == source.frameCount)
            for (index, path) in references.enumerated() {
                let expected = try PNGDecoder().decode(Corpus.bytes(path), exact).bitmap
                #expect(try source.frame(at: index).meanDifference(to: expected) < 0.5, "\(path)")
            }
        }

        /// How many frames each file has that can be shown; nil for a still.
        @Test(
            arguments: [
                ("chunk_actl_after_idat", nil), ("chunk_no_fdat", nil), ("chunk_repeat_fctl", nil), ("delay_round", 2),
                ("delay_short_max", 2), ("dispose_op_background", 3), ("dispose_op_previous_first", 2),
                ("num_plays_1", 2),
                ("sequence_fdat_fctl", nil), ("sequence_reorder_chunk", nil), ("sequence_repeat_chunk", nil),
                ("sequence_start", nil), ("single_frame", nil), ("syntax_num_frames_invalid", nil),
                ("syntax_num_frames_zero_default", nil),
            ] as [(String, Int?)])
        func filesAreShownAsFarAsTheyAreSound(name: String, count: Int?) throws {
            let file = try Corpus.bytes("pillow/apng/\(name).png")
            #expect(try frames(file)?.frameCount == count, "\(name)")
            #expect(PNGDecoder().failure(of: file) == nil)
        }

        /// The colour that the last frame has in its corner, as Pillow and browsers show it.
        private static let lastColors: [String: [UInt8]] = [
            "blend_op_source_near_transparent": [0, 255, 0, 2], "delay_round": [255, 255, 0, 255],
            "different_durations": [55, 148, 110, 255], "dispose_op_background": clear,
            "dispose_op_background_before_region": clear, "dispose_op_none_region": green,
            "dispose_op_previous_final": green, "dispose_op_previous_first": clear,
            "dispose_op_previous_region": green, "mode_grayscale": [128, 128, 128, 255], "mode_palette_alpha": green,
            "num_plays_1": blue,
        ]

        @Test(arguments: lastColors.keys.sorted())
        func theLastFrameIsAsItsNameSays(name: String) throws {
            let source = try #require(try frames(Corpus.bytes("pillow/apng/\(name).png")))
            let last = try source.frame(at: source.frameCount - 1)
            #expect(last.pixel(0, 0) == Self.lastColors[name])
        }

        @Test func everyAnimationCanBePlayed() throws {
            let files =
                try Corpus.files(in: "pillow/apng", ending: ".png")
                + ["sdwebimage/TestImageAnimated.apng", "image-png-animated/basic_f20.png"]
            for path in files {
                guard let source = try frames(Corpus.bytes(path), .fitting(64, 64)) else { continue }
                for index in 0..<source.frameCount {
                    #expect(throws: Never.self, "\(path)") { try source.frame(at: index) }
                }
            }
        }
    }
#endif
