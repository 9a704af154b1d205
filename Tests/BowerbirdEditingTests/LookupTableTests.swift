import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `A file of a table of colours` {
    private static let corners = """
        0 0 0
        1 0 0
        0 1 0
        1 1 0
        0 0 1
        1 0 1
        0 1 1
        1 1 1

        """

    @Test func isReadWithAllThatTheFormatHas() throws {
        let text =
            "\u{FEFF}# A comment\r\nTITLE \"A film: # not a comment\"\r\n\r\n LUT_3D_SIZE\t2\r\n"
            + "DOMAIN_MIN 0 0 0\r\nDOMAIN_MAX 1.0 1e0 +1\r\n# another\r\n"
            + Self.corners.replacing("\n", with: "  \r\n")
        let plain = try LookupTable(cube: "LUT_3D_SIZE 2\n" + Self.corners)
        #expect(try LookupTable(cube: text) == plain)
        #expect(try LookupTable(cube: "LUT_3D_INPUT_RANGE 0 1\nLUT_3D_SIZE 2\n" + Self.corners) == plain)
    }

    @Test func isKnownByAllThatItSays() throws {
        let texts = [
            "LUT_3D_SIZE 2\n" + Self.corners,
            "LUT_1D_SIZE 8\n" + Self.corners,
            "DOMAIN_MIN -1 0 0\nLUT_3D_SIZE 2\n" + Self.corners,
            "DOMAIN_MAX 1 1 2\nLUT_3D_SIZE 2\n" + Self.corners,
            "LUT_3D_SIZE 2\n" + Self.corners.replacing("1 1 1", with: "1 1 0.99"),
        ]
        let tables = try texts.map { try LookupTable(cube: $0) }
        #expect(Set(tables).count == texts.count)
        #expect(Set(tables.map { ColorLookup($0).cacheKey }).count == texts.count)
    }

    static let faults: [(String, Int)] = [
        ("0 0 0\n", 1), ("LUT_3D_SIZE\n", 1), ("LUT_3D_SIZE 1\n", 1), ("\nLUT_3D_SIZE 257\n", 2),
        ("LUT_3D_SIZE 99999999999999999999\n", 1), ("LUT_3D_SIZE -2\n", 1), ("LUT_3D_SIZE 2 2\n", 1),
        ("LUT_3D_SIZE 2.5\n", 1), ("LUT_1D_SIZE 65537\n", 1), ("LUT_3D_SIZE 2\nLUT_3D_SIZE 2\n", 2),
        ("LUT_3D_SIZE 2\nLUT_1D_SIZE 2\n", 2), ("LUT_3D_SIZE 2\n0 0\n", 2), ("LUT_3D_SIZE 2\n0 0 0 0\n", 2),
        ("LUT_3D_SIZE 2\n0 0 x\n", 2), ("LUT_3D_SIZE 2\n0 nan 0\n", 2), ("LUT_3D_SIZE 2\n0 0 1e999\n", 2),
        ("LUT_3D_SIZE 2\nnan 0 0\n", 2), ("LUT_3D_SIZE 2\n0 0 0\nDOMAIN_MIN 0 0 0\n", 3),
        ("LUT_3D_SIZE 2\n" + corners + "0 0 0\n", 10), ("VIDEO 3\n", 1), ("DOMAIN_MAX 1 1\n", 1),
        ("DOMAIN_MIN 0 0 inf\n", 1), ("DOMAIN_MIN 0 1 0\nLUT_3D_SIZE 2\n" + corners, 1),
        ("LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 1\n", 2), ("\u{1F600}\u{0}\n", 1),
    ]

    @Test(arguments: faults)
    func tellsTheLineThatIsWrong(text: String, line: Int) {
        #expect {
            try LookupTable(cube: text)
        } throws: { error in
            if case .invalidLine(line, _) = error as? LookupTableError { true } else { false }
        }
    }

    @Test func tellsWhatIsMissing() {
        #expect(throws: LookupTableError.missingSize) { try LookupTable(cube: "") }
        #expect(throws: LookupTableError.missingSize) { try LookupTable(cube: "# nothing\n\n") }
        #expect(throws: LookupTableError.incomplete(expected: 16_777_216, found: 1)) {
            try LookupTable(cube: "LUT_3D_SIZE 256\n0 0 0")
        }
    }

    @Test func thatIsSpoiltNeverTraps() {
        let text = Array(("DOMAIN_MIN 0 0 0\nLUT_3D_SIZE 2\n" + Self.corners).utf8)
        for index in text.indices {
            for byte in [0, 9, 10, 32, 45, 57, 101, 255] as [UInt8] {
                var spoilt = text
                spoilt[index] = byte
                _ = try? LookupTable(cube: String(decoding: spoilt, as: UTF8.self))
            }
            _ = try? LookupTable(cube: String(decoding: text.prefix(index), as: UTF8.self))
        }
    }
}
