import BowerbirdLoading
import FoundationEssentials
import Testing

struct DataURLLoaderTests {
    @Test(arguments: [
        ("data:image/png;base64,iVBORw==", [0x89, 0x50, 0x4E, 0x47] as [UInt8]),
        ("data:;base64,iVBORw", [0x89, 0x50, 0x4E, 0x47]),
        ("DATA:image/png;charset=x;BASE64,iVBORw%3D%3D", [0x89, 0x50, 0x4E, 0x47]),
        ("data:;base64,iVB%20OR%0Aw", [0x89, 0x50, 0x4E, 0x47]),
        ("data:;base64,", []),
        ("data:,", []),
        ("data:text/plain,a%20%FFb", [0x61, 0x20, 0xFF, 0x62]),
        ("data:,a?b=c,d#fragment", [UInt8]("a?b=c,d".utf8)),
        ("data:base64,QUI", [UInt8]("QUI".utf8)),
    ])
    func theBytesAreInTheAddress(_ address: String, _ expected: [UInt8]) async throws {
        let url = try #require(URL(string: address))
        let response = try await DataURLLoader().response(from: url)
        #expect(response.head.url == url)
        #expect(response.head.expectedByteCount == expected.count)
        #expect(try await response.body.allBytes() == expected)
    }

    @Test(arguments: ["data:", "data:image/png;base64", "data:image/png"])
    func withoutACommaItIsNotWellFormed(_ address: String) async throws {
        let url = try #require(URL(string: address))
        await #expect(throws: LoadingError.invalidDataURL("it has no comma")) {
            try await DataURLLoader().bytes(from: url)
        }
    }

    @Test(arguments: ["A", "A===", "QU!I", "Q=UI", "QUJD="])
    func damagedBase64IsNotWellFormed(_ text: String) async throws {
        let url = try #require(URL(string: "data:;base64,\(text)"))
        await #expect(throws: LoadingError.invalidDataURL("its base64 is damaged")) {
            try await DataURLLoader().bytes(from: url)
        }
    }

    @Test func moreBytesThanAllowedAreRefused() async throws {
        let url = try #require(URL(string: "data:,12345"))
        await #expect(throws: LoadingError.tooLarge(maximumByteCount: 4)) {
            try await DataURLLoader().response(for: DataRequest(url: url, maximumByteCount: 4))
        }
    }

    @Test func anotherSchemeIsRefused() async throws {
        let url = try #require(URL(string: "http://a/,b"))
        await #expect(throws: LoadingError.unsupportedScheme("http")) { try await DataURLLoader().bytes(from: url) }
    }
}
