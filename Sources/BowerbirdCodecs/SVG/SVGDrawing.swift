#if SVG
    import BowerbirdCore
    import CRSVG
    import Dispatch
    import Glibc

    /// One drawing on a thread of its own, because librsvg cannot be stopped: who waits for it may leave, and it then
    /// runs out by itself.
    final class SVGDrawing: Sendable {
        private let document: SVGDocument
        private let size: PixelSize
        private let state = Lock(State.running)
        private let isOver = DispatchSemaphore(value: 0)

        private enum State {
            case running
            case done(Result<Bitmap, DecodingError>)
            /// Nobody waits any more.
            case abandoned
        }

        /// How long a cancellation may go unseen.
        private static let glance = Duration.milliseconds(5)
        /// librsvg calls itself once for each level of a document, and uses much of the stack each time.
        private static let stackByteCount = 16 << 20
        /// Drawings that nobody waits for. While there is one for each core, no other begins.
        private static let abandonedCount = Lock(0)
        private static let mostAbandoned = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

        private init(_ document: SVGDocument, _ size: PixelSize) {
            self.document = document
            self.size = size
        }

        /// The picture. Throws `.tookTooLong` at `limit`, `.cancelled` some milliseconds after the task is.
        static func draw(
            _ document: SVGDocument, in size: PixelSize, limit: Duration
        ) throws(DecodingError) -> Bitmap {
            let deadline = ContinuousClock.now + limit
            while abandonedCount.withLock({ $0 }) >= mostAbandoned {
                try check(deadline, limit)
                usleep(UInt32(glance / .microseconds(1)))
            }
            let drawing = SVGDrawing(document, size)
            guard drawing.start() else { throw .outOfMemory(size) }
            return try drawing.wait(until: deadline, limit)
        }

        private static func check(_ deadline: ContinuousClock.Instant, _ limit: Duration) throws(DecodingError) {
            try DecodingError.checkCancellation()
            if ContinuousClock.now >= deadline { throw .tookTooLong(maximum: limit) }
        }

        private func wait(until deadline: ContinuousClock.Instant, _ limit: Duration) throws(DecodingError) -> Bitmap {
            let microseconds = Int(Self.glance / .microseconds(1))
            while isOver.wait(timeout: .now() + .microseconds(microseconds)) == .timedOut {
                do throws(DecodingError) {
                    try Self.check(deadline, limit)
                } catch {
                    if let result = abandon() { return try result.get() }
                    throw error
                }
            }
            guard case .done(let result) = state.withLock({ $0 }) else { throw .corrupt("it cannot be drawn") }
            return try result.get()
        }

        /// Leaves the drawing alone. The result, where it came just now.
        private func abandon() -> Result<Bitmap, DecodingError>? {
            state.withLock { state in
                if case .done(let result) = state { return result }
                state = .abandoned
                Self.abandonedCount.withLock { $0 += 1 }
                return nil
            }
        }

        private func finish(_ result: Result<Bitmap, DecodingError>) {
            state.withLock { state in
                if case .abandoned = state {
                    Self.abandonedCount.withLock { $0 -= 1 }
                } else {
                    state = .done(result)
                }
            }
            isOver.signal()
        }

        /// False when there can be no more threads.
        private func start() -> Bool {
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            defer { pthread_attr_destroy(&attributes) }
            pthread_attr_setstacksize(&attributes, Self.stackByteCount)
            pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
            var thread = pthread_t()
            let this = Unmanaged.passRetained(self)
            let status = pthread_create(
                &thread, &attributes,
                { this in
                    if let this { Unmanaged<SVGDrawing>.fromOpaque(this).takeRetainedValue().run() }
                    return nil
                }, this.toOpaque())
            if status != 0 { this.release() }
            return status == 0
        }

        private func run() {
            do throws(DecodingError) {
                finish(.success(try picture()))
            } catch {
                finish(.failure(error))
            }
        }

        private func picture() throws(DecodingError) -> Bitmap {
            guard var buffer = PixelBuffer(size: size) else { throw .outOfMemory(size) }
            var message = [CChar](repeating: 0, count: Int(BBSVGMessageLength))
            switch draw(into: &buffer, &message) {
            case BBSVGDone: break
            case BBSVGLacksMemory: throw .outOfMemory(size)
            default:
                throw .corrupt(String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
            }
            buffer.isOpaque = buffer.hasOnlyFullAlpha
            return buffer.freeze()
        }

        private func draw(into buffer: inout PixelBuffer, _ message: inout [CChar]) -> BBSVGStatus {
            let bytesPerRow = buffer.bytesPerRow
            return document.bytes.withUnsafeBufferPointer { file in
                buffer.withUnsafeMutableBytes { pixels in
                    guard let bytes = file.baseAddress, let base = pixels.baseAddress else { return BBSVGFailed }
                    let drawing = BBSVGDrawing(
                        bytes: bytes, count: file.count, width: document.size.width, height: document.size.height,
                        pixels: base.assumingMemoryBound(to: UInt8.self), columns: Int32(size.width),
                        rows: Int32(size.height), bytes_per_row: Int32(bytesPerRow))
                    return bb_svg_draw(drawing, &message)
                }
            }
        }
    }
#endif
