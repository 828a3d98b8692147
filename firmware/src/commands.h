/* What each command does. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include <stdint.h>

#include "frame.h"

/* Result and detail come before a reply's fields. */
enum { REPLY_HEAD = 2, REPLY_MAX = REPLY_HEAD + STATUS_REPLY_SIZE };

/* Does a command; writes the reply's fields to `fields`, and their size. Returns a result. */
uint8_t commands_do(const frame_t *frame, uint32_t received_us, uint8_t *fields, uint8_t *size,
                    uint8_t *detail);

/* Writes into the fields of a reply to PING that it leaves now. */
void commands_stamp_ping(uint8_t *fields);

#endif
