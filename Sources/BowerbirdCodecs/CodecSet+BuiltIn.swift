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
        #if AVIF
            codecs.add(AVIFDecoder())
            codecs.add(AVIFEncoder())
        #endif
        #if HEIF
            codecs.add(HEIFDecoder())
            codecs.add(HEIFEncoder())
        #endif
        return codecs
    }
}
