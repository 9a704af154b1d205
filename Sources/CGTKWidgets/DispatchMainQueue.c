#include "DispatchMainQueue.h"
#include <sys/eventfd.h>

void bowerbird_main_queue_consume_wakeup(int descriptor) {
    eventfd_t count;
    eventfd_read(descriptor, &count);
}
