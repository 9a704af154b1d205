extension ImageFormat {
    /// How many first bytes are enough to know every format but an SVG behind a long comment.
    public static let sniffingLength = 64

    /// The format whose files begin like `bytes`, or nil. Whole signatures are compared, never a single byte, so that
    /// text or an error page is not taken for a picture. Costs well under a microsecond, and whatever the bytes are some
    /// ten: no more than 4 KB of them are looked at, because a body is sniffed again with each piece that arrives.
    public init?(sniffing bytes: RawSpan) {
        let beginning = bytes.extracting(first: 4096)
        for (format, begins) in Self.signatures where begins(beginning) {
            self = format
            return
        }
        return nil
    }

    private static let signatures: [(ImageFormat, @Sendable (RawSpan) -> Bool)] = [
        (.jpeg, { $0.matches([0xFF, 0xD8, 0xFF]) }),
        (.png, { $0.matches([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) }),
        (.gif, { $0.matches("GIF87a") || $0.matches("GIF89a") }),
        (.webP, { $0.matches("RIFF") && $0.matches("WEBP", at: 8) }),
        (.jxl, { $0.matches([0xFF, 0x0A]) || $0.matches(jxlContainer) }),
        (.qoi, { $0.matches("qoif") }),
        (.tiff, { bytes in tiffSignatures.contains { bytes.matches($0) } }),
        (.avif, { hasBrand(of: ["avif", "avis"], $0) }),
        (.heif, { hasBrand(of: heifBrands, $0) }),
        (.ico, isIcon),
        (.bmp, isBMP),
        (.svg, isSVG),
    ]

    private static let jxlContainer: [UInt8] = [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

    /// Little- and big-endian, classic and BigTIFF.
    private static let tiffSignatures: [[UInt8]] = [
        [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B],
    ]

    private static let heifBrands: [StaticString] = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1", "mif2",
    ]
}

/// ISO base media files (AVIF, HEIF) begin with a `ftyp` box: its size, `ftyp`, the major brand, a version, and then
/// compatible brands to the end of the box. A `mif1` file that also lists `avif` is AVIF, so AVIF is asked first.
private func hasBrand(of brands: [StaticString], _ bytes: RawSpan) -> Bool {
    guard bytes.matches("ftyp", at: 4), let size = bytes.bigEndian32(at: 0) else { return false }
    let end = min(Int(size), bytes.byteCount)
    let offsets = [8] + stride(from: 16, to: max(16, end - 3), by: 4)
    return offsets.contains { offset in brands.contains { bytes.matches($0, at: offset) } }
}

/// Reserved 0, type 1 (icon) or 2 (cursor), at least one entry, and the reserved byte of the first entry 0.
private func isIcon(_ bytes: RawSpan) -> Bool {
    guard bytes.matches([0, 0, 1, 0]) || bytes.matches([0, 0, 2, 0]) else { return false }
    guard let entries = bytes.littleEndian16(at: 4), let reserved = bytes.byte(at: 9) else { return false }
    return entries > 0 && reserved == 0
}

/// `BM` alone begins many texts; the size of the header that follows is one of nine.
private func isBMP(_ bytes: RawSpan) -> Bool {
    guard bytes.matches("BM"), let headerSize = bytes.littleEndian32(at: 14) else { return false }
    return [12, 16, 40, 52, 56, 64, 108, 124].contains(headerSize)
}

/// An `<svg` element after any byte order mark, white space, XML declaration, comments and document type.
private func isSVG(_ bytes: RawSpan) -> Bool {
    var offset = bytes.matches([0xEF, 0xBB, 0xBF]) ? 3 : 0
    while let byte = bytes.byte(at: offset) {
        if byte == 0x20 || (0x09...0x0D).contains(byte) {
            offset += 1
        } else if bytes.matches("<?", at: offset) {
            offset = bytes.end(of: "?>", from: offset)
        } else if bytes.matches("<!--", at: offset) {
            offset = bytes.end(of: "-->", from: offset)
        } else if bytes.matches("<!", at: offset) {
            offset = bytes.end(of: ">", from: offset)
        } else {
            return isSVGElement(bytes, at: offset)
        }
    }
    return false
}

private func isSVGElement(_ bytes: RawSpan, at offset: Int) -> Bool {
    guard bytes.matches("<svg", at: offset) || bytes.matches("<svg:svg", at: offset) else { return false }
    guard let next = bytes.byte(at: offset + 4) else { return false }
    return next == 0x20 || next == 0x3E || next == 0x3A || (0x09...0x0D).contains(next)
}

extension RawSpan {
    /// The offset just behind the next `mark`, or the end of the bytes.
    fileprivate func end(of mark: StaticString, from start: Int) -> Int {
        for offset in stride(from: start, to: byteCount, by: 1) where matches(mark, at: offset) {
            return offset + mark.utf8CodeUnitCount
        }
        return byteCount
    }
}
