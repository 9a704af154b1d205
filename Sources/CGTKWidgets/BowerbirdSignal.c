#include "BowerbirdSignal.h"

typedef struct {
    GClosure closure;
    BowerbirdSignalHandler handler;
    void (*release)(void *context);
} SignalClosure;

static void marshal(GClosure *closure, GValue *result, guint count, const GValue *arguments, gpointer hint,
                    gpointer marshal_data) {
    ((SignalClosure *)closure)->handler(closure->data, result, count, arguments);
}

static void finalized(gpointer context, GClosure *closure) { ((SignalClosure *)closure)->release(context); }

unsigned long bowerbird_signal_connect(void *emitter, const char *signal, void *context,
                                       BowerbirdSignalHandler handler, void (*release)(void *context)) {
    GClosure *closure = g_closure_new_simple(sizeof(SignalClosure), context);
    ((SignalClosure *)closure)->handler = handler;
    ((SignalClosure *)closure)->release = release;
    g_closure_add_finalize_notifier(closure, context, finalized);
    g_closure_set_marshal(closure, marshal);
    g_closure_ref(closure);
    g_closure_sink(closure);
    unsigned long identifier = g_signal_connect_closure(emitter, signal, closure, FALSE);
    g_closure_unref(closure);
    return identifier;
}
