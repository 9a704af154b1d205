import Bowerbird

extension ImageFormat {
    /// All that are known by sight, whether or not this build reads or writes them.
    static let known: [ImageFormat] = [.jpeg, .png, .gif, .webP, .avif, .heif, .jxl, .tiff, .svg, .bmp, .ico, .qoi]

    /// By its name or one of its extensions, in any case: `jpeg`, `jpg`, `WebP`, `jpegxl`.
    init?(named text: String) {
        let text = text.lowercased()
        let isMeant = { (format: ImageFormat) in
            format.fileExtensions.contains(text) || format.name.lowercased().filter { $0 != " " } == text
        }
        guard let format = Self.known.first(where: isMeant) else { return nil }
        self = format
    }

    /// By the extension of a file's name.
    init?(ofFileNamed name: String) {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        self.init(named: String(name[name.index(after: dot)...]))
    }
}
