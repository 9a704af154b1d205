import BowerbirdCore
import BowerbirdEditing
import BowerbirdTestSupport
import Testing

@Suite
struct `A vignette` {
    @Test func darkensTheCornersAndLeavesTheMiddle() throws {
        let image = try Vignette(strength: 1).process(Picture.solid(.white, width: 200, height: 100))
        #expect(image.rgb(100, 50) == [255, 255, 255] && image.rgb(130, 50) == [255, 255, 255])
        #expect(image.rgb(0, 0)[0] < 3)
        #expect(image.rgb(0, 50)[0] < 200 && image.rgb(0, 50)[0] > 60)
    }

    @Test func isTheSameOnAllSides() throws {
        let image = try Vignette(strength: 0.8).process(Picture.solid(.white, width: 31, height: 20))
        for (x, y) in [(0, 0), (3, 5), (9, 1)] {
            let around = [image.rgb(x, y), image.rgb(30 - x, y), image.rgb(x, 19 - y), image.rgb(30 - x, 19 - y)]
            #expect(around.allSatisfy { greatestDifference($0, around[0]) <= 1 })
        }
    }

    /// At three quarters of the way the smooth step is 0.75² × (3 − 1.5) = 0.84375.
    @Test func growsAsASmoothStep() throws {
        let picture = try Picture.solid(.white, width: 1000, height: 1000)
        let image = try Vignette(strength: 1, radius: 0, falloff: 1).process(picture)
        let (x, y) = (125, 125)
        #expect(abs(image.rgb(x, y)[0] - 40) <= 1, "\(image.rgb(x, y))")
    }

    @Test func mayBeAHardEdge() throws {
        let picture = try Picture.solid(.white, width: 100, height: 100)
        let image = try Vignette(strength: 1, radius: 0.5, falloff: 0, color: Color(red: 255, green: 0, blue: 0))
            .process(picture)
        #expect(image.rgb(50, 50) == [255, 255, 255] && image.rgb(0, 50) == [255, 0, 0])
    }

    @Test func keepsTheShape() throws {
        let image = try Vignette(strength: 1, radius: 0, falloff: 0, color: .white.withAlpha(128))
            .process(Picture.solid(.black.withAlpha(100)))
        #expect(image.pixel(0, 0) == [50, 50, 50, 100])
    }
}
