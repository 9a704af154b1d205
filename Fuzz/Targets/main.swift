// bowerbird-fuzz: libFuzzer over the parsers of this project. Which one, `FUZZ_TARGET` says; `Scripts/fuzz` builds and
// runs it.

import Glibc

/// Of libFuzzer, which comes with the compiler's `-sanitize=fuzzer` and has no header.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

guard let name = getenv("FUZZ_TARGET"), let chosen = FuzzTarget(rawValue: String(cString: name)) else {
    print("FUZZ_TARGET is one of: " + FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))
    exit(2)
}
FuzzTarget.current = chosen
var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
    runFuzzer(&count, &arguments) { start, count in
        FuzzTarget.current.run(UnsafeRawBufferPointer(start: start, count: count).bytes)
        return 0
    })
