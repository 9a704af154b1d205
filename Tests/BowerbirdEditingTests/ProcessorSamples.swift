import BowerbirdEditing

/// Parameter sets, no two of which do the same.
enum ProcessorSamples {}
