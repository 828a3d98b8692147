#include "line.h"

#include <stdlib.h>
#include <string.h>

#include "machine.h"

enum { BIT_HZ = 115200, BITS = 10 };
static const uint64_t BYTE_NS = (uint64_t)BITS * 1000000000 / BIT_HZ;

typedef struct {
    uint64_t at_ns; /* when it has arrived */
    uint8_t byte;
} arrival_t;

typedef struct {
    arrival_t *items;
    size_t first, count, room;
} queue_t;

static queue_t to_box, to_host;
static uint64_t to_box_busy, to_host_busy, deadline;
static bool stop_at_frame;

static void put(queue_t *q, arrival_t item) {
    if (q->first > 4096 && q->first * 2 > q->count) {
        q->count -= q->first;
        memmove(q->items, q->items + q->first, q->count * sizeof *q->items);
        q->first = 0;
    }
    if (q->count == q->room) {
        q->room = q->room ? 2 * q->room : 256;
        q->items = realloc(q->items, q->room * sizeof *q->items);
        if (q->items == NULL) abort();
    }
    q->items[q->count++] = item;
}

static const arrival_t *next(const queue_t *q) {
    return q->first < q->count ? &q->items[q->first] : NULL;
}

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

void line_write(const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        to_box_busy = later(to_box_busy, machine_now()) + BYTE_NS;
        put(&to_box, (arrival_t){to_box_busy, bytes[i]});
    }
}

void line_send(uint8_t byte, uint64_t byte_ns) {
    to_host_busy = later(to_host_busy, machine_now()) + byte_ns;
    put(&to_host, (arrival_t){to_host_busy, byte});
    if (stop_at_frame && byte == 0 && to_host_busy < deadline) deadline = to_host_busy;
}

uint64_t line_busy_until(void) { return to_host_busy; }

uint64_t line_deadline(void) { return deadline; }

void line_run(uint64_t until_ns, bool until_frame) {
    deadline = until_ns;
    stop_at_frame = until_frame;
    for (size_t i = to_host.first; until_frame && i < to_host.count; i++) {
        if (to_host.items[i].byte != 0) continue;
        if (to_host.items[i].at_ns < deadline) deadline = later(to_host.items[i].at_ns, machine_now());
        break;
    }
    while (machine_now() < deadline) {
        const arrival_t *arrival = next(&to_box);
        if (arrival && arrival->at_ns <= deadline) {
            machine_advance(arrival->at_ns);
            if (machine_now() < arrival->at_ns) continue; /* the deadline has come nearer */
            to_box.first++;
            machine_receive(arrival->byte);
        } else {
            machine_advance(deadline);
        }
    }
    stop_at_frame = false;
}

size_t line_read(uint8_t *bytes, size_t room) {
    size_t count = 0;
    const arrival_t *arrival;
    while (count < room && (arrival = next(&to_host)) && arrival->at_ns <= machine_now()) {
        bytes[count++] = arrival->byte;
        to_host.first++;
    }
    return count;
}
