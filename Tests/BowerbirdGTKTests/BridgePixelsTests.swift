import Foundation
import Testing

@testable import GTKBridge

extension GTKTests {
    @Suite struct PixelTests {
        private static let red = TexturePixels.Pixel(red: 255, green: 0, blue: 0)
        private static let blue = TexturePixels.Pixel(red: 0, green: 0, blue: 255)
        private static let green = TexturePixels.Pixel(red: 0, green: 255, blue: 0)

        @Test func aTextureShowsForeignMemoryAndLetsGoOfItsOwner() throws {
            weak var owner: Memory?
            var texture: Texture?
            do {
                let memory = Memory(width: 3, height: 2, bytesPerRow: 20)
                memory.set(x: 2, y: 1, to: Self.blue)
                owner = memory
                texture = Texture(try memory.pixels())
            }
            #expect(owner != nil)
            #expect(texture?.width == 3 && texture?.height == 2)
            #expect(texture?.pixels().pixel(x: 2, y: 1) == Self.blue)
            #expect(texture?.pixels().pixel(x: 3, y: 1) == nil)
            texture = nil
            #expect(owner == nil)
        }

        @Test func aSurfaceShowsForeignMemoryAndLetsGoOfItsOwner() throws {
            weak var owner: Memory?
            var surface: CairoSurface?
            do {
                let memory = Memory(width: 2, height: 2, bytesPerRow: 8)
                owner = memory
                surface = try CairoSurface(try memory.pixels())
            }
            #expect(owner != nil)
            #expect(surface?.width == 2)
            surface = nil
            #expect(owner == nil)
        }

        @Test func pixelsOfUnusableFormAreRefused() throws {
            let memory = Memory(width: 2, height: 2, bytesPerRow: 8)
            #expect(throws: GraphicsError.unusablePixels("0 × 2")) { try memory.pixels(width: 0) }
            #expect(throws: GraphicsError.unusablePixels("40000 × 2")) { try memory.pixels(width: 40_000) }
            #expect(throws: GraphicsError.unusablePixels("7 bytes a row for 2 pixels")) {
                try memory.pixels(bytesPerRow: 7)
            }
            #expect(throws: GraphicsError.self) { try CairoSurface(try memory.pixels(width: 1, bytesPerRow: 6)) }
            #expect(throws: GraphicsError.self) { try CairoSurface(width: -1, height: 5) }
            #expect(throws: GraphicsError.self) { try CairoCanvas(width: 100_000, height: 5) }
        }

        @Test func aScreenshotHasTheColoursThatWereDrawn() async throws {
            let window = Window(title: "colors", width: 120, height: 80)
            let canvas = PaintedCanvas { snapshot, width, height in
                snapshot.append(RGBA(red: 0, green: 1, blue: 0), in: .whole(width, height))
                snapshot.append(RGBA(red: 1, green: 0, blue: 0), in: Rectangle(x: 0, y: 0, width: 10, height: 10))
                snapshot.appendCairo(in: Rectangle(x: 20, y: 0, width: 10, height: 10)) {
                    $0.fill(.whole(width, height), with: RGBA(red: 0, green: 0, blue: 1))
                }
            }
            window.child = canvas
            window.present()
            let pixels = try await canvas.shownPixels()
            #expect(pixels.width == canvas.width && pixels.height == canvas.height)
            #expect(pixels.pixel(x: 5, y: 5) == Self.red)
            #expect(pixels.pixel(x: 25, y: 5) == Self.blue)
            #expect(pixels.pixel(x: 35, y: 5) == Self.green)
            #expect(pixels.pixel(x: 25, y: 15) == Self.green)
            window.destroy()
        }

        @Test func textureAndSurfaceOfTheSameMemoryLookTheSame() async throws {
            let memory = Memory(width: 2, height: 1, bytesPerRow: 8)
            memory.set(x: 0, y: 0, to: Self.red)
            memory.set(x: 1, y: 0, to: Self.blue)
            let texture = Texture(try memory.pixels())
            let surface = try CairoSurface(try memory.pixels(), isOpaque: true)
            let window = Window(title: "two ways", width: 100, height: 100)
            let canvas = PaintedCanvas { snapshot, _, _ in
                snapshot.append(texture, in: Rectangle(x: 0, y: 0, width: 40, height: 20))
                let below = Rectangle(x: 0, y: 30, width: 40, height: 20)
                snapshot.appendCairo(in: below) { $0.draw(surface, in: below) }
            }
            window.child = canvas
            window.present()
            let pixels = try await canvas.shownPixels()
            for y in [10, 40] {
                #expect(pixels.pixel(x: 2, y: y) == Self.red)
                #expect(pixels.pixel(x: 38, y: y) == Self.blue)
            }
            #expect(pixels.pixel(x: 0, y: 30) == Self.red, "the border is not blended with what is around it")
            window.destroy()
        }

