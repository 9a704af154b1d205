#if WebP
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdRaster
    import Testing

    @Suite("Animated WebP")
    struct WebPAnimationTests {
        private let decoder = WebPDecoder()
        private let exact = DecodingOptions(pixels: .exact)

        @Test func opaqueFramesComeBackAsTheyWere() throws {
            var film = try PaintedFilm.square(frameCount: 7)
            film.loopCount = .times(3)
            let file = try encode(film, with: WebPEncoder())
            let frames = try #require(try decoder.frames(in: file, exact))
            #expect(frames.delays == film.delays && frames.loopCount == .times(3) && frames.size == film.size)
            for index in [0, 6, 1, 5, 2, 3, 4] {
                #expect(try frames.frame(at: index).bytes == film.pictures[index].bytes)
            }
            let header = try decoder.header(of: file)
            #expect(header.isAnimated && header.frameCount == 7 && header.loopCount == .times(3))
            #expect(try decoder.decode(file, exact).bitmap.bytes == film.pictures[0].bytes)
        }

        /// The encoder writes what changes, to be laid over what was there, which costs a level.
        @Test func transparentFramesComeBackWithinALevel() throws {
            let film = try PaintedFilm.square(isOpaque: false)
            let file = try encode(film, with: WebPEncoder())
            let frames = try #require(try decoder.frames(in: file))
            for index in film.pictures.indices {
                let still = try encodeLosslessly(film.pictures[index], with: WebPEncoder())
                let expected = try decoder.decode(still).bitmap
                #expect(try frames.frame(at: index).largestDifference(to: expected) <= 1)
            }
        }

        @Test func lossyFramesComeNear() throws {
            let film = try PaintedFilm.square()
            let frames = try #require(
                try decoder.frames(in: encode(film, with: WebPEncoder(), isLossless: false), exact))
            for index in film.pictures.indices {
                #expect(try frames.frame(at: index).meanDifference(to: film.pictures[index]) < 6)
            }
        }

        @Test func framesAreScaledAndTurned() throws {
            var options = EncodingOptions()
            options.orientation = .rightTop
            let file = try WebPEncoder().encode(PaintedFilm.square(), options)
            let frames = try #require(try decoder.frames(in: file, .fitting(24, 24)))
            #expect(frames.size == PixelSize(width: 18, height: 24))
            #expect(try frames.frame(at: 2).size == frames.size)
        }

        @Test func aStillHasNoFrames() throws {
            #expect(try decoder.frames(in: encode(makePicture(20, 20), with: WebPEncoder())) == nil)
        }

        @Test func theNumberOfFramesIsNotKnownBeforeTheEnd() throws {
            let file = try encode(PaintedFilm.square(), with: WebPEncoder())
            let header = try decoder.header(of: Array(file[..<(file.count / 2)]))
            #expect(header.isAnimated && header.frameCount == nil && header.loopCount == .forever)
        }

        @Test func framesThatAreCutShortAreLeftOut() throws {
            let file = try encode(PaintedFilm.square(), with: WebPEncoder())
            let frames = try #require(try decoder.frames(in: Array(file[..<(file.count - 3)])))
            #expect(frames.frameCount == 4)
        }

        @Test func anUnreadableFrameIsNamed() throws {
            let film = try BrokenFilm(size: PixelSize(width: 8, height: 8), picture: makePicture(8, 8))
            #expect(throws: EncodingError.unreadableFrame(1, .corrupt("torn"))) {
                try WebPEncoder().encode(film, EncodingOptions())
            }
        }
    }

    /// A film that tears at its second frame.
    private struct BrokenFilm: FrameSource {
        let size: PixelSize
        let picture: Bitmap
        let delays = [Duration.milliseconds(100), .milliseconds(100)]
        let loopCount = LoopCount.forever

        func frame(at index: Int) throws(DecodingError) -> Bitmap {
            guard index == 0 else { throw .corrupt("torn") }
            return picture
        }
    }

    @Suite("Animated WebP from the corpus", Corpus.isPresent)
    struct WebPAnimationCorpusTests {
        #if PNG
            /// The references cut off where we round when a frame is laid over another.
            @Test(arguments: ["random_lossless", "random_lossy"])
            func framesEqualTheirReferences(name: String) throws {
                let exact = DecodingOptions(pixels: .exact)
                let file = try Corpus.bytes("image-webp/images/animated/\(name).webp")
                let frames = try #require(try WebPDecoder().frames(in: file, exact))
                let references = try Corpus.files(in: "image-webp/reference/animated", ending: ".png")
                    .filter { $0.contains(name) }
                try #require(frames.frameCount == references.count)
                for (index, path) in references.enumerated() {
                    let expected = try PNGDecoder().decode(Corpus.bytes(path), exact).bitmap
                    #expect(try frames.frame(at: index).largestDifference(to: expected) <= 1, "\(path)")
                }
            }
        #endif

        @Test(arguments: ["TestImageAnimated.webp", "TestAnimatedImageMemory.webp"])
        func everyFrameCanBeHadInAnyOrder(name: String) throws {
            let file = try Corpus.bytes("sdwebimage/" + name)
            let frames = try #require(try WebPDecoder().frames(in: file, .fitting(40, 40)))
            let last = frames.frameCount - 1
            #expect(try WebPDecoder().header(of: file).frameCount == frames.frameCount)
            let alone = try frames.frame(at: last)
            for index in 0..<min(last, 12) { _ = try frames.frame(at: index) }
            #expect(try frames.frame(at: last).bytes == alone.bytes)
        }
    }
#endif
