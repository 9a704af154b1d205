/// The ways to spoil a file. Equal seeds, names and indices spoil it alike.
struct Mutation {
    let seed: UInt64
    /// So many of all ways are cuts, and so many turn bits over.
    let cuts: Int
    let flips: Int

    /// What generates all that is random of one attempt.
    func randomness(of name: String, _ index: Int) -> SplitMix {
        SplitMix(seed: seed ^ Self.digest(of: name) &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15)
    }

    func spoil(_ file: [UInt8], index: Int, _ random: inout SplitMix) -> [UInt8] {
        guard !file.isEmpty else { return file }
        if isCut(index) { return Array(file[..<Int.random(in: 0..<file.count, using: &random)]) }
        return turningBits(of: file, &random)
    }

    /// Cuts are spread over all.
    private func isCut(_ index: Int) -> Bool {
        let count = max(1, cuts + flips)
        return (index + 1) * cuts / count > index * cuts / count
    }

    /// From one bit to eight. Half of the time all of them lie in the first bytes, where the headers are.
    private func turningBits(of file: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var spoilt = file
        let reach = Bool.random(using: &random) ? file.count : min(file.count, 512)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            spoilt[Int.random(in: 0..<reach, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        return spoilt
    }

    /// FNV-1a: the same in every process.
    private static func digest(of name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// Steele, Lea and Flood: “Fast splittable pseudorandom number generators”.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
