import Glibc

let status = await CommandLineProgram().run(Array(CommandLine.arguments.dropFirst()))
exit(status.rawValue)
