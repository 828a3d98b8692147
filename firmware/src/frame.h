/* Frames on the line: COBS with a CRC. */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

/* Sequence, type and CRC; and what COBS and the end of the frame add. */
enum { FRAME_OVERHEAD = 4, FRAME_RAW = MAX_PAYLOAD + FRAME_OVERHEAD, FRAME_LINE = FRAME_RAW + 2 };

typedef struct {
    uint8_t sequence;
    uint8_t type;
    uint8_t size;
    const uint8_t *payload;
} frame_t;

void frame_init(void);

/* Takes the next byte of the line; true if it ended a good frame, which stays until the next call. */
bool frame_byte(uint8_t byte, frame_t *frame);

/* Frames that were dropped. */
uint16_t frame_bad(void);

/* Sends a frame if there is room for it; returns whether there was. */
bool frame_send(const frame_t *frame);

#endif
