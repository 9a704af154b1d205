import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite struct ProcessMemoryTests {
    @Test func theTightestGroupOnTheWayCounts() throws {
        let root = try TemporaryDirectory()
        try root.write("900\n", to: "memory.max")
        try root.write("500\n", to: "user/memory.max")
        try root.write("max\n", to: "user/app/memory.max")
        #expect(ProcessMemory.controlGroupLimit(root: root.path, membership: "0::/user/app\n") == 500)
        #expect(ProcessMemory.controlGroupLimit(root: root.path, membership: "0::/\n") == 900)
    }

    @Test func noGroupIsNoLimit() throws {
        let root = try TemporaryDirectory()
        #expect(ProcessMemory.controlGroupLimit(root: root.path, membership: "0::/user/app\n") == nil)
        #expect(ProcessMemory.controlGroupLimit(root: root.path, membership: "4:memory:/user\n") == nil)
        #expect(ProcessMemory.controlGroupLimit(root: root.path, membership: "") == nil)
    }

    @Test func thisMachineHasMemoryAndTheDefaultIsAPartOfIt() {
        #expect(ProcessMemory.limit > 64 << 20)
        #expect(MemoryCache.Limits.defaultCost < ProcessMemory.limit / 6)
        #expect(MemoryCache.Limits.defaultCost <= 768 << 20)
    }
}
