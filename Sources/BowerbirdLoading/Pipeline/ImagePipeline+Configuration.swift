public import BowerbirdCore
public import FoundationEssentials
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
        /// For every request that does not say otherwise.
        public var options = RequestOptions()
        /// How many transfers run at once; the others wait in the order of asking. 6 by default, as browsers do for one
        /// host. Local files do not count. Of a pipeline that runs: `ImagePipeline.maximumTransferCount`.
        public var maximumTransferCount = 6
        /// How many pictures are decoded and edited at once. By default as many as the machine has cores, and no fewer
        /// than 2.
        public var maximumDecodeCount: Int
        /// How many reads of the data cache run at once; the others wait, the most urgent before all, prefetched pictures
        /// behind all. By default 4: on a local disk more do not bring more.
        public var maximumDiskReadCount = 4
        /// The memory that pixels may take while they are made. By default one for all pipelines of the program.
        public var memoryBudget = MemoryBudget.shared
        /// Previews begin when a request has been under way for this long, its wait for a transfer included. The default,
        /// 100 ms, spares quick loads the work: nobody would see them.
        public var previewDelay: Duration = .milliseconds(100)
        /// Which failures are remembered, and for how long; `.byReason` by default.
        public var failurePolicy = FailurePolicy.byReason
        /// Which answers are taken for a picture. Every success by default.
        public var responseRule = ResponseRule()
        /// Changes a request in the moment in which it is sent, on every try: adds a token, signs the address anew.
        /// What it throws becomes `LoadingError.refused`, and nothing is sent. It holds one of the places for transfers,
        /// so it must not wait for this pipeline. None by default.
        public var prepareRequest: (@Sendable (DataRequest) async throws -> DataRequest)?
        /// Asked for a credential when a server answers 401, 403 or 407: once for however many requests are refused,
        /// and not again before its answer is refused too. nil from it gives up. Its answer is kept for that scheme,
        /// host and port as long as the pipeline lives, and sent nowhere else. None by default.
        public var credentialProvider: (@Sendable (AuthenticationChallenge) async -> Credential?)?
        /// Memory for the beginnings of files whose transfers were cut, in bytes. By default 1 % of what this process
        /// may use.
        public var partialFileByteLimit = MemoryAvailability.processLimit / 100
        /// See everything that happens. None by default.
        public var observers: [any PipelineObserver] = []
        /// By which a retry waits.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// The wall clock, for what HTTP calls fresh and for what failed before.
        public var now: @Sendable () -> Date = { Date() }

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
