/* How the arrow speeds up and slows down. */
#ifndef MOTION_H
#define MOTION_H

#include <stdint.h>

void motion_start(uint8_t profile);
void motion_start_homing(void);

/* The time to the next step in 2 us, when so many steps are left. */
uint16_t motion_next(uint16_t left);

/* The steps that it takes from here to a stand. */
uint16_t motion_steps_to_stand(void);

#endif
