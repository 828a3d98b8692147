/* The whole box. */
#ifndef BOX_H
#define BOX_H

#include <stdbool.h>
#include <stdint.h>

/* Starts all parts in their safe state; an hourglass from before a reset that took `away_ms` runs
 * on if `may_resume`. */
void box_init(bool may_resume, uint16_t away_ms);

/* To be called after every interrupt. */
void box_poll(void);

#endif
