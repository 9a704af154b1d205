public import BowerbirdCore

extension CodecSet {
    /// The codecs of this build: one for each format whose trait is on.
    public static var builtIn: CodecSet {
        var codecs = CodecSet()
        #if JPEG
            codecs.add(JPEGDecoder())
            codecs.add(JPEGEncoder())
        #endif
        #if PNG
            codecs.add(PNGDecoder())
            codecs.add(PNGEncoder())
        #endif
        codecs.add(GIFDecoder())
        codecs.add(GIFEncoder())
        #if AVIF
            codecs.add(AVIFDecoder())
            codecs.add(AVIFEncoder())
        #endif
        codecs.add(QOIDecoder())
        codecs.add(QOIEncoder())
        codecs.add(BMPDecoder())
        codecs.add(BMPEncoder())
        codecs.add(ICODecoder())
        #if WebP
            codecs.add(WebPDecoder())
            codecs.add(WebPEncoder())
        #endif
        #if JXL
            codecs.add(JXLDecoder())
            codecs.add(JXLEncoder())
        #if HEIF
            codecs.add(HEIFDecoder())
            codecs.add(HEIFEncoder())
        #endif
        return codecs
    }
}