        @Test func clipsAndOpacityLimitWhatFollows() async throws {
            let window = Window(title: "clips", width: 100, height: 100)
            let canvas = PaintedCanvas { snapshot, width, height in
                let box = Rectangle(x: 0, y: 0, width: 60, height: 60)
                snapshot.append(RGBA(grey: 0), in: .whole(width, height))
                snapshot.pushRoundedClip(box, radius: 30)
                snapshot.pushOpacity(0.5)
                snapshot.append(RGBA(grey: 1), in: box)
                snapshot.pop()
                snapshot.pop()
                snapshot.save()
                snapshot.translate(x: 70, y: 70)
                snapshot.scale(x: 2, y: 2)
                snapshot.append(RGBA(red: 1, green: 0, blue: 0), in: Rectangle(x: 0, y: 0, width: 5, height: 5))
                snapshot.restore()
            }
            window.child = canvas
            window.present()
            let pixels = try await canvas.shownPixels()
            #expect(try #require(pixels.pixel(x: 1, y: 1)).red < 10, "the corner is clipped away")
            #expect(120...135 ~= (try #require(pixels.pixel(x: 30, y: 30)).red))
            #expect(pixels.pixel(x: 78, y: 78) == Self.red)
            window.destroy()
        }

        @Test func aScreenshotOfWhatIsNotShownIsAnError() {
            #expect(throws: GraphicsError.notShown) { try Label("nowhere").screenshot() }
        }

        @Test func theRendererIsKnownOnceAWindowIsShown() async throws {
            let window = Window(title: "renderer", width: 50, height: 50)
            let label = Label("inside")
            #expect(label.rendererKind == nil)
            window.child = label
            window.present()
            try await MainLoop.pump { label.isMapped }
            let asked = ProcessInfo.processInfo.environment["GSK_RENDERER"]
            #expect(label.rendererKind == (asked == "cairo" ? .cairo : .gl))
            window.destroy()
        }

