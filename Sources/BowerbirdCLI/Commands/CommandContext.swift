import Bowerbird

/// What a command works with.
struct CommandContext: Sendable {
    let console: Console
    let pipeline: ImagePipeline
    let codecs: CodecSet
    let partialFiles: PartialFiles
    /// How many inputs are worked on at once: enough for every slot of the pipeline, and no more, because each may hold
    /// a whole file in memory.
    let concurrency: Int

    /// The real thing: every format of this build, HTTP, files, data URLs.
    ///
    /// - Parameter cache: Nil keeps nothing.
    init(_ console: Console, cache: DiskCache?, _ partialFiles: PartialFiles) {
        var configuration = ImagePipeline.Configuration.standard(dataCache: cache)
        // Nothing is asked for twice here.
        configuration.imageCache = nil
        self.init(console, configuration, partialFiles)
    }

    init(_ console: Console, _ configuration: ImagePipeline.Configuration, _ partialFiles: PartialFiles) {
        self.console = console
        self.partialFiles = partialFiles
        codecs = configuration.codecs
        pipeline = ImagePipeline(configuration)
        concurrency = max(configuration.maximumTransferCount, configuration.maximumDecodeCount)
    }
}

enum ExitStatus: Int32, Sendable {
    case success = 0
    case failure = 1
    case usage = 2
}
