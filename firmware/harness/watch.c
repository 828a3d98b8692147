#include "watch.h"

#include <stdlib.h>

static record_t *records, *taken;
static size_t used, room;
static uint32_t wanted;
static uint64_t counts[SIGNALS];

void watch(signal_t signal, uint32_t value) {
    counts[signal]++;
    if (!(wanted >> signal & 1)) return;
    if (used == room) {
        room = room ? 2 * room : 1024;
        records = realloc(records, room * sizeof *records);
        if (records == NULL) abort();
    }
    records[used++] = (record_t){machine_now(), value, (uint8_t)signal};
}

void watch_only(uint32_t mask) { wanted = mask; }

const record_t *watch_take(size_t *count) {
    free(taken);
    taken = records;
    *count = used;
    records = NULL;
    used = 0;
    room = 0;
    return taken;
}

uint64_t watch_count(signal_t signal) { return counts[signal]; }
