import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `A tint with a blend mode` {
    @Test func multiplies() throws {
        let image = try Tint(Color(red: 51, green: 102, blue: 153), blendMode: .multiply).process(
            Picture.solid(Color(red: 200, green: 100, blue: 50), width: 5, height: 3))
        // 200 × 51 ÷ 255, 100 × 102 ÷ 255, 50 × 153 ÷ 255
        #expect(image.pixelBytes.allSatisfy { $0 == [30, 40, 40, 255] })
        #expect(image.bitmap.isOpaque)
    }

    @Test(arguments: BlendMode.allCases)
    func leavesASoundPicture(mode: BlendMode) throws {
        let color = Color(red: 200, green: 40, blue: 90, alpha: 180)
        #expect(try Tint(color, blendMode: mode).process(Picture.colorful()).isValid)
        #expect(try Tint(color, blendMode: mode).process(Picture.solid(.white)).isValid)
        #expect(try Tint(.white, blendMode: mode).process(Picture.colorful()).isValid)
    }

    @Test(arguments: BlendMode.allCases)
    func withoutStrengthIsTheVeryPictureWhereTheModeAllows(mode: BlendMode) throws {
        let picture = try Picture.colorful()
        let image = try Tint(.clear, blendMode: mode).process(picture)
        let changes: Set<BlendMode> = [
            .clear, .source, .sourceIn, .destinationIn, .sourceOut, .destinationAtop,
        ]
        #expect(image.bitmap.isIdentical(to: picture.bitmap) == !changes.contains(mode))
    }

    @Test func ofTheModeDestinationIsTheVeryPicture() throws {
        let picture = try Picture.colorful()
        #expect(try Tint(.black, blendMode: .destination).process(picture).bitmap.isIdentical(to: picture.bitmap))
    }

    @Test func endsWhenItsTaskIsCancelled() async throws {
        #expect(try await Tint(.black).endsWhenCancelled())
    }

    @Test func isKnownByEveryParameter() {
        let keys = BlendMode.allCases.map { Tint(.white, blendMode: $0).cacheKey } + [Tint(.black).cacheKey]
        #expect(Set(keys).count == keys.count)
        #expect(Tint(.black).cacheKey == Tint(.black, blendMode: .sourceAtop).cacheKey)
    }
}
