import Bowerbird
import FoundationEssentials
import GTKBridge

/// All strips of a folder in one picture, and in one page for a browser.
struct ContactSheet {
    let folder: String

    private static let names = ViewerOptions.PageKind.allCases.map(\.rawValue)

    /// Writes `contact-sheet.png` and `index.html`, and tells their paths.
    func write() throws -> [String] {
        let sheet = "\(folder)/contact-sheet.png"
        let page = "\(folder)/index.html"
        let names = Self.names.filter { FileManager.default.fileExists(atPath: path(of: $0)) }
        try draw(try names.map { try CairoSurface(pngAt: path(of: $0)) }).writePNG(to: sheet)
        try Data(html(names).utf8).write(to: URL(filePath: page))
        return [sheet, page]
    }

    private func path(of name: String) -> String { "\(folder)/\(name).png" }

    private func draw(_ strips: [CairoSurface]) throws -> CairoCanvas {
        let width = strips.map(\.width).max() ?? 1
        let height = strips.reduce(0) { $0 + $1.height }
        let canvas = try CairoCanvas(width: width, height: max(1, height), background: RGBA(grey: 0.1))
        var top = 0.0
        for strip in strips {
            let room = Rectangle(x: 0, y: top, width: Double(strip.width), height: Double(strip.height))
            canvas.draw { $0.draw(strip, in: room) }
            top += room.height
        }
        return canvas
    }

    private func html(_ names: [String]) -> String {
        let sections = names.map { name in
            """
            <section><h2>\(name)</h2><a href="\(name).png"><img src="\(name).png" alt="\(name)"></a></section>
            """
        }
        return """
            <!DOCTYPE html>
            <html lang="en"><meta charset="utf-8"><title>Bowerbird: what the window showed</title>
            <style>body{background:#1a1a1a;color:#eee;font:16px sans-serif;margin:2em}img{max-width:100%}</style>
            <h1>Bowerbird: what the window showed</h1>
            <p>From placeholder to final picture, with the time since the page was shown.</p>
            \(sections.joined(separator: "\n"))
            </html>

            """
    }
}
