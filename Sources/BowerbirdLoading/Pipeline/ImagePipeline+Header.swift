public import BowerbirdCore

extension ImagePipeline {
    /// What the file says of its picture, its size above all: to lay out a list before its pictures are there.
    ///
    /// From the image cache or the data cache where they have it; else the transfer, which is shared with whoever wants
    /// the picture, is left as soon as enough of the file has come, which for most files is after the first few
    /// kilobytes. The beginning is kept as that of any transfer that was cut, so that the picture may go on from there.
    ///
    /// No pixel is decoded, and what the disk has and cannot be read is loaded anew. Of the request's source or, where that fails, of the first of its alternatives that does not.
    /// Throws `.decoding` where the whole file does not say it, and `.cancelled` when the task is cancelled.
    public func header(for request: ImageRequest) async throws(ImageError) -> ImageHeader {
        let known = RememberedRequest(request, configuration.options)
        if known.options.cachePolicy.network != .always, let image = remembered(known)?.image { return image.header }
        let accepted = AcceptedRequest(known, .ordinary, transferSlots.takeTicket())
        fileCount.withLock { $0 += 1 }
        defer { fileCount.withLock { $0 -= 1 } }
        guard !request.alternatives.isEmpty else { return try await probe(accepted) }
        return try await first(of: accepted) { candidate throws(ImageError) in try await probe(candidate) }
    }

    private func probe(_ request: AcceptedRequest) async throws(ImageError) -> ImageHeader {
        if let refusal = refusalOfSource(of: request) { throw refusal }
        let probe = HeaderProbe(configuration.codecs)
        let outcome = await originals.outcome(
            of: request.originalKey, priority: PriorityRelay(request.priority), whileHungry: probe.look
        ) { job in
            await ImageError.catching { () async throws(ImageError) in try await self.fetch(request, job) }
        }
        if let header = probe.header { return header }
        guard let file = try outcome?.get() else { throw .cancelled }
        do throws(ImageError) { return try header(of: file.data, request) } catch {
            guard file.origin == .disk, error.isFaultOfFile else { throw error }
        }
        let other = try await original(for: request, PriorityRelay(request.priority), insteadOf: file.data) { _ in }
        return try header(of: other.data, request)
    }

    private func header(of file: EncodedImage, _ request: AcceptedRequest) throws(ImageError) -> ImageHeader {
        do throws(DecodingError) {
            return try file.withBytes { bytes throws(DecodingError) in try configuration.codecs.header(of: bytes) }
        } catch {
            throw ImageError(error, request.request.source)
        }
    }
}

/// Looks at a growing file until its header is known.
///
/// Used by one task at a time.
private final class HeaderProbe {
    private let codecs: CodecSet
    private(set) var header: ImageHeader?
    /// As many bytes as are worth the next look: a header that has not been found in few is looked for in twice as many.
    private var wanted = ImageFormat.sniffingLength

    init(_ codecs: CodecSet) { self.codecs = codecs }

    func look(at update: OriginalUpdate) -> Appetite {
        guard let data = update.arrived?.data, data.count >= wanted else { return .hungry }
        header = data.withBytes { bytes in try? codecs.header(of: bytes) }
        wanted = data.count * 2
        return header == nil ? .hungry : .satisfied
    }
}
