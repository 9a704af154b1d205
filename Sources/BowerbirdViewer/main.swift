import GTKBridge
import Glibc

/// Tells what keeps the viewer from working, and ends it.
func stop(_ reason: String, status: Int32) -> Never {
    Console.complain(reason)
    exit(status)
}

let options: ViewerOptions
do { options = try ViewerOptions(arguments: CommandLine.arguments.dropFirst()) } catch { stop("\(error)", status: 2) }
if options.wantsHelp {
    Console.say(ViewerOptions.help)
    exit(0)
}

do {
    let application = try Application(id: "org.bowerbird.Viewer")
    let viewer = Viewer(options, application)
    application.run { _ in viewer.start() }
    exit(viewer.status)
} catch {
    stop("\(error)", status: 1)
}
