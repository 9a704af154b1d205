import Bowerbird
import FoundationEssentials

/// The value of an option that edits, as it was typed.
struct EditValue: Sendable {
    let text: String

    /// The value is none of those that the option can have.
    struct Misunderstood: Error, CustomStringConvertible {
        let wanted: String

        /// What the option wants, with an example.
        var description: String { wanted }
    }

    func number() throws(Misunderstood) -> Double {
        guard let number = Double(text), number.isFinite else { throw Misunderstood(wanted: "a number, as in 0.5") }
        return number
    }

    func integer() throws(Misunderstood) -> Int {
        guard let number = Int(text), number > 0 else { throw Misunderstood(wanted: "a number of pixels, as in 12") }
        return number
    }

    /// `300x200` from the middle, `300x200+10+20` from a place.
    func crop() throws(Misunderstood) -> Crop {
        let parts = text.lowercased().split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        let sides = (parts.first ?? "").split(separator: "x").compactMap { Int($0) }
        let place = parts.dropFirst().compactMap { Int($0) }
        guard sides.count == 2, sides.allSatisfy({ $0 > 0 }), place.count == parts.count - 1,
            place.isEmpty || place.count == 2
        else { throw Misunderstood(wanted: "a size and a place, as in 300x200 or 300x200+10+20") }
        let size = PixelSize(width: sides[0], height: sides[1])
        return place.isEmpty ? Crop(size) : Crop(PixelRect(x: place[0], y: place[1], size: size))
    }

    func direction() throws(Misunderstood) -> Flip.Direction {
        switch text {
        case "h", "horizontal": .horizontal
        case "v", "vertical": .vertical
        case "both": .both
        default: throw Misunderstood(wanted: "h, v or both")
        }
    }

    /// `24` pixels, `50%` of the shorter side.
    func radius() throws(Misunderstood) -> RoundCorners.Radius {
        let isShare = text.hasSuffix("%")
        guard let number = Double(isShare ? text.dropLast() : text[...]), number.isFinite, number >= 0 else {
            throw Misunderstood(wanted: "a radius, as in 24 or 50%")
        }
        return isShare ? .fraction(number / 100) : .pixels(number)
    }

    /// `2:#ffffff`.
    func border() throws(Misunderstood) -> Border {
        let (first, second) = halves
        guard let width = Int(first), width > 0, let color = second.flatMap({ Color(typed: $0) }) else {
            throw Misunderstood(wanted: "a width and a colour, as in 2:#ffffff")
        }
        return Border(width: width, color: color)
    }

    /// `#336699:multiply`; half of the colour unless it has an alpha of its own.
    func tint() throws(Misunderstood) -> Tint {
        let (first, second) = halves
        guard let color = Color(typed: first, alpha: second == nil ? 128 : 255),
            let mode = second.map({ BlendMode(rawValue: $0) }) ?? .sourceAtop
        else { throw Misunderstood(wanted: "a colour and a mode, as in #33669980 or #336699:multiply") }
        return Tint(color, blendMode: mode)
    }

    /// A radius, or the name of an effect.
    func blur() throws(Misunderstood) -> Blur {
        switch text {
        case "soft": return .soft
        case "light": return .light
        case "extra-light": return .extraLight
        case "dark": return .dark
        default:
            guard let radius = Double(text), radius.isFinite, radius >= 0 else {
                throw Misunderstood(wanted: "a radius, or soft, light, extra-light or dark")
            }
            return Blur(radius: radius)
        }
    }

    /// Reads the file.
    func lookup() throws(Misunderstood) -> ColorLookup {
        guard let data = try? Data(contentsOf: URL(filePath: text)) else {
            throw Misunderstood(wanted: "a .cube file that can be read")
        }
        do throws(LookupTableError) {
            return ColorLookup(try LookupTable(cube: String(decoding: data, as: UTF8.self)))
        } catch {
            throw Misunderstood(wanted: "a sound .cube file (\(error))")
        }
    }

    /// What stands before the first colon, and what behind; nil where there is none.
    private var halves: (String, String?) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : nil)
    }
}

extension Color {
    /// `#rrggbb` or `#rrggbbaa`, with or without the sign. `alpha` is that of a colour without one.
    init?(typed text: String, alpha: UInt8 = 255) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16) else { return nil }
        switch digits.utf8.count {
        case 6: self.init(rgb: number, alpha: alpha)
        case 8: self.init(rgb: number >> 8, alpha: UInt8(truncatingIfNeeded: number))
        default: return nil
        }
    }

    private init(rgb: UInt32, alpha: UInt8) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb), alpha: alpha)
    }
}
