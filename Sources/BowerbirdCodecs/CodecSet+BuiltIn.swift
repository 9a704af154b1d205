public import BowerbirdCore

extension CodecSet {
    /// The codecs of this build: one for each format whose trait is on, and those that need no library.
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
        #if WebP
            codecs.add(WebPDecoder())
            codecs.add(WebPEncoder())
        #endif
        #if AVIF
            codecs.add(AVIFDecoder())
            codecs.add(AVIFEncoder())
        #endif
        #if HEIF
            codecs.add(HEIFDecoder())
            codecs.add(HEIFEncoder())
        #endif
        #if JXL
            codecs.add(JXLDecoder())
            codecs.add(JXLEncoder())
        #endif
        #if TIFF
            codecs.add(TIFFDecoder())
            codecs.add(TIFFEncoder())
        #endif
        #if SVG
            codecs.add(SVGDecoder())
        #endif
        codecs.add(BMPDecoder())
        codecs.add(BMPEncoder())
        codecs.add(ICODecoder())
        codecs.add(QOIDecoder())
        codecs.add(QOIEncoder())
        return codecs
    }
}
