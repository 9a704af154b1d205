#pragma once
// The calls in three steps are old and not going away; the one in their place looks its algorithm up anew each time, which
// takes six times as long as hashing an address.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

static inline void bowerbird_sha256(const void *bytes, size_t count, unsigned char digest[SHA256_DIGEST_LENGTH]) {
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, bytes, count);
    SHA256_Final(digest, &context);
}
