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
        codecs.add(QOIDecoder())
        codecs.add(QOIEncoder())
        codecs.add(BMPDecoder())
        codecs.add(BMPEncoder())
        codecs.add(ICODecoder())
        #if SVG
            codecs.add(SVGDecoder())
        #endif
        #if TIFF
            codecs.add(TIFFDecoder())
            codecs.add(TIFFEncoder())
        #endif
        return codecs
    }
}
