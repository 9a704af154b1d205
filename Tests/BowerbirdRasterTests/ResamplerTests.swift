import BowerbirdCore
import BowerbirdRaster
import Testing

@Suite("Resampling pictures")
struct ResamplerTests {
    private func flat(_ width: Int, _ height: Int, _ pixel: UInt32, isOpaque: Bool) throws -> Bitmap {
        var buffer = try makeBuffer(width, height, isOpaque: isOpaque)
        buffer.withUnsafeMutableBytes { bytes in
            for index in bytes.assumingMemoryBound(to: UInt32.self).indices {
                bytes.storeBytes(of: pixel, toByteOffset: 4 * index, as: UInt32.self)
            }
        }
        return buffer.freeze()
    }

    @Test(arguments: Resampler.Filter.allCases, [1, 30, 100, 333])
    func aFlatColourStaysItselfInEverySize(filter: Resampler.Filter, side: Int) throws {
        let picture = try flat(100, 70, 0x8020_4060, isOpaque: false)
        let result = try picture.resampled(to: PixelSize(width: side, height: side), filter: filter)
        #expect(result.size == PixelSize(width: side, height: side) && !result.isOpaque)
        result.withUnsafeBytes { bytes in
            #expect(bytes.assumingMemoryBound(to: UInt32.self).allSatisfy { $0 == 0x8020_4060 })
        }
    }

    @Test func anOpaquePictureStaysOpaque() throws {
        let result = try flat(50, 50, 0xFF11_2233, isOpaque: true).resampled(to: PixelSize(width: 20, height: 200))
        #expect(result.isOpaque)
        result.withUnsafeBytes { bytes in
            #expect(bytes.assumingMemoryBound(to: UInt32.self).allSatisfy { $0 == 0xFF11_2233 })
        }
    }

    @Test func theSameSizeIsTheSameMemory() throws {
        let picture = try flat(5, 5, 1, isOpaque: false)
        #expect(try picture.resampled(to: picture.size).isIdentical(to: picture))
    }

    @Test func straightPixelsAreRefused() throws {
        let picture = try makeBuffer(4, 4, .rgba8Straight).freeze()
        #expect(throws: RasterError.unsupportedPixels(.rgba8Straight)) {
            try picture.resampled(to: PixelSize(width: 2, height: 2))
        }
    }

    @Test func anImpossibleSizeIsAnError() throws {
        let picture = try flat(4, 4, 1, isOpaque: false)
        #expect(throws: RasterError.self) { try picture.resampled(to: PixelSize(width: 1 << 40, height: 2)) }
        #expect(throws: RasterError.self) { try picture.resampled(to: PixelSize(width: 0, height: 2)) }
    }

    @Test func aCancelledTaskStopsResampling() async throws {
        let picture = try flat(40, 40, 1, isOpaque: false)
        let isCancelled = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(RasterError) {
                _ = try picture.resampled(to: PixelSize(width: 20, height: 20))
                return false
            } catch {
                return error == .cancelled
            }
        }.value
        #expect(isCancelled)
    }
}