        @Test func aScreenshotIsWrittenAsPNGAndErrorsAreTyped() async throws {
            let window = Window(title: "file", width: 64, height: 48)
            let canvas = PaintedCanvas { snapshot, width, height in
                snapshot.append(RGBA(red: 1, green: 0, blue: 0), in: .whole(width, height))
            }
            window.child = canvas
            window.present()
            _ = try await canvas.shownPixels()
            let folder = try TemporaryFolder()
            try canvas.renderPNG(to: folder.path("shot.png"))
            let written = try CairoSurface(pngAt: folder.path("shot.png"))
            #expect(written.width == canvas.width && written.height == canvas.height)
            let impossible = folder.path("missing/shot.png")
            #expect(throws: GraphicsError.self) { try canvas.renderPNG(to: impossible) }
            window.destroy()
        }
    }

    @Suite struct CairoCanvasTests {
        @Test func aContactSheetHasPicturesAndText() throws {
            let folder = try TemporaryFolder()
            let picture = try CairoCanvas(width: 8, height: 4, background: RGBA(red: 0, green: 0, blue: 1))
            try picture.writePNG(to: folder.path("picture.png"))
            let surface = try CairoSurface(pngAt: folder.path("picture.png"))
            let sheet = try CairoCanvas(width: 200, height: 100, background: RGBA(grey: 1))
            let place = Rectangle(x: 0, y: 0, width: 80, height: 80).fitting(width: 8, height: 4)
            #expect(place == Rectangle(x: 0, y: 20, width: 80, height: 40))
            var extent = (width: 0.0, height: 0.0)
            sheet.draw {
                $0.draw(surface, in: place)
                extent = $0.draw("network · 东方不败", x: 100, y: 10, size: 16, color: RGBA(grey: 0), maximumWidth: 90)
            }
            #expect(10...90 ~= extent.width)
            #expect(10...40 ~= extent.height)
            let pixels = try Self.pixels(of: sheet, in: folder)
            #expect(pixels.pixel(x: 40, y: 40) == .init(red: 0, green: 0, blue: 255))
            #expect(pixels.pixel(x: 40, y: 10) == .init(red: 255, green: 255, blue: 255))
            let dark = (100..<200).flatMap { x in (10..<40).map { y in pixels.pixel(x: x, y: y) } }
            #expect(dark.count { ($0?.red ?? 255) < 100 } > 20, "there is ink where the text is")
        }

        @Test func scopedDrawingLeavesTheTransformationAsItWas() throws {
            let folder = try TemporaryFolder()
            let canvas = try CairoCanvas(width: 20, height: 20, background: RGBA(grey: 0))
            canvas.draw { context in
                context.scoped {
                    $0.translate(x: 10, y: 10)
                    $0.rotate(radians: .pi)
                    $0.fill(Rectangle(x: 0, y: 0, width: 5, height: 5), with: RGBA(grey: 1))
                }
                context.fill(Rectangle(x: 15, y: 15, width: 5, height: 5), radius: 1, with: RGBA(grey: 1))
                context.strokeArc(
                    x: 3, y: 17, radius: 2, from: 0, to: 2 * .pi, lineWidth: 2, with: RGBA(grey: 1))
            }
            let pixels = try Self.pixels(of: canvas, in: folder)
            #expect(pixels.pixel(x: 7, y: 7)?.red == 255)
            #expect(pixels.pixel(x: 12, y: 12)?.red == 0)
            #expect(pixels.pixel(x: 17, y: 17)?.red == 255)
            #expect(try #require(pixels.pixel(x: 3, y: 18)).red > 100)
        }

        @Test func filesThatAreNoPNGOrCannotBeWrittenAreErrors() throws {
            let folder = try TemporaryFolder()
            try Data("no picture".utf8).write(to: URL(filePath: folder.path("text.png")))
            for name in ["text.png", "missing.png"] {
                #expect(throws: GraphicsError.self) { try CairoSurface(pngAt: folder.path(name)) }
            }
            let canvas = try CairoCanvas(width: 1, height: 1)
            #expect(throws: GraphicsError.self) { try canvas.writePNG(to: folder.path("missing/out.png")) }
        }

        private static func pixels(of canvas: CairoCanvas, in folder: TemporaryFolder) throws -> TexturePixels {
            try canvas.writePNG(to: folder.path("canvas.png"))
            return try Texture(pngAt: folder.path("canvas.png")).pixels()
        }
    }
}

/// A canvas that draws what a closure says.
final class PaintedCanvas: Canvas {
    private let paint: (Snapshot, Int, Int) -> Void
    private(set) var drawings = 0

    init(_ paint: @escaping (Snapshot, Int, Int) -> Void) {
        self.paint = paint
        super.init()
    }

    override func draw(_ snapshot: Snapshot, width: Int, height: Int) {
        paint(snapshot, width, height)
        drawings += 1
    }

    func shownPixels() async throws -> TexturePixels {
        try await MainLoop.pump { drawings > 0 }
        return try screenshot().pixels()
    }
}

extension Rectangle {
    nonisolated static func whole(_ width: Int, _ height: Int) -> Rectangle {
        Rectangle(x: 0, y: 0, width: Double(width), height: Double(height))
    }
}

/// Pixels to look at, that know when nobody needs them any more.
private nonisolated final class Memory: @unchecked Sendable {  // written only before anybody looks
    private let start: UnsafeMutableRawPointer
    private let (width, height, bytesPerRow): (Int, Int, Int)

    init(width: Int, height: Int, bytesPerRow: Int) {
        (self.width, self.height, self.bytesPerRow) = (width, height, bytesPerRow)
        start = .allocate(byteCount: bytesPerRow * height, alignment: 64)
        start.initializeMemory(as: UInt8.self, repeating: 0, count: bytesPerRow * height)
    }

    deinit { start.deallocate() }

    func set(x: Int, y: Int, to pixel: TexturePixels.Pixel) {
        let bytes = [pixel.blue, pixel.green, pixel.red, pixel.alpha]
        (start + y * bytesPerRow + 4 * x).copyMemory(from: bytes, byteCount: 4)
    }

    func pixels(width: Int? = nil, bytesPerRow: Int? = nil) throws(GraphicsError) -> ForeignPixels {
        try ForeignPixels(
            start, width: width ?? self.width, height: height, bytesPerRow: bytesPerRow ?? self.bytesPerRow, owner: self
        )
    }
}

private final class TemporaryFolder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "GTKBridge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    isolated deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }
}
