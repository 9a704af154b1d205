/// What a file tells beside its picture: the raw blocks, for writing them into another file, and what they say.
public struct ImageMetadata: Hashable, Sendable {
    /// EXIF data from the TIFF header on, without `Exif` before it; nil when there are none.
    public var exif: [UInt8]?
    /// The XMP packet; nil when there is none.
    public var xmp: [UInt8]?
    /// Dots an inch, across and down; nil where the file does not say.
    public var density: Density?
    /// Texts in the order of the file: comments, and the keywords of PNG.
    public var texts: [Text]
    /// What the EXIF data say of the taking of the photograph.
    public var photograph: Photograph

    /// Nothing, unless more is said.
    public init(
        exif: [UInt8]? = nil, xmp: [UInt8]? = nil, density: Density? = nil, texts: [Text] = [],
        photograph: Photograph = Photograph()
    ) {
        self.exif = exif
        self.xmp = xmp
        self.density = density
        self.texts = texts
        self.photograph = photograph
    }

    /// Whether the file tells nothing.
    public var isEmpty: Bool { self == ImageMetadata() }

    /// In dots an inch.
    public struct Density: Hashable, Sendable {
        public var horizontal: Double
        public var vertical: Double

        public init(horizontal: Double, vertical: Double) {
            self.horizontal = horizontal
            self.vertical = vertical
        }
    }

    /// One piece of text.
    public struct Text: Hashable, Sendable {
        /// `Comment`, or the keyword that the file gives.
        public var keyword: String
        public var text: String

        public init(keyword: String, text: String) {
            self.keyword = keyword
            self.text = text
        }
    }

    /// Where, when and with what a photograph was taken; each nil where the file does not say.
    public struct Photograph: Hashable, Sendable {
        /// The maker of the camera.
        public var make: String?
        /// The camera.
        public var model: String?
        public var lens: String?
        /// `2024-05-17T12:30:00`, with a zone behind it where the file has one.
        public var date: String?
        /// In seconds.
        public var exposureTime: Double?
        /// The denominator of the aperture: 2.8 for f/2.8.
        public var fNumber: Double?
        /// The sensitivity.
        public var iso: Int?
        /// In millimetres.
        public var focalLength: Double?
        /// In degrees, north and east positive.
        public var place: Place?
        public var software: String?
        public var artist: String?
        public var copyright: String?
        public var caption: String?

        /// Nothing.
        public init() {}
    }

    /// A point on the earth.
    public struct Place: Hashable, Sendable {
        /// −90 to 90, north positive.
        public var latitude: Double
        /// −180 to 180, east positive.
        public var longitude: Double
        /// In metres above the sea; nil where it is not said.
        public var altitude: Double?

        public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
            self.latitude = latitude
            self.longitude = longitude
            self.altitude = altitude
        }
    }
}
