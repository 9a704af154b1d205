#pragma once
#include <glib-object.h>

/* A GObject and its peer (an object of another language) keep each other alive without a cycle:
   the peer owns one toggle reference, and while anybody else holds the GObject, the GObject retains its peer.
   So whoever holds either has both, and when the last outsider lets go of both, both are freed.
   Main thread only, one peer an object. */

/* Turns the one reference that the caller owns into the peer's. */
void bowerbird_peer_attach(void *_Nonnull object, void *_Nonnull peer, void (*_Nonnull retain)(void *_Nonnull peer),
                           void (*_Nonnull release)(void *_Nonnull peer));

/* The peer is going away: turns its reference back into one that the caller owns. */
void bowerbird_peer_detach(void *_Nonnull object);

/* NULL when the object has no peer, or none any more. */
void *_Nullable bowerbird_peer_of(void *_Nonnull object);
