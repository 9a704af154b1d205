#pragma once
#include <glib-unix.h>

/* libdispatch's main queue, as CoreFoundation's run loop is given it: a descriptor that becomes readable when the
   queue has work, and the call that drains it. Both are exported by libdispatch and declared in none of its headers. */
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *_Nullable message);

/* Takes the wake-up out of the descriptor, so that work queued from now on makes it readable again. */
void bowerbird_main_queue_consume_wakeup(int descriptor);
