// One import for the whole of loading: values, codecs, edits and the pipeline.
@_exported public import BowerbirdCodecs
@_exported public import BowerbirdCore
@_exported public import BowerbirdEditing
@_exported public import BowerbirdLoading
