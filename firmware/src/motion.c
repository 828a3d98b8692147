#include "motion.h"

#include "flash.h"
#include "motion_curve.h"
#include "protocol.h"

/* The phase runs from 0 (stands) to FULL (top speed), a little each step while speeding up. While
 * slowing down it is what the steps that are left allow. The curve gives the speed at a phase. */
enum { PHASES_A_KNOT = 256, FULL = CURVE_KNOTS * PHASES_A_KNOT };

typedef struct {
    uint16_t interval; /* at top speed, in 2 us */
    uint8_t up, down;  /* phases a step; FULL divided by it is the length of the ramp */
} profile_t;

static const profile_t PROFILES[] = {
    [PROFILE_BRISK] = {156, 16, 16}, /* 3205 steps a second, ramps of 1024 steps */
    [PROFILE_LONG] = {156, 16, 4},   /* the same, slowing down over 4096 steps */
    [PROFILE_SLOW] = {625, 32, 32},  /* 800 steps a second, ramps of 512 steps */
};
static const profile_t HOMING = {1250, 64, 64}; /* 400 steps a second */

static profile_t now;
static uint16_t phase;

static void start(profile_t profile) {
    now = profile;
    phase = 0;
}

void motion_start(uint8_t profile) { start(PROFILES[profile]); }

void motion_start_homing(void) { start(HOMING); }

uint16_t motion_next(uint16_t left) {
    uint16_t allowed = left < FULL / now.down ? (uint16_t)(left * now.down) : FULL;
    phase = (uint16_t)(phase + now.up);
    if (phase > allowed) phase = allowed;
    uint8_t knot = (uint8_t)(phase / PHASES_A_KNOT);
    uint16_t slowness = flash_u16(&CURVE[knot]);
    if (knot < CURVE_KNOTS) {
        uint16_t fall = (uint16_t)(slowness - flash_u16(&CURVE[knot + 1]));
        slowness = (uint16_t)(slowness - ((uint32_t)fall * (phase % PHASES_A_KNOT) >> 8));
    }
    return (uint16_t)((uint32_t)slowness * now.interval >> 8);
}

uint16_t motion_steps_to_stand(void) { return (uint16_t)(phase / now.down); }
