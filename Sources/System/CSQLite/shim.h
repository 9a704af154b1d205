#pragma once
#include <sqlite3.h>

// Swift cannot import the casts behind SQLITE_TRANSIENT and SQLITE_STATIC.

// SQLite copies `text`; an empty one may be NULL and is still a text.
static inline int bowerbird_sqlite3_bind_copied_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text ? text : "", count, SQLITE_TRANSIENT);
}

// SQLite reads `bytes` in place: they must live until the binding is cleared.
static inline int bowerbird_sqlite3_bind_borrowed_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                                       int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_STATIC);
}

// SQLite copies `bytes`.
static inline int bowerbird_sqlite3_bind_copied_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
