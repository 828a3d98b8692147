/* The wiring: see README.md. */
#ifndef PINS_H
#define PINS_H

#include <avr/io.h>

/* Port D. RX and TX are bits 0 and 1. */
#define STOP_PIN PD2   /* D2, INT0, to ground while pressed */
#define JUDGE_PIN PD3  /* D3, INT1, to ground while pressed */
#define STEP_PIN PD4   /* D4, to STEP of the driver: a step at each rising edge */
#define ENABLE_PIN PD5 /* D5, to EN of the driver: low is on */
#define RING_PIN PD6   /* D6, to the ring's data input */
#define HOME_PIN PD7   /* D7, from the Hall sensor: low at the magnet */

/* Port B. */
#define PIEZO_PIN PB1 /* D9, OC1A */

#endif
