/* The two buttons: the stamp is of the first contact, the press is believed when it has held. */
#ifndef BUTTONS_H
#define BUTTONS_H

#include <stdint.h>

void buttons_init(void);

/* From the interrupt: a button has made contact. */
void buttons_edge(uint8_t button, uint32_t at_us);

/* Once a millisecond. */
void buttons_poll(void);

/* Buttons held down, a bit each. */
uint8_t buttons_down(void);

#endif
