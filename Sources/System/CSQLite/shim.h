#pragma once
#include <sqlite3.h>

// Swift cannot import the casts behind SQLITE_TRANSIENT and SQLITE_STATIC.

// SQLite copies `text`; an empty one may be NULL and is still a text.
static inline int bowerbird_sqlite3_bind_copied_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text ? text : "", count, SQLITE_TRANSIENT);
}

// SQLite reads `text` in place: it must live until the binding is cleared.
static inline int bowerbird_sqlite3_bind_borrowed_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text ? text : "", count, SQLITE_STATIC);
}

// The number of pages in the log that are not in the database yet: by the fifth word of the index of the log less the
// twenty-fifth, as "WAL-mode File Format" of SQLite's documentation has them (mxFrame and nBackfill). The memory is SQLite's own map of it, which the connection has made before.
static inline int bowerbird_sqlite3_log_page_count(sqlite3 *database, unsigned int *count) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK || !file || !file->pMethods || file->pMethods->iVersion < 2) return SQLITE_ERROR;
    void volatile *index = 0;
    code = file->pMethods->xShmMap(file, 0, 32768, 0, &index);
    if (code != SQLITE_OK || !index) return SQLITE_ERROR;
    const volatile unsigned int *words = (const volatile unsigned int *)index;
    unsigned int pages = words[4], done = words[24];
    *count = pages > done ? pages - done : 0;
    return SQLITE_OK;
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
