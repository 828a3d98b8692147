/* The box's parts together: what is active, and how they are stopped. */
#ifndef PARTS_H
#define PARTS_H

#include <stdint.h>

/* Why parts are stopped. */
typedef enum { STOP_CANCELLED, STOP_LINK_LOST, STOP_TIME_LIMIT } stop_t;

uint8_t parts_active(void);

/* Stops those of `parts` that are active; returns them. */
uint8_t parts_stop(uint8_t parts, stop_t why);

#endif
