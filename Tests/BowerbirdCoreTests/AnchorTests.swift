import BowerbirdCore
import Testing

@Suite
struct `An anchor` {
    @Test(arguments: [
        (Anchor.topLeft, 0, 0), (.top, 3, 0), (.topRight, 7, 0),
        (.left, 0, 2), (.center, 3, 2), (.right, 7, 2),
        (.bottomLeft, 0, 4), (.bottom, 3, 4), (.bottomRight, 7, 4),
    ])
    func placesARectangleInARoom(anchor: Anchor, x: Int, y: Int) {
        let size = PixelSize(width: 3, height: 6)
        #expect(anchor.rect(size, in: PixelSize(width: 10, height: 10)) == PixelRect(x: x, y: y, size: size))
    }

    @Test(arguments: Anchor.allCases)
    func leavesARectangleThatFillsItsRoomWhereItIs(anchor: Anchor) {
        let size = PixelSize(width: 5, height: 4)
        #expect(anchor.rect(size, in: size) == PixelRect(size))
    }

    @Test func letsALargerRectangleJutOut() {
        let (size, room) = (PixelSize(width: 14, height: 10), PixelSize(width: 10, height: 10))
        #expect(Anchor.topLeft.rect(size, in: room).x == 0)
        #expect(Anchor.center.rect(size, in: room).x == -2)
        #expect(Anchor.right.rect(size, in: room).x == -4)
    }

    @Test(arguments: Anchor.allCases)
    func takesAnySize(anchor: Anchor) {
        let sides = [Int.min, -1, 0, 1, .max]
        for side in sides {
            for other in sides {
                let size = PixelSize(width: side, height: other)
                let room = PixelSize(width: other, height: side)
                #expect(anchor.rect(size, in: room).size == size)
            }
        }
    }
}
