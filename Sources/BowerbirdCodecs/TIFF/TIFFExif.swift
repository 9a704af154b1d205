#if TIFF
    import BowerbirdCore

    /// A TIFF file is what EXIF data are, with pixels: a copy of it that has only what is said of the photograph.
    struct TIFFExif {
        private let structure: TIFFStructure
        private let limit: Int
        /// From the TIFF header on, classic even where the file is a BigTIFF.
        private var data: [UInt8]

        /// More in one value is no fact of a photograph.
        private static let mostValueBytes: UInt64 = 1 << 16
        private static let headerSize = 8
        private static let nested: Set<UInt16> = [ExifTag.photograph.rawValue, ExifTag.place.rawValue]
        /// What the first directory may tell: the rest of it is about the pixels.
        private static let wanted = Set(
            [
                ExifTag.imageDescription, .make, .model, .horizontalResolution, .verticalResolution, .resolutionUnit,
                .software, .dateTime, .artist, .copyright, .photograph, .place,
            ].map(\.rawValue))
        /// A camera's own notes name places in the file, which are others in the copy.
        private static let makerNote: UInt16 = 0x927C

        /// Of a page; nil where nothing is said. What would make it larger than `limit` is left out.
        static func data(
            ofDirectoryAt offset: UInt64, _ structure: TIFFStructure, in file: RawSpan, atMost limit: Int
        ) -> [UInt8]? {
            var left = wanted
            // Each once: a directory could name another one thousands of times.
            let fields = structure.fields(ofDirectoryAt: offset, in: file).filter { left.remove($0.tag) != nil }
            guard !fields.isEmpty else { return nil }
            var exif = TIFFExif(structure, atMost: limit)
            exif.append(fields, from: file)
            return exif.data.count > headerSize ? exif.data : nil
        }

        private init(_ structure: TIFFStructure, atMost limit: Int) {
            self.structure = structure
            self.limit = min(limit, Int(Int32.max))
            data = structure.order == .big ? [0x4D, 0x4D, 0, 0x2A] : [0x49, 0x49, 0x2A, 0]
            data += structure.order.bytes(UInt32(Self.headerSize))
        }

        /// A directory behind what is there, and behind it the values that do not fit into its entries.
        private mutating func append(_ fields: [TIFFField], from file: RawSpan) {
            let fields = fields.filter { isReadable($0, in: file) }
            let (order, start) = (structure.order, data.count)
            guard let count = UInt16(exactly: fields.count), start + 6 + fields.count * ExifDirectory.entrySize <= limit
            else { return }
            data += order.bytes(count)
            data += Array(repeating: 0, count: fields.count * ExifDirectory.entrySize + 4)
            for (index, field) in fields.enumerated() {
                let entry = self.entry(field, from: file)
                let place = start + 2 + index * ExifDirectory.entrySize
                data.replaceSubrange(place..<place + ExifDirectory.entrySize, with: entry)
            }
        }

        private func isReadable(_ field: TIFFField, in file: RawSpan) -> Bool {
            if Self.nested.contains(field.tag) { return structure.number(field, in: file) != nil }
            return field.tag != Self.makerNote && ExifKind(rawValue: field.type) != nil
                && field.byteCount <= Self.mostValueBytes && field.range(in: file) != nil
        }

        /// An empty value where there is no room for it.
        private mutating func entry(_ field: TIFFField, from file: RawSpan) -> [UInt8] {
            let order = structure.order
            if Self.nested.contains(field.tag) {
                return order.bytes(field.tag) + order.bytes(ExifKind.long.rawValue) + order.bytes(UInt32(1))
                    + order.bytes(nested(field, from: file))
            }
            let value = field.range(in: file).map { file.extracting($0).withUnsafeBytes { Array($0) } } ?? []
            let head = order.bytes(field.tag) + order.bytes(field.type)
            guard value.count > 4 else {
                return head + order.bytes(UInt32(field.count)) + value + Array(repeating: 0, count: 4 - value.count)
            }
            guard data.count + value.count < limit else { return head + [0, 0, 0, 0, 0, 0, 0, 0] }
            defer { data += value + Array(repeating: 0, count: value.count % 2) }
            return head + order.bytes(UInt32(field.count)) + order.bytes(UInt32(data.count))
        }

        /// Where the copy of another directory is, which names no further ones; 0 where it has nothing.
        private mutating func nested(_ field: TIFFField, from file: RawSpan) -> UInt32 {
            guard let offset = structure.number(field, in: file) else { return 0 }
            let start = data.count
            let fields = structure.fields(ofDirectoryAt: offset, in: file).filter { !Self.nested.contains($0.tag) }
            append(fields, from: file)
            return data.count > start ? UInt32(start) : 0
        }
    }
#endif
