/* The serial line between host and box at 115200 baud: ten bits a byte, one byte after the other. */
#ifndef HARNESS_LINE_H
#define HARNESS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The host sends. */
void line_write(const uint8_t *bytes, size_t count);

/* The machine sends a byte now, which takes `byte_ns`; it starts when the one before it is over. */
void line_send(uint8_t byte, uint64_t byte_ns);

/* When the last byte that the machine has sent is over. */
uint64_t line_busy_until(void);

/* Runs the machine until then; or, if asked to, until a frame's end has reached the host. */
void line_run(uint64_t until_ns, bool until_frame);

/* Takes at most `room` bytes that have reached the host; returns how many. */
size_t line_read(uint8_t *bytes, size_t room);

/* For the machine while it advances: when it must stop at the latest. */
uint64_t line_deadline(void);

#endif
