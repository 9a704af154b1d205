#include "BowerbirdPeer.h"

typedef struct {
    void *peer; /* NULL while attaching and after detaching: toggles are then nobody's business */
    void (*retain)(void *peer);
    void (*release)(void *peer);
} Link;

static G_DEFINE_QUARK(bowerbird-peer, link)

static void toggled(gpointer data, GObject *object, gboolean only_the_peer_holds_it) {
    Link *link = data;
    if (link->peer == NULL) return;
    /* Releasing may free the peer, with it the object, with it the link: nothing may follow. */
    (only_the_peer_holds_it ? link->release : link->retain)(link->peer);
}

void bowerbird_peer_attach(void *object, void *peer, void (*retain)(void *peer), void (*release)(void *peer)) {
    Link *link = g_new(Link, 1);
    *link = (Link){.peer = NULL, .retain = retain, .release = release};
    g_object_set_qdata_full(object, link_quark(), link, g_free);
    g_object_add_toggle_ref(object, toggled, link);
    g_object_unref(object);
    link->peer = peer;
    /* GTK already holds a new window: no toggle will say so. */
    if (g_atomic_int_get(&G_OBJECT(object)->ref_count) > 1) retain(peer);
}

void bowerbird_peer_detach(void *object) {
    Link *link = g_object_get_qdata(object, link_quark());
    link->peer = NULL;
    g_object_ref(object);
    g_object_remove_toggle_ref(object, toggled, link);
}

void *bowerbird_peer_of(void *object) {
    Link *link = g_object_get_qdata(object, link_quark());
    return link ? link->peer : NULL;
}
