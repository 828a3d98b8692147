/* The arrow: a stepper with a home sensor. */
#ifndef SPINNER_H
#define SPINNER_H

#include <stdbool.h>
#include <stdint.h>

#include "parts.h"
#include "protocol.h"

void spinner_init(void);

/* These return a result. */
uint8_t spinner_set_sectors(const sectors_t *asked);
uint8_t spinner_home(void);
uint8_t spinner_spin(const spin_t *asked, uint16_t *steps);

void spinner_stop(stop_t why);
void spinner_poll(void);

bool spinner_turning(void);
bool spinner_overdue(void); /* it has turned for MOTOR_MAX_MS */
uint8_t spinner_state(void);
uint8_t spinner_sector(void);
uint16_t spinner_angle(void); /* 1/65536 turn from home */
uint8_t spinner_sectors(void);

/* From the interrupt: makes one step; returns the time to the next in 2 us, 0 if it was the last. */
uint16_t spinner_step(void);

#endif
