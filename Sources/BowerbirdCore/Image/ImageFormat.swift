/// A file format. The set is open: a codec of your own brings its own value.
public struct ImageFormat: Hashable, Sendable, CustomStringConvertible {
    /// The name people use, `JPEG` for example; it is also the identity.
    public let name: String
    /// `image/jpeg` for example.
    public let mediaType: String
    /// Without a dot, the usual one first.
    public let fileExtensions: [String]

    /// A format of your own; its `name` must be one that nobody else uses.
    public init(name: String, mediaType: String, fileExtensions: [String]) {
        self.name = name
        self.mediaType = mediaType
        self.fileExtensions = fileExtensions
    }

    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    public var description: String { name }
}

extension ImageFormat {
    /// JFIF, Exif and bare streams alike.
    public static let jpeg = Self(name: "JPEG", mediaType: "image/jpeg", fileExtensions: ["jpg", "jpeg", "jpe"])
    /// Animated ones (APNG) too.
    public static let png = Self(name: "PNG", mediaType: "image/png", fileExtensions: ["png", "apng"])
    /// Both versions, 87a and 89a.
    public static let gif = Self(name: "GIF", mediaType: "image/gif", fileExtensions: ["gif"])
    /// Lossy, lossless and animated.
    public static let webP = Self(name: "WebP", mediaType: "image/webp", fileExtensions: ["webp"])
    /// Stills and sequences.
    public static let avif = Self(name: "AVIF", mediaType: "image/avif", fileExtensions: ["avif", "avifs"])
    /// HEIC, and HEIF with other contents than AV1.
    public static let heif = Self(name: "HEIF", mediaType: "image/heif", fileExtensions: ["heic", "heif", "hif"])
    /// JPEG XL: the bare stream and the container.
    public static let jxl = Self(name: "JPEG XL", mediaType: "image/jxl", fileExtensions: ["jxl"])
    /// Classic TIFF and BigTIFF, both byte orders.
    public static let tiff = Self(name: "TIFF", mediaType: "image/tiff", fileExtensions: ["tiff", "tif"])
    /// SVG as text, not compressed.
    public static let svg = Self(name: "SVG", mediaType: "image/svg+xml", fileExtensions: ["svg"])
    /// Windows and OS/2 bitmaps.
    public static let bmp = Self(name: "BMP", mediaType: "image/bmp", fileExtensions: ["bmp", "dib"])
    /// Windows icons and cursors.
    public static let ico = Self(name: "ICO", mediaType: "image/vnd.microsoft.icon", fileExtensions: ["ico", "cur"])
    /// The “quite OK image” format.
    public static let qoi = Self(name: "QOI", mediaType: "image/qoi", fileExtensions: ["qoi"])
}
