import Bowerbird
import FoundationEssentials

/// `bowerbird cache`: what a disk cache holds, and what becomes of it.
struct Cache: Command {
    let action: Action
    let folder: String
    let printsJSON: Bool

    /// It opens the folder itself, and only where there is one.
    var cache: CacheChoice { .none }

    enum Action: Equatable, Sendable {
        case stats
        case list(DiskCache.Query, limit: Int)
        case get(String, output: String)
        case remove([String], DiskCache.Query)
        case clear
        case trim(byteCount: Int)
        case verify
    }

    static let syntax = CommandSyntax(
        name: "cache", summary: "look at a disk cache and change it", operands: "ACTION",
        usage: "stats|list|get|remove|clear|trim|verify",
        options: [
            .host, .prefix, .tag, .olderThan, .unusedFor, .pinned, .limit, .to, .outputFile, .cache, .json,
        ],
        notes: """
            stats           what it holds and takes
            list            the files in it, the one used last first, by the filters --host,
                            --prefix, --tag, --older-than, --unused-for and --pinned
            get URL -o FILE write the file of an address
            remove URL...   the files of addresses, with all that was made of them
            remove FILTER   the files that all of the filters mean; pinned ones only with
                            --pinned
            clear           everything, pinned files as well
            trim --to SIZE  the files used longest ago, until the rest takes no more
            verify          read every file, and remove those that are damaged

            An age is a number of seconds, minutes, hours, days or weeks: 90s, 30m, 12h, 7d,
            2w. A size is 500k, 100MB or 2G. A folder that is no cache is left alone. The
            exit status of verify is 1 when something was damaged.
            """)

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let word = arguments.operands.first else { throw Self.syntax.problem("cache wants to know what to do") }
        guard let name = Name(rawValue: word) else { throw Self.syntax.problem("there is no 'cache \(word)'") }
        try name.check(arguments)
        action = try Action(name, arguments)
        folder = arguments["--cache"] ?? DiskCache.defaultFolder()
        printsJSON = arguments.contains("--json")
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitStatus {
        guard DiskCache.exists(in: folder) else { throw Failure(noCacheIn: folder) }
        // What another program keeps is not to be judged by our limits.
        let cache = DiskCache(.init(folder: folder, limits: .init(byteCount: .max))) { warning in
            context.console.printError("bowerbird: warning: \("\(warning)".printable)")
        }
        let status = try await run(on: cache, in: context)
        await cache.flush()
        return status
    }

    private func run(on cache: DiskCache, in context: CommandContext) async throws(Failure) -> ExitStatus {
        let report = CacheReport(console: context.console, printsJSON: printsJSON)
        switch action {
        case .stats: report.show(await cache.statistics, of: folder)
        case .list(let query, let limit): report.show(await cache.list(query, limit: limit))
        case .get(let address, let output): try await get(address, output, cache, context, report)
        case .remove(let addresses, let query): return await remove(addresses, query, cache, report)
        case .clear: report.showRemoval(of: await cache.clearing { await $0.removeAll() })
        case .trim(let byteCount):
            report.showRemoval(of: await cache.clearing { await $0.trim(toByteCount: byteCount) })
        case .verify: return await verify(cache, context, report)
        }
        return .success
    }
}

extension Cache {
    private func get(
        _ address: String, _ output: String, _ cache: DiskCache, _ context: CommandContext, _ report: CacheReport
    ) async throws(Failure) {
        guard let entry = await cache.entry(ofAddress: address) else {
            throw Failure(address: address, reason: "it is not in the cache", stage: .loading, kind: "not-cached")
        }
        do throws(OutputError) {
            try OutputFile(output, context.partialFiles).write(entry.data)
        } catch {
            throw Failure(error, address)
        }
        report.showCopy(of: entry, address, in: output)
    }

    private func remove(
        _ addresses: [String], _ query: DiskCache.Query, _ cache: DiskCache, _ report: CacheReport
    ) async -> ExitStatus {
        var count = addresses.isEmpty ? await cache.remove(query) : 0
        for address in addresses {
            let removed = await cache.remove(address: address)
            if removed == 0 { report.showMissing(address) }
            count += removed
        }
        report.showRemoval(of: count)
        return addresses.isEmpty || count > 0 ? .success : .failure
    }

    private func verify(_ cache: DiskCache, _ context: CommandContext, _ report: CacheReport) async -> ExitStatus {
        let result = await cache.verify { checked, total in
            context.console.show(
                TransferProgress(received: checked, total: total), of: 0, named: "verifying", counting: .files)
        }
        context.console.removeBar(of: 0)
        report.show(result)
        return result.isSound ? .success : .failure
    }
}

extension Failure {
    fileprivate init(noCacheIn folder: String) {
        let reason = isFolder(folder) ? "this folder is no disk cache" : "there is no such folder"
        self.init(address: folder, reason: reason, stage: .request, kind: "no-cache")
    }
}
