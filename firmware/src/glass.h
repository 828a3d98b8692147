/* The hourglass: runs, ticks, ends and sounds by itself. */
#ifndef GLASS_H
#define GLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

/* What must outlive a reset; lies where a start does not clear it. */
typedef struct {
    hourglass_t asked;
    uint32_t total_ms;      /* by the box's clock */
    uint32_t left_ms;       /* by the box's clock, kept up to date while it runs */
    uint32_t left_inverted; /* ~left_ms, or nothing here is to be trusted */
    uint16_t check;         /* of asked and total_ms */
    bool interrupted;
} glass_kept_t;

/* Starts idle; or, if `may_resume`, with the hourglass that ran before the reset, which took
 * `away_ms`. Returns whether one runs on. */
bool glass_init(bool may_resume, uint16_t away_ms);

/* Starts one; returns when it began. */
uint32_t glass_start(const hourglass_t *asked);
void glass_cancel(void);
void glass_poll(void);

/* It runs, or its end still sounds. */
bool glass_active(void);
void glass_look(glass_reply_t *is);

/* For the ring. What is left in 1/16 LEDs, rounded up; whether its last seconds tick; whether it
 * ended less than three seconds ago. */
bool glass_running(void);
uint16_t glass_sixteenths(void);
bool glass_warns(void);
bool glass_just_ended(void);

#endif
