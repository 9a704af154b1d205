// bowerbird-sweep: feeds every file of a folder to the decoders, cut short and with bits turned over. Each attempt must
// end in a picture or in a typed error, within the limits of time and memory; everything else is a finding, printed with
// what it takes to repeat it.
//
//     bowerbird-sweep FOLDER [--cuts 200] [--flips 2000] [--seed 1] [--seconds N] [--state FILE] [--table FILE]
//     bowerbird-sweep FOLDER --one NAME [--seed 1] [--cuts 200] [--flips 2000] --index N      repeats one attempt
//
// With --seconds it goes round and round, a little of every file each time, until the time is up; with --state it goes
// on where it was stopped. The files are decoded in processes of their own, so that a crash costs one attempt. The status
// is 0 where all attempts were made and nothing was found.

import Foundation

let arguments = Arguments(CommandLine.arguments.dropFirst())
if let work = SweepWork(arguments) { exit(work.run()) }
guard let sweep = Sweep(arguments) else {
    FileHandle.standardError.write(
        Data("usage: bowerbird-sweep FOLDER [--cuts N] [--flips N] [--seed S] [--seconds N]\n".utf8))
    exit(2)
}
// A process that has died is found by what it does not say.
signal(SIGPIPE, SIG_IGN)
exit(sweep.run() ? 0 : 1)
