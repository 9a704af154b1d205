public import BowerbirdCore
import Glibc

extension ImagePipeline {
    /// The parts of a pipeline. Each can be replaced by one of your own.
    public struct Configuration: Sendable {
        /// Where bytes come from.
        public var loader: any DataLoader
        /// Which formats are decoded; `.builtIn` is what this build has.
        public var codecs: CodecSet
        /// Decoded pictures; nil keeps none.
        public var imageCache: (any ImageCache)?
        /// Original bytes; nil keeps none.
        public var dataCache: (any DataCache)?
        /// How many transfers run at once; the others wait in the order of asking. 6 by default, as browsers do for one
        /// host. Local files do not count.
        public var maximumTransferCount = 6
        /// How many pictures are decoded and edited at once. By default as many as the machine has cores, and no fewer
        /// than 2. Each takes the memory of its pixels.
        public var maximumDecodeCount: Int
        /// Previews begin when a request has been under way for this long, its wait for a transfer included. The default,
        /// 100 ms, spares quick loads the work: nobody would see them.
        public var previewDelay: Duration = .milliseconds(100)
        /// What a file may cost at the most.
        public var limits = DecodingLimits()

        /// A pipeline of these parts, with the defaults above.
        public init(
            loader: any DataLoader, codecs: CodecSet, imageCache: (any ImageCache)? = nil,
            dataCache: (any DataCache)? = nil
        ) {
            self.loader = loader
            self.codecs = codecs
            self.imageCache = imageCache
            self.dataCache = dataCache
            maximumDecodeCount = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        }
    }
}
