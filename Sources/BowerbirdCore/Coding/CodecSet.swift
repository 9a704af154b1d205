/// The codecs that a pipeline may use: a value, built once and passed in. There is no global registry.
///
/// What was added last is asked first, so that a codec of your own replaces a built-in one for the formats it reads.
public struct CodecSet: Sendable {
    private var decoders: [any ImageDecoder] = []
    private var encoders: [any ImageEncoder] = []

    /// An empty set.
    public init() {}

    /// Adds a decoder, which is asked before all that are there.
    public mutating func add(_ decoder: any ImageDecoder) { decoders.append(decoder) }
    /// Adds an encoder, which is asked before all that are there.
    public mutating func add(_ encoder: any ImageEncoder) { encoders.append(encoder) }

    /// The decoder that was added last for this format, or nil.
    public func decoder(for format: ImageFormat) -> (any ImageDecoder)? {
        decoders.last { $0.formats.contains(format) }
    }

    /// The encoder that was added last for this format, or nil.
    public func encoder(for format: ImageFormat) -> (any ImageEncoder)? {
        encoders.last { $0.format == format }
    }

    /// The formats that can be decoded, the ones added last first.
    public var decodableFormats: [ImageFormat] { decoders.reversed().flatMap(\.formats) }

    /// The decoder for these bytes. Throws `.empty`, or `.unsupportedFormat` with what the bytes look like.
    public func decoder(for bytes: RawSpan) throws(DecodingError) -> any ImageDecoder {
        let format = ImageFormat(sniffing: bytes)
        let decoder = decoders.last { decoder in
            if let format { decoder.formats.contains(format) } else { decoder.recognizes(bytes) }
        }
        guard let decoder else { throw .unrecognized(bytes) }
        return decoder
    }

    /// The decoder for this file, or nil.
    public func decoder(for data: EncodedImage) -> (any ImageDecoder)? {
        data.withBytes { bytes in try? decoder(for: bytes) }
    }

    /// The facts of a file, without its pixels.
    public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
        try decoder(for: bytes).header(of: bytes)
    }

    /// The picture of a file. Blocks; throws what `ImageDecoder.decode` throws.
    public func decode(
        _ bytes: RawSpan, _ options: DecodingOptions = DecodingOptions()
    ) throws(DecodingError) -> DecodedImage {
        try decoder(for: bytes).decode(bytes, options)
    }

    /// The file for a picture. Blocks; throws what `ImageEncoder.encode` throws.
    public func encode(
        _ bitmap: Bitmap, as format: ImageFormat, _ options: EncodingOptions = EncodingOptions()
    ) throws(EncodingError) -> EncodedImage {
        guard let encoder = encoder(for: format) else { throw .unsupportedFormat(format) }
        return try encoder.encode(bitmap, options)
    }

    /// The file for an animation. Blocks; throws what `ImageEncoder.encode` throws.
    public func encode(
        _ frames: any FrameSource, as format: ImageFormat, _ options: EncodingOptions = EncodingOptions()
    ) throws(EncodingError) -> EncodedImage {
        guard let encoder = encoder(for: format) else { throw .unsupportedFormat(format) }
        return try encoder.encode(frames, options)
    }

    /// The frames of an animated file; nil for a still. Blocks; throws what `ImageDecoder.frames` throws.
    public func frames(
        in file: EncodedImage, _ options: DecodingOptions = DecodingOptions()
    ) throws(DecodingError) -> (any FrameSource)? {
        let chosen = try file.withBytes { bytes throws(DecodingError) -> any ImageDecoder in try decoder(for: bytes) }
        return try chosen.frames(in: file, options)
    }

    /// What a file tells beside its picture. Throws what `ImageDecoder.metadata` throws.
    public func metadata(
        of bytes: RawSpan, _ limits: DecodingLimits = DecodingLimits()
    ) throws(DecodingError) -> ImageMetadata {
        try decoder(for: bytes).metadata(of: bytes, limits)
    }
}
