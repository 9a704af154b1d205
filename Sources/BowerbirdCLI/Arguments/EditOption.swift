import Bowerbird

/// An option of `convert` that edits, and the processor that it stands for.
struct EditOption: Sendable {
    let syntax: OptionSyntax
    /// Throws `EditValue.Misunderstood` where the value makes no sense.
    let processor: @Sendable (EditValue) throws -> any ImageProcessor

    private init(
        _ name: String, _ value: String? = nil, _ help: String,
        _ processor: @escaping @Sendable (EditValue) throws -> any ImageProcessor
    ) {
        syntax = OptionSyntax(name: name, value: value, help: help)
        self.processor = processor
    }

    static let all = shapes + colors + filters

    private static let shapes = [
        EditOption("--crop", "WxH[+X+Y]", "cut out; from the middle without a place") { value in try value.crop() },
        EditOption("--rotate", "DEGREES", "clockwise; the picture grows around it") { value in
            Rotate(try value.number())
        },
        EditOption("--flip", "h|v|both", "mirror, left and right or up and down") { value in
            Flip(try value.direction())
        },
        EditOption("--round", "R[%]", "round corners, in pixels or of the shorter side") { value in
            RoundCorners(radius: try value.radius())
        },
        EditOption("--circle", "cut a circle out of the middle") { _ in Circle() },
        EditOption("--border", "W:#RRGGBB", "a frame; behind --round as round as that") { value in try value.border() },
    ]

    private static let colors = [
        EditOption("--tint", "#RRGGBB[AA][:MODE]", "lay a colour over it") { value in try value.tint() },
        EditOption("--lut", "FILE.cube", "look the colours up in a table") { value in try value.lookup() },
        EditOption("--brightness", "N", "-1 to 1; 0 changes nothing") { value in
            ColorAdjust(brightness: try value.number())
        },
        EditOption("--contrast", "N", "0 to 16; 1 changes nothing") { value in
            ColorAdjust(contrast: try value.number())
        },
        EditOption("--saturation", "N", "0 to 16; 1 changes nothing") { value in
            ColorAdjust(saturation: try value.number())
        },
        EditOption("--exposure", "STOPS", "-16 to 16; each doubles the light") { value in
            ColorAdjust(exposure: try value.number())
        },
        EditOption("--hue", "DEGREES", "turn the colours around") { value in ColorAdjust(hue: try value.number()) },
        EditOption("--gamma", "N", "1/16 to 16; below 1 is lighter") { value in
            ColorAdjust(gamma: try value.number())
        },
        EditOption("--grayscale", "without colour") { _ in Grayscale() },
        EditOption("--sepia", "as an old photograph") { _ in Sepia() },
        EditOption("--invert", "as a negative") { _ in Invert() },
    ]

    private static let filters = [
        EditOption("--blur", "R", "in pixels; or soft, light, extra-light, dark") { value in try value.blur() },
        EditOption("--sharpen", "AMOUNT", "0.5 is usual") { value in Sharpen(amount: try value.number()) },
        EditOption("--pixelate", "N", "blocks of so many pixels") { value in
            Pixelate(blockSize: try value.integer())
        },
        EditOption("--vignette", "N", "darken the corners, 0 to 1") { value in Vignette(strength: try value.number()) },
    ]
}

extension EditOption {
    private init(
        _ name: String, _ help: String,
        _ processor: @escaping @Sendable (EditValue) throws -> any ImageProcessor
    ) {
        self.init(name, nil, help, processor)
    }
}

extension ParsedArguments {
    /// What is done to the picture, in the order in which it was said.
    func edits(
        _ syntax: CommandSyntax, resize: (String) throws(UsageError) -> Resize
    ) throws(UsageError) -> [any ImageProcessor] {
        var edits: [any ImageProcessor] = []
        for occurrence in occurrences {
            if occurrence.name == "--resize" {
                edits.append(try resize(occurrence.value))
            } else if let option = EditOption.all.first(where: { $0.syntax.name == occurrence.name }) {
                edits.append(edit: try processor(of: option, occurrence.value, syntax))
            }
        }
        return edits
    }

    private func processor(
        of option: EditOption, _ value: String, _ syntax: CommandSyntax
    ) throws(UsageError) -> any ImageProcessor {
        do { return try option.processor(EditValue(text: value)) } catch {
            throw syntax.problem("\(option.syntax.name) wants \(error), not '\(value)'")
        }
    }
}

extension [any ImageProcessor] {
    /// A border directly behind a shape follows that.
    fileprivate mutating func append(edit: any ImageProcessor) {
        guard let border = edit as? Border else { return append(edit) }
        let line = RoundCorners.Border(width: Double(border.width), color: border.color)
        switch last {
        case var shape as RoundCorners where shape.border == nil:
            shape.border = line
            self[count - 1] = shape
        case var shape as Circle where shape.border == nil:
            shape.border = line
            self[count - 1] = shape
        default: append(edit)
        }
    }
}
