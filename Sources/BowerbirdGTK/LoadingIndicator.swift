import Bowerbird
import GTKBridge

/// What a view draws over its picture to say how far the load is.
public nonisolated enum LoadingIndicator: Sendable {
    /// Nothing.
    case none
    /// A ring in the middle that fills up; only while the length of the file is known and no picture is there. The
    /// default.
    case ring
    /// A thin bar along the lower edge, until the final picture is there.
    case bar
}

extension LoadingIndicator {
    private static let ringRadius = 14.0
    private static let barHeight = 3.0

    func draw(_ progress: TransferProgress?, hasPreview: Bool, on snapshot: Snapshot, width: Double, height: Double) {
        guard let fraction = progress?.fraction else { return }
        switch self {
        case .none: break
        case .ring: if !hasPreview { drawRing(fraction, on: snapshot, width: width, height: height) }
        case .bar: drawBar(fraction, on: snapshot, width: width, height: height)
        }
    }

    private func drawRing(_ fraction: Double, on snapshot: Snapshot, width: Double, height: Double) {
        let side = Self.ringRadius * 2 + 8
        let room = Rectangle(x: (width - side) / 2, y: (height - side) / 2, width: side, height: side)
        snapshot.appendCairo(in: room) { context in
            let arc = { (end: Double, color: RGBA) in
                context.strokeArc(
                    x: width / 2, y: height / 2, radius: Self.ringRadius, from: -.pi / 2, to: -.pi / 2 + end * 2 * .pi,
                    lineWidth: 3, with: color)
            }
            arc(1, RGBA(grey: 0.5, alpha: 0.35))
            arc(fraction, RGBA(grey: 1, alpha: 0.9))
        }
    }

    private func drawBar(_ fraction: Double, on snapshot: Snapshot, width: Double, height: Double) {
        let top = height - Self.barHeight
        snapshot.append(
            RGBA(grey: 0, alpha: 0.35), in: Rectangle(x: 0, y: top, width: width, height: Self.barHeight))
        snapshot.append(
            RGBA(red: 0.21, green: 0.52, blue: 0.89),
            in: Rectangle(x: 0, y: top, width: width * fraction, height: Self.barHeight))
    }
}
