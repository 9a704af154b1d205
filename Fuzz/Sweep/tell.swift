import Foundation

/// Prints a line at once: what is still in a buffer when the process dies is lost.
func tell(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
