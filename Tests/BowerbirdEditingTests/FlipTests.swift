import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `Flipping` {
    @Test(arguments: [(1, 1), (1, 7), (7, 1), (67, 130)])
    func movesEveryPixelToTheOtherSide(width: Int, height: Int) throws {
        let picture = try Picture.geometric(width, height)
        let right = width - 1
        let bottom = height - 1
        let expected: [(Flip.Direction, (Int, Int) -> (Int, Int))] = [
            (.horizontal, { (right - $0, $1) }), (.vertical, { ($0, bottom - $1) }),
            (.both, { (right - $0, bottom - $1) }),
        ]
        for (direction, place) in expected {
            let flipped = try Picture.geometric(width, height) { x, y in
                Picture.numbered(x: place(x, y).0, y: place(x, y).1)
            }
            #expect(try Flip(direction).process(picture).looks(like: flipped))
        }
    }

    @Test(arguments: Flip.Direction.allCases)
    func twiceChangesNothing(direction: Flip.Direction) throws {
        let picture = try Picture.geometric(31, 14)
        #expect(try Flip(direction).process(Flip(direction).process(picture)).looks(like: picture))
    }

    @Test func bothWaysIsHalfATurn() throws {
        let picture = try Picture.geometric(31, 14)
        #expect(try Flip(.both).process(picture).looks(like: Rotate(180).process(picture)))
        #expect(try Flip(.horizontal).process(picture).bitmap.isOpaque)
    }
}
