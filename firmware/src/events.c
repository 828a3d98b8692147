#include "events.h"

#include <stddef.h>
#include <string.h>

#include "protocol.h"

/* Presses may fill all but the last places, so that the end of an hourglass always finds one. */
enum { PLACES = 12, PLACES_FOR_PRESSES = 7 };

static event_t queue[PLACES];
static uint8_t first, waiting, sequence;
static uint16_t lost;

void events_init(void) {
    first = 0;
    waiting = 0;
    sequence = 1;
    lost = 0;
}

void events_add(uint8_t type, uint32_t at_us, const uint8_t *payload, uint8_t size) {
    if (waiting >= (type == TYPE_PRESSED ? PLACES_FOR_PRESSES : PLACES)) {
        if (lost < UINT16_MAX) lost++;
        return;
    }
    event_t *event = &queue[(first + waiting) % PLACES];
    waiting++;
    event->type = type;
    event->at_us = at_us;
    event->size = size;
    memcpy(event->payload, payload, size);
}

const event_t *events_oldest(void) { return waiting ? &queue[first] : NULL; }

uint8_t events_sequence(void) { return sequence; }

bool events_acknowledge(uint8_t acknowledged) {
    if (!waiting || acknowledged != sequence) return false;
    first = (uint8_t)((first + 1) % PLACES);
    waiting--;
    sequence++;
    return true;
}

uint8_t events_waiting(void) { return waiting; }

uint16_t events_lost(void) { return lost; }
