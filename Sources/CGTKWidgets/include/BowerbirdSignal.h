#pragma once
#include <glib-object.h>

/* One marshaller for every signal: `handler` gets the arguments as GObject holds them, the emitter first. */
typedef void (*BowerbirdSignalHandler)(void *_Nonnull context, GValue *_Nullable result,
                                       unsigned count, const GValue *_Nonnull arguments);

/* `release` is called once, when the closure is finalised: on disconnecting, or with the emitter.
   Returns 0 when the object has no such signal; `release` has then been called. */
unsigned long bowerbird_signal_connect(void *_Nonnull emitter, const char *_Nonnull signal, void *_Nonnull context,
                                       BowerbirdSignalHandler _Nonnull handler,
                                       void (*_Nonnull release)(void *_Nonnull context));
