/// Files whose pixels are not the expected ones, each with the reason. What is not here must pass, and what is here must
/// not: a fault that was mended, here or in a newer library, leaves the list.
enum KnownDeviations {
    static let reasons = Dictionary(
        uniqueKeysWithValues: plumBlossoms.map { ("avif/plum-blossom-small.\($0).avif", twoAssociations) } + others)

    private static let twoAssociations = "libavif refuses two `ipma` boxes of one kind, which the standard forbids"

    private static let plumBlossoms = [
        "profile0.8bpc.yuv420.alpha-full", "profile0.8bpc.yuv420.alpha-full.monochrome",
        "profile0.8bpc.yuv420.alpha-limited", "profile0.8bpc.yuv420.alpha-limited.monochrome",
        "profile1.8bpc.yuv444.alpha-full", "profile1.8bpc.yuv444.alpha-limited",
    ]

    private static let others = [
        ("jxl/cmyk_layers/input.jxl", "libjxl 0.7 gives the inks, whose profile is not applied"),
        ("jxl/noise/input.jxl", "libjxl 0.7 makes another noise than the reference; the picture below it is equal"),
    ]
}
