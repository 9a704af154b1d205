// A pipeline of parts of one's own: where bytes come from, which format they have, where they are kept, and who looks
// on. Run it with `swift run CustomParts`.

import Bowerbird

/// Says what happens on the way.
struct Narrator: PipelineObserver {
    func receive(_ event: PipelineEvent) {
        switch event {
        case .ended(let stage, _, _, nil): print("    \(stage.rawValue) is done")
        case .ended(let stage, _, _, _?): print("    \(stage.rawValue) failed")
        case .memoryLookup(true, _): print("    it was in memory")
        case .diskLookup(let byteCount?, _): print("    a file of \(byteCount) bytes was kept")
        default: break
        }
    }
}

// What is added last is asked first, and everything else is left to those who were there.
var loader = LoaderChain([SourceLoader()])
loader.add(DrawingLoader())
var codecs = CodecSet.builtIn
codecs.add(FlatDecoder())

let memory = Pictures()
var configuration = ImagePipeline.Configuration(
    loader: loader, codecs: codecs, imageCache: memory, dataCache: Files())
configuration.observers = [Narrator()]
let pipeline = ImagePipeline(configuration)

func show(_ address: String) async {
    print(address)
    do {
        let response = try await pipeline.response(for: ImageRequest(ImageSource(address)))
        let pixel = response.image.bitmap.withRow(0) { row in
            row.withUnsafeBytes { bytes in (0..<3).map { bytes[$0] } }
        }
        print("  \(response.image.size) from \(response.origin.rawValue), blue-green-red \(pixel)")
    } catch {
        print("  \(error)")
    }
}

await show("made://8x4/ff8800")
await show("made://8x4/ff8800")
await show("https://made.example/2x2/0000ff")
memory.removeAll()
await show("https://made.example/2x2/0000ff")
await show("made://8x4/purple")
await show("other://8x4/ff8800")
