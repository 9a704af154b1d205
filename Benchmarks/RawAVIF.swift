#if AVIF
    import CAVIF

    /// libavif with nothing around it, on one thread, as our decoder has it.
    enum RawAVIF {
        /// As BGRA, of a file without alpha.
        static func decode(_ file: UnsafeRawBufferPointer, to pixels: UnsafeMutableRawBufferPointer) throws {
            guard let decoder = avifDecoderCreate() else { throw CannotMeasure("libavif has no memory") }
            defer { avifDecoderDestroy(decoder) }
            decoder.pointee.maxThreads = 1
            try check(
                avifDecoderSetIOMemory(decoder, file.baseAddress?.assumingMemoryBound(to: UInt8.self), file.count))
            try check(avifDecoderParse(decoder))
            try check(avifDecoderNextImage(decoder))
            var rows = avifRGBImage()
            avifRGBImageSetDefaults(&rows, decoder.pointee.image)
            rows.depth = 8
            rows.format = AVIF_RGB_FORMAT_BGRA
            rows.pixels = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
            rows.rowBytes = rows.width * 4
            guard Int(rows.rowBytes) * Int(rows.height) == pixels.count else {
                throw CannotMeasure("libavif has another size")
            }
            try check(avifImageYUVToRGB(decoder.pointee.image, &rows))
        }

        private static func check(_ result: avifResult) throws {
            guard result == AVIF_RESULT_OK else {
                throw CannotMeasure("libavif says: " + String(cString: avifResultToString(result)))
            }
        }
    }
#endif
