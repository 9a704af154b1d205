#if WebP
    import CWebP

    /// libwebp with nothing around it.
    enum RawWebP {
        /// As BGRA, premultiplied.
        static func decode(_ file: UnsafeRawBufferPointer, to pixels: UnsafeMutableRawBufferPointer) throws {
            let bytes = file.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var config = WebPDecoderConfig()
            guard WebPInitDecoderConfig(&config) != 0,
                WebPGetFeatures(bytes, file.count, &config.input) == VP8_STATUS_OK
            else { throw CannotMeasure("libwebp cannot read the file") }
            config.output.colorspace = config.input.has_alpha != 0 ? MODE_bgrA : MODE_BGRA
            config.output.is_external_memory = 1
            config.output.u.RGBA.rgba = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
            config.output.u.RGBA.stride = config.input.width * 4
            config.output.u.RGBA.size = pixels.count
            guard WebPDecode(bytes, file.count, &config) == VP8_STATUS_OK else {
                throw CannotMeasure("libwebp cannot decode the file")
            }
        }
    }
#endif
