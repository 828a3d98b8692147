/* Events wait here until the host has acknowledged them. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stdint.h>

enum { EVENT_PAYLOAD = 6 };

typedef struct {
    uint8_t type;
    uint8_t size;
    uint8_t payload[EVENT_PAYLOAD];
    uint32_t at_us;
} event_t;

void events_init(void);

/* Puts an event at the end of the queue. If there is no room it is lost and counted; presses of
 * buttons leave room for the others. */
void events_add(uint8_t type, uint32_t at_us, const uint8_t *payload, uint8_t size);

/* The oldest event, or NULL. Its sequence is events_sequence(). */
const event_t *events_oldest(void);
uint8_t events_sequence(void);

/* Takes away the oldest event if it has this sequence; returns whether it had. */
bool events_acknowledge(uint8_t sequence);

uint8_t events_waiting(void);
uint16_t events_lost(void);

#endif
