#pragma once
#include <xxhash.h>

// The header of the fastest that this processor can do: Debian's library has it, beside the plain one that the name
// without "dispatch" stands for.
#if defined(__x86_64__)
#include <xxh_x86dispatch.h>
static inline XXH64_hash_t bowerbird_xxh3(const void *bytes, size_t count) { return XXH3_64bits_dispatch(bytes, count); }
#else
static inline XXH64_hash_t bowerbird_xxh3(const void *bytes, size_t count) { return XXH3_64bits(bytes, count); }
#endif
