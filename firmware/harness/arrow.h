/* The arrow on its axle: turns with each step, carries the magnet past the sensor. */
#ifndef HARNESS_ARROW_H
#define HARNESS_ARROW_H

#include <stdint.h>

/* The driver gets a step while it has power. */
void arrow_step(void);

/* The next so many steps do nothing. */
void arrow_lose(int32_t steps);
/* Every so many steps one does nothing; 0: none is lost. */
void arrow_lose_every(int32_t steps);
/* Someone turns it by hand. */
void arrow_push(int32_t steps);

/* Steps beyond the place where the magnet comes into the sensor's sight. */
int64_t arrow_position(void);

/* Tells the machine what the sensor sees; to be called after a reset too. */
void arrow_sense(void);

#endif
