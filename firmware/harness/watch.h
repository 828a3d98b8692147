/* Writes down what the outputs do. */
#ifndef HARNESS_WATCH_H
#define HARNESS_WATCH_H

#include <stddef.h>
#include <stdint.h>

#include "machine.h"

typedef struct __attribute__((packed)) {
    uint64_t at_ns;
    uint32_t value;
    uint8_t signal;
} record_t;

/* The machine tells each change here. */
void watch(signal_t signal, uint32_t value);

/* Which signals are written down from now on, a bit each. */
void watch_only(uint32_t mask);

/* All records since the last call; they stay until the next. */
const record_t *watch_take(size_t *count);

/* How often each signal has changed, written down or not. */
uint64_t watch_count(signal_t signal);

#endif
