import BowerbirdCodecs
import BowerbirdCore
import BowerbirdTestSupport
import Testing

@Suite("What every decoder of this build promises")
struct AllDecodersTests {
    private let codecs = CodecSet.builtIn

    @Test(arguments: SampleFile.all)
    func itIsKept(sample: SampleFile) async throws {
        let file = try sample.make()
        let decoder = try #require(codecs.decoder(for: sample.format))
        let conformance = DecoderConformance(
            of: decoder, file: file, in: codecs, isDrawing: sample.isDrawing, tries: sample.tries)
        for violation in await conformance.violations() { Issue.record("\(violation)") }
        #expect((decoder.makeProgressiveDecoder(DecodingOptions()) != nil) == sample.arrives)
    }

    @Test func everyFormatHasASample() {
        let written = WrittenFormat.all.map(\.format)
        for format in codecs.decodableFormats where written.contains(format) || [.svg, .ico].contains(format) {
            #expect(SampleFile.all.contains { $0.format == format }, "\(format)")
        }
    }

    /// Or what is tried with every format leaves it out.
    @Test func everyFormatThatIsWrittenIsInTheTable() {
        for format in codecs.decodableFormats where codecs.encoder(for: format) != nil {
            let isKnown = WrittenFormat.all.contains { $0.format == format }
            // HEIF and AVIF need encoders that libraries may lack.
            #expect(isKnown || [.heif, .avif].contains(format), "\(format)")
        }
    }
}
