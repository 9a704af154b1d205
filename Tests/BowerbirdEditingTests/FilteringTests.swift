import BowerbirdCore
import BowerbirdEditing
import BowerbirdTestSupport
import Testing

@Suite
struct `All filters` {
    @Test func areKnownByEveryParameter() {
        let keys = ProcessorSamples.filtering.map(\.cacheKey)
        #expect(Set(keys).count == keys.count)
    }

    @Test func haveOneKeyForEqualParameters() {
        #expect(Blur(radius: 0).cacheKey == Blur(radius: -0.0).cacheKey)
        #expect(Blur(radius: 1e5).cacheKey == Blur(radius: 1e9).cacheKey)
        #expect(Blur(radius: 1, tint: .clear).cacheKey == Blur(radius: 1).cacheKey)
        #expect(Sharpen(amount: 16).cacheKey == Sharpen(amount: 17).cacheKey)
        #expect(Pixelate(blockSize: 65536).cacheKey == Pixelate(blockSize: .max).cacheKey)
        #expect(Vignette(strength: 1).cacheKey == Vignette(strength: 3).cacheKey)
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 2), (17, 33)])
    func workOnTheSmallestPictures(width: Int, height: Int) throws {
        let picture = try Picture.drawn(width: width, height: height, isOpaque: false) { x, y in
            Color(red: UInt8(x * 7), green: UInt8(y * 7), blue: 200, alpha: UInt8(100 + x + y))
        }
        for processor in ProcessorSamples.filtering {
            let image = try processor.process(picture)
            #expect(image.size == picture.size)
            #expect(image.isValid, "\(processor.cacheKey)")
        }
    }

    @Test func keepAnOpaquePictureOpaque() throws {
        let picture = try Picture.filteringSample()
        for processor in ProcessorSamples.filtering {
            let image = try processor.process(picture)
            #expect(image.bitmap.isOpaque)
            #expect(image.meanPixel[3] == 255)
        }
    }

    @Test(
        arguments: [
            Blur(radius: 3), Blur(radius: 0, saturation: 0), Sharpen(), Pixelate(blockSize: 2), Vignette(),
        ] as [any ImageProcessor])
    func workOnCanonicalPixelsOnlyAndLookAtCancellation(processor: any ImageProcessor) async throws {
        let deep = try Picture.deep()
        #expect(throws: ProcessingError.unsupportedPixels(.rgba16Straight)) { try processor.process(deep) }
        #expect(await cancelledResult(of: processor, try Picture.filteringSample()) == .cancelled)
    }

    @Test(
        arguments: [
            Blur(radius: -1), Blur(radius: .nan), Blur(radius: .infinity), Blur(radius: 1, saturation: -1),
            Blur(radius: 1, saturation: .nan), Sharpen(radius: -1), Sharpen(radius: .nan), Sharpen(amount: -1),
            Sharpen(amount: .infinity), Sharpen(threshold: -1), Pixelate(blockSize: 0), Pixelate(blockSize: .min),
            Vignette(strength: -1), Vignette(strength: .nan), Vignette(radius: -1), Vignette(radius: .infinity),
            Vignette(falloff: -1), Vignette(falloff: .nan),
        ] as [any ImageProcessor])
    func refuseWhatMakesNoSense(processor: any ImageProcessor) throws {
        let picture = try Picture.solid(.white)
        let error = #expect(throws: ProcessingError.self) { try processor.process(picture) }
        guard case .invalidParameter(let reason) = error else { Issue.record("\(String(describing: error))"); return }
        #expect(!reason.isEmpty)
    }

    @Test(
        arguments: [
            Blur(radius: 0), Sharpen(radius: 0), Sharpen(amount: 0), Pixelate(blockSize: 1), Vignette(strength: 0),
            Vignette(color: .clear),
        ] as [any ImageProcessor])
    func returnTheSamePictureWhereNothingChanges(processor: any ImageProcessor) throws {
        let picture = try Picture.filteringSample()
        #expect(try processor.process(picture).bitmap.isIdentical(to: picture.bitmap))
    }

    @Test func keepTheColourOfADisc() throws {
        let picture = try Picture.redDisc()
        for processor in [Blur(radius: 3), Sharpen(amount: 1), Pixelate(blockSize: 7)] as [any ImageProcessor] {
            let image = try processor.process(picture)
            for x in 0..<40 {
                let pixel = image.pixel(x, 19).map(Int.init)
                #expect(abs(pixel[2] - (pixel[3] * 200 + 127) / 255) <= 2 && pixel[0] == 0 && pixel[1] == 0)
            }
        }
    }
}
