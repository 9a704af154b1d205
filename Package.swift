// swift-tools-version: 6.2
import PackageDescription

/// One row a C library: the trait that turns it on, the C module it needs, and where that comes from.
/// A format is one row here (two where it takes two libraries), one `Sources/System/C…` folder, one
/// `Sources/BowerbirdCodecs/…` folder and its tests. GIF, BMP, ICO and QOI need no library and have no trait.
let formats: [(trait: String, module: String, pkgConfig: String, apt: String)] = [
    ("JPEG", "CJPEG", "libjpeg", "libjpeg62-turbo-dev"),
    ("PNG", "CPNG", "libpng", "libpng-dev"),
    ("PNG", "CDeflate", "libdeflate", "libdeflate-dev"),
    ("WebP", "CWebP", "libwebpdemux", "libwebp-dev"),
    ("AVIF", "CAVIF", "libavif", "libavif-dev"),
    ("HEIF", "CHEIF", "libheif", "libheif-dev"),
    ("JXL", "CJXL", "libjxl", "libjxl-dev"),
    ("TIFF", "CTIFF", "libtiff-4", "libtiff-dev"),
    ("SVG", "CRSVG", "librsvg-2.0", "librsvg2-dev"),
    ("ICC", "CLCMS", "lcms2", "liblcms2-dev"),
]

let base: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
/// For modules of our own logic; off where nearly every line calls C and the marks would only be noise.
let strict = base + [.strictMemorySafety()]
/// For everything that touches GTK.
let onMainActor = base + [.defaultIsolation(MainActor.self)]

func system(_ name: String, _ pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
    name: "Bowerbird",
    products: [
        .library(name: "Bowerbird", targets: ["Bowerbird"]),
        .library(name: "BowerbirdGTK", targets: ["BowerbirdGTK"]),
        .library(name: "BowerbirdTestSupport", targets: ["BowerbirdTestSupport"]),
        .executable(name: "bowerbird", targets: ["BowerbirdCLI"]),
        .executable(name: "bowerbird-viewer", targets: ["BowerbirdViewer"]),
        .executable(name: "bowerbird-bench", targets: ["Benchmarks"]),
    ],
    traits: Set(Set(formats.map(\.trait)).map { .trait(name: $0, description: "\($0), through a system library") })
        .union([.default(enabledTraits: Set(formats.map(\.trait)))]),
    targets: formats.map { system($0.module, $0.pkgConfig, apt: $0.apt) } + [
        system("CSQLite", "sqlite3", apt: "libsqlite3-dev"),
        system("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
        system("CCrypto", "libcrypto", apt: "libssl-dev"),
        system("CXXHash", "libxxhash", apt: "libxxhash-dev"),
        system("CGTK", "gtk4", apt: "libgtk-4-dev"),

        .target(name: "CKernels", linkerSettings: [.linkedLibrary("m")]),
        .target(name: "BowerbirdCore", swiftSettings: strict),
        .target(name: "BowerbirdRaster", dependencies: ["BowerbirdCore", "CKernels"], swiftSettings: strict),
        .target(
            name: "BowerbirdCodecs",
            dependencies: ["BowerbirdCore", "BowerbirdRaster"]
                + formats.map { .target(name: $0.module, condition: .when(traits: [$0.trait])) },
            swiftSettings: base),
        .target(name: "BowerbirdEditing", dependencies: ["BowerbirdCore", "BowerbirdRaster"], swiftSettings: strict),
        .target(
            name: "BowerbirdLoading",
            dependencies: ["BowerbirdCore", "CSQLite", "CCurl", "CCrypto", "CXXHash"], swiftSettings: strict),
        .target(
            name: "Bowerbird", dependencies: ["BowerbirdLoading", "BowerbirdCodecs", "BowerbirdEditing"],
            swiftSettings: strict),

        .target(name: "CGTKWidgets", dependencies: ["CGTK"]),
        .target(name: "GTKBridge", dependencies: ["CGTK", "CGTKWidgets"], swiftSettings: onMainActor),
        .target(name: "BowerbirdGTK", dependencies: ["Bowerbird", "GTKBridge"], swiftSettings: onMainActor),

        .executableTarget(name: "BowerbirdCLI", dependencies: ["Bowerbird"], swiftSettings: strict),
        .executableTarget(name: "BowerbirdViewer", dependencies: ["BowerbirdGTK"], swiftSettings: onMainActor),
        .executableTarget(
            name: "CustomParts", dependencies: ["Bowerbird"], path: "Examples/CustomParts", swiftSettings: base),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["Bowerbird", "BowerbirdTestSupport", "BowerbirdRaster", "GIFLibrary", "CSQLite"]
                + formats.map { .target(name: $0.module, condition: .when(traits: [$0.trait])) },
            path: "Benchmarks", exclude: ["GIFLibrary"], swiftSettings: base),
        // Declarations only: giflib is what the benchmarks compare with, and they load it while running.
        .systemLibrary(name: "GIFLibrary", path: "Benchmarks/GIFLibrary"),
        // Not a product: what checks the decoders with spoilt files.
        .executableTarget(
            name: "bowerbird-sweep", dependencies: ["Bowerbird"], path: "Fuzz/Sweep", swiftSettings: base),

        .target(
            name: "BowerbirdTestSupport", dependencies: ["BowerbirdLoading", "BowerbirdCore"], swiftSettings: strict),
        .testTarget(
            name: "BowerbirdCoreTests", dependencies: ["BowerbirdCore", "BowerbirdTestSupport"], swiftSettings: base),
        .testTarget(
            name: "BowerbirdRasterTests", dependencies: ["BowerbirdRaster", "CKernels"], swiftSettings: base),
        .testTarget(
            name: "BowerbirdCodecsTests", dependencies: ["BowerbirdCodecs", "BowerbirdTestSupport"],
            swiftSettings: base),
        .testTarget(
            name: "BowerbirdEditingTests", dependencies: ["BowerbirdEditing", "BowerbirdTestSupport"],
            swiftSettings: base),
        .testTarget(
            name: "BowerbirdLoadingTests", dependencies: ["Bowerbird", "BowerbirdTestSupport"], swiftSettings: base),
        .testTarget(
            name: "BowerbirdCLITests", dependencies: ["BowerbirdCLI", "BowerbirdTestSupport"], swiftSettings: base),
        .testTarget(
            name: "BowerbirdGTKTests", dependencies: ["BowerbirdGTK", "BowerbirdViewer", "BowerbirdTestSupport"],
            swiftSettings: onMainActor),
        .testTarget(
            name: "DocumentationTests", dependencies: ["Bowerbird", "BowerbirdGTK", "BowerbirdTestSupport"],
            swiftSettings: base),
    ],
    swiftLanguageModes: [.v6]
)

// Only for `Scripts/fuzz`: its main function comes with the fuzzer.
if Context.environment["BOWERBIRD_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "bowerbird-fuzz", dependencies: ["BowerbirdCodecs", "CDeflate"], path: "Fuzz/Targets",
            swiftSettings: base))
}
