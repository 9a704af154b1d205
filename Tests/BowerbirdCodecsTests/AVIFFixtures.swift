#if AVIF
    import BowerbirdCodecs
    import BowerbirdCore
    import FoundationEssentials
    import Testing

    /// The bytes of an AVIF file with `bitmap`, made quickly.
    func avif(_ bitmap: Bitmap, _ change: (inout EncodingOptions) -> Void = { _ in }) throws -> [UInt8] {
        var options = EncodingOptions(quality: 0.9)
        options.effort = 0
        change(&options)
        return try AVIFEncoder().encode(bitmap, options).withUnsafeBytes { Array($0) }
    }

    /// The same without any loss.
    func losslessAVIF(_ bitmap: Bitmap, _ change: (inout EncodingOptions) -> Void = { _ in }) throws -> [UInt8] {
        try avif(bitmap) { options in
            options.isLossless = true
            change(&options)
        }
    }

    extension AVIFDecoder {
        func metadata(of file: [UInt8], _ limits: DecodingLimits = DecodingLimits()) throws -> ImageMetadata {
            try metadata(of: file.span.bytes, limits)
        }
    }

    extension ProgressiveDecoder {
        func update(_ file: [UInt8], isComplete: Bool) throws(DecodingError) {
            try update(file.span.bytes, isComplete: isComplete)
        }
    }

    /// The file, of one item, with one more property of it: a whole box.
    func addingProperty(_ box: [UInt8], to file: [UInt8]) throws -> [UInt8] {
        var file = file
        let container = try #require(file.offset(of: "ipco")) - 4
        let associations = try #require(file.offset(of: "ipma")) - 4
        let count = file[(container + 8)..<associations].boxCount
        file[associations + 18] += 1
        file.insert(0x80 | UInt8(count + 1), at: associations + file.number(at: associations))
        file.insert(contentsOf: box, at: associations)
        file.add(1, at: associations + box.count)
        file.add(box.count, at: container)
        for type in ["iprp", "meta"] { file.add(box.count + 1, at: try #require(file.offset(of: type)) - 4) }
        file.add(box.count + 1, at: try #require(file.offset(of: "iloc")) + 18)
        return file
    }

    extension [UInt8] {
        /// The 32-bit number at `offset`.
        fileprivate func number(at offset: Int) -> Int { self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }

        fileprivate mutating func add(_ value: Int, at offset: Int) {
            replaceSubrange(offset..<offset + 4, with: bigEndian(UInt32(number(at: offset) + value)))
        }
    }

    extension ArraySlice<UInt8> {
        /// How many boxes it is.
        fileprivate var boxCount: Int {
            var (count, offset) = (0, startIndex)
            while offset < endIndex {
                offset += self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
                count += 1
            }
            return count
        }
    }

    /// A file of 128 × 256 pixels in two columns and four rows of tiles, 64 × 64 each. Ours writes no grids.
    func makeGrid() throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: grid, options: .ignoreUnknownCharacters)))
    }

    private let grid = """
        AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAKlbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxp
        YmF2aWYAAAAADnBpdG0AAAAAAAEAAACOaWxvYwAAAABEAAAJAAEAAAABAAACzQAAAAgAAgAAAAEAAALVAAAAIQADAAAAAQAAAvYAAAAh
        AAQAAAABAAADFwAAAB8ABQAAAAEAAAM2AAAAHgAGAAAAAQAAA1QAAAAbAAcAAAABAAADbwAAAB4ACAAAAAEAAAONAAAAHwAJAAAAAQAA
        A6wAAAAgAAAA+GlpbmYAAAAAAAkAAAAaaW5mZQIAAAAAAQAAZ3JpZENvbG9yAAAAABppbmZlAgAAAQACAABhdjAxQ29sb3IAAAAAGmlu
        ZmUCAAABAAMAAGF2MDFDb2xvcgAAAAAaaW5mZQIAAAEABAAAYXYwMUNvbG9yAAAAABppbmZlAgAAAQAFAABhdjAxQ29sb3IAAAAAGmlu
        ZmUCAAABAAYAAGF2MDFDb2xvcgAAAAAaaW5mZQIAAAEABwAAYXYwMUNvbG9yAAAAABppbmZlAgAAAQAIAABhdjAxQ29sb3IAAAAAGmlu
        ZmUCAAABAAkAAGF2MDFDb2xvcgAAAAAoaXJlZgAAAAAAAAAcZGltZwABAAgAAgADAAQABQAGAAcACAAJAAAAtWlwcnAAAABfaXBjbwAA
        ABRpc3BlAAAAAAAAAIAAAAEAAAAAEHBpeGkAAAAAAwgICAAAABNjb2xybmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAABAAAAAQAAAAAxh
        djFDgQAMAAAAAE5pcG1hAAAAAAAAAAkAAQMBAgMAAgQEAoUDAAMEBAKFAwAEBAQChQMABQQEAoUDAAYEBAKFAwAHBAQChQMACAQEAoUD
        AAkEBAKFAwAAAQdtZGF0AAADAQCAAQASAAoJGBV//5ICGg0IMhJG0AAAEACFki3lz7ryHDOffvkSAAoJGBV//5ICGg0IMhJG0AAAEACF
        ki3l1QgEr73z4BwSAAoJGBV//5ICGg0IMhBG0AAAEAAQaSw5TIMb1jZKEgAKCRgVf/+SAhoNCDIPRtAAABAAEGksTse/yoKAEgAKCRgV
        f/+SAhoNCDIMRtAAABAAEGkriymAEgAKCRgVf/+SAhoNCDIPRtAAABAAg8kmSXBBk/pgEgAKCRgVf/+SAhoNCDIQRtAAABAAEGkrMr5o
        rx/Y6BIACgkYFX//kgIaDQgyEUbQAAAQABBpKzDmDqPMG54K
        """
#endif
