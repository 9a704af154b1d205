#if JXL
    import CJXL

    /// libjxl with nothing around it but the change of red and blue, which it cannot do, on one thread, as our decoder
    /// has it.
    enum RawJXL {
        /// As BGRA, of a file without alpha.
        static func decode(_ file: UnsafeRawBufferPointer, to pixels: UnsafeMutableRawBufferPointer) throws {
            guard let decoder = JxlDecoderCreate(nil) else { throw CannotMeasure("libjxl has no memory") }
            defer { JxlDecoderDestroy(decoder) }
            JxlDecoderSubscribeEvents(decoder, Int32(JXL_DEC_FULL_IMAGE.rawValue))
            JxlDecoderSetInput(decoder, file.baseAddress?.assumingMemoryBound(to: UInt8.self), file.count)
            JxlDecoderCloseInput(decoder)
            var format = JxlPixelFormat(
                num_channels: 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
            guard JxlDecoderProcessInput(decoder) == JXL_DEC_NEED_IMAGE_OUT_BUFFER,
                JxlDecoderSetImageOutBuffer(decoder, &format, pixels.baseAddress, pixels.count) == JXL_DEC_SUCCESS,
                JxlDecoderProcessInput(decoder) == JXL_DEC_FULL_IMAGE
            else { throw CannotMeasure("libjxl cannot decode the file") }
            RawPixels.exchangeRedAndBlue(pixels)
        }
    }
#endif
