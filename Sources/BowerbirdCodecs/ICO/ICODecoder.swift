public import BowerbirdCore

/// Reads icons and cursors of Windows, whose pictures are bitmaps with a mask or, with the trait PNG, PNG files.
///
/// The pictures are the pages of the file, from the best to the least: the largest first, of equal ones the deepest. Page
/// 0 with a target size is the smallest picture that is large enough for it.
public struct ICODecoder: ImageDecoder {
    /// It has no settings: see `DecodingOptions`.
    public init() {}

    public var formats: [ImageFormat] { [.ico] }

    /// How many pictures are tried before the file counts as damaged.
    private static let mostAttempts = 4

    /// Of the best picture.
    public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
        let directory = try ICODirectory(of: bytes)
        guard let entry = directory.entries.first else { throw .corrupt("it has no pictures") }
        let picture = bytes.extracting(droppingFirst: try Self.offset(of: entry, in: bytes))
        return try ICOPicture(picture).header(picture).asEntry(of: directory)
    }

    public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
        let directory = try ICODirectory(of: bytes)
        var firstError: DecodingError?
        for entry in try directory.candidates(for: options).prefix(Self.mostAttempts) {
            do throws(DecodingError) {
                let picture = bytes.extracting(droppingFirst: try Self.offset(of: entry, in: bytes))
                var image = try ICOPicture(picture).decode(picture, options)
                image.header = image.header.asEntry(of: directory)
                if let firstError { image.warnings.append(.corrupt("its best picture: \(firstError)")) }
                return image
            } catch {
                guard error.isAboutFile else { throw error }
                firstError = firstError ?? error
            }
        }
        throw firstError ?? .corrupt("it has no pictures")
    }

    /// Where the picture begins, which lies in the file. It may go on to the end of the file: what the list says of its
    /// length is often wrong.
    private static func offset(of entry: ICODirectory.Entry, in file: RawSpan) throws(DecodingError) -> Int {
        guard entry.offset < file.byteCount else { throw .truncated(atByte: file.byteCount) }
        return entry.offset
    }
}

extension ImageHeader {
    fileprivate func asEntry(of directory: ICODirectory) -> ImageHeader {
        var header = self
        header.format = .ico
        header.frameCount = directory.entries.count
        header.loopCount = nil
        header.isAnimated = false
        return header
    }
}

extension DecodingError {
    /// Whether another picture of the file may be better.
    fileprivate var isAboutFile: Bool {
        switch self {
        case .truncated, .corrupt, .empty, .unsupportedFormat: true
        default: false
        }
    }
}
