#include "spinner.h"

#include "events.h"
#include "hal.h"
#include "motion.h"

/* A turn and a quarter without the sensor is too long. */
enum { HOME_WITHIN = STEPS_PER_TURN * 5 / 4, HOLD_MS = 500, DRIVER_WAKES = 2500 /* 2 us each */ };
enum { ANGLE_HALF_STEP = 32768 };

/* Shared with the interrupt while the motor turns. */
static volatile uint8_t state;
static volatile bool ended; /* the interrupt has made the last step */
static volatile uint8_t outcome;
static volatile uint32_t ended_us;
static volatile uint16_t position; /* steps beyond the sensor's edge */
static volatile uint16_t made, left, since_home;
static volatile int16_t lost_now, lost_in_all; /* found at home passes: not yet told, in this spin */
static volatile uint32_t lost_us;
static uint8_t sensed; /* the sensor at the last steps, the newest in bit 0 */

static sectors_t sectors;
static uint8_t target;
static uint32_t started_ms, stopped_ms;
static bool powered;

void spinner_init(void) {
    state = SPINNER_STATE_NOT_HOMED;
    ended = false;
    lost_now = 0;
    position = 0;
    sectors.starts_count = 0;
    powered = false;
    hal_motor_power(false);
}

bool spinner_turning(void) {
    return state == SPINNER_STATE_HOMING || state == SPINNER_STATE_SPINNING;
}

uint8_t spinner_set_sectors(const sectors_t *asked) {
    if (spinner_turning()) return RESULT_BUSY;
    for (uint8_t i = 1; i < asked->starts_count; i++)
        if (asked->starts[i] <= asked->starts[i - 1]) return RESULT_OUT_OF_RANGE;
    sectors = *asked;
    return RESULT_OK;
}

static void start(uint8_t as) {
    made = 0;
    ended = false;
    lost_now = 0;
    lost_in_all = 0;
    sensed = hal_at_home() ? 0xff : 0;
    started_ms = hal_ms();
    powered = true;
    hal_motor_power(true);
    state = as;
    hal_steps_start(DRIVER_WAKES);
}

uint8_t spinner_home(void) {
    if (spinner_turning()) return RESULT_BUSY;
    motion_start_homing();
    since_home = 0;
    start(SPINNER_STATE_HOMING);
    return RESULT_OK;
}

/* The angle from the start of a sector to the start of the next. */
static uint16_t width(uint8_t sector) {
    uint8_t next = (uint8_t)((sector + 1) % sectors.starts_count);
    return (uint16_t)(sectors.starts[next] - sectors.starts[sector]);
}

static uint16_t step_of(uint16_t angle) {
    return (uint16_t)(((uint32_t)angle * STEPS_PER_TURN + ANGLE_HALF_STEP) >> 16) % STEPS_PER_TURN;
}

uint8_t spinner_spin(const spin_t *asked, uint16_t *steps) {
    if (spinner_turning()) return RESULT_BUSY;
    if (state != SPINNER_STATE_AT_REST) return RESULT_NOT_HOMED;
    if (asked->sector >= sectors.starts_count) return RESULT_NO_SECTORS;
    target = asked->sector;
    uint16_t to = step_of((uint16_t)(sectors.starts[target] + width(target) / 2));
    uint16_t rest = (uint16_t)((to + STEPS_PER_TURN - position) % STEPS_PER_TURN);
    *steps = (uint16_t)(asked->turns * (uint16_t)STEPS_PER_TURN + rest);
    left = *steps;
    since_home = position;
    motion_start(asked->profile);
    start(SPINNER_STATE_SPINNING);
    return RESULT_OK;
}

/* In the interrupt: true at the second step in sight of the magnet, after two out of its sight. */
static bool home_edge(void) {
    sensed = (uint8_t)(sensed << 1 | hal_at_home());
    return (sensed & 0x0f) == 0x03;
}

/* In the interrupt: the arrow is one step beyond the edge; corrects what is left by it. */
static void pass_home(void) {
    since_home = 1;
    int16_t lost = (int16_t)(position - 1);
    if (lost > STEPS_PER_TURN / 2) lost = (int16_t)(lost - STEPS_PER_TURN);
    if (lost > -LOST_STEPS_LIMIT && lost < LOST_STEPS_LIMIT) return;
    position = 1;
    lost_now = (int16_t)(lost_now + lost);
    lost_in_all = (int16_t)(lost_in_all + lost);
    lost_us = hal_us();
    int16_t corrected = (int16_t)((int16_t)left + lost);
    /* Too near to stop there: one turn more. */
    if (corrected < (int16_t)motion_steps_to_stand()) corrected += STEPS_PER_TURN;
    left = (uint16_t)corrected;
}

static uint16_t end_with(uint8_t how) {
    outcome = how;
    ended = true;
    ended_us = hal_us();
    return 0;
}

static uint16_t step_homing(bool edge) {
    if (edge) {
        position = 1;
        return end_with(HOME_OUTCOME_FOUND);
    }
    if (since_home > HOME_WITHIN) return end_with(HOME_OUTCOME_NOT_FOUND);
    return motion_next(UINT16_MAX);
}

static uint16_t step_spinning(bool edge) {
    left--;
    if (edge) pass_home();
    if (left == 0) return end_with(SPIN_OUTCOME_STOPPED);
    if (since_home > HOME_WITHIN) return end_with(SPIN_OUTCOME_HOME_NOT_SEEN);
    return motion_next(left);
}

uint16_t spinner_step(void) {
    hal_step_pin(true);
    made++;
    since_home++;
    position = (uint16_t)(position + 1 == STEPS_PER_TURN ? 0 : position + 1);
    bool edge = home_edge();
    uint16_t next = state == SPINNER_STATE_HOMING ? step_homing(edge) : step_spinning(edge);
    hal_step_pin(false);
    return next;
}

static void tell_lost(void) {
    uint8_t before = hal_lock();
    const steps_lost_t is = {.lost = lost_now};
    uint32_t at_us = lost_us;
    lost_now = 0;
    hal_unlock(before);
    if (is.lost == 0) return;
    uint8_t fields[STEPS_LOST_SIZE];
    steps_lost_write(fields, &is);
    events_add(TYPE_STEPS_LOST, at_us, fields, sizeof fields);
}

/* The motor has stopped: tells it. */
static void tell_end(bool place_known, uint8_t how, uint32_t at_us) {
    bool homing = state == SPINNER_STATE_HOMING;
    tell_lost();
    state = place_known ? SPINNER_STATE_AT_REST : SPINNER_STATE_NOT_HOMED;
    ended = false;
    stopped_ms = hal_ms();
    if (homing) {
        uint8_t fields[HOMED_SIZE];
        const homed_t is = {.outcome = how, .steps = made};
        homed_write(fields, &is);
        events_add(TYPE_HOMED, at_us, fields, sizeof fields);
    } else {
        uint8_t fields[SPIN_DONE_SIZE];
        const spin_done_t is = {
            .outcome = how, .sector = spinner_sector(), .steps = made, .lost = lost_in_all};
        spin_done_write(fields, &is);
        events_add(TYPE_SPIN_DONE, at_us, fields, sizeof fields);
    }
}

static void power_off(void) {
    powered = false;
    hal_motor_power(false);
}

void spinner_stop(stop_t why) {
    static const uint8_t HOW[][2] = {
        [STOP_CANCELLED] = {HOME_OUTCOME_CANCELLED, SPIN_OUTCOME_CANCELLED},
        [STOP_LINK_LOST] = {HOME_OUTCOME_LINK_LOST, SPIN_OUTCOME_LINK_LOST},
        [STOP_TIME_LIMIT] = {HOME_OUTCOME_NOT_FOUND, SPIN_OUTCOME_TIME_LIMIT},
    };
    hal_steps_stop();
    power_off();
    tell_end(false, HOW[why][state == SPINNER_STATE_SPINNING], hal_us());
}

void spinner_poll(void) {
    if (spinner_turning()) {
        tell_lost();
        if (!ended) return;
        bool good = outcome == (state == SPINNER_STATE_HOMING ? (uint8_t)HOME_OUTCOME_FOUND
                                                              : (uint8_t)SPIN_OUTCOME_STOPPED);
        tell_end(good, outcome, ended_us);
    } else if (powered && hal_ms() - stopped_ms >= HOLD_MS) {
        power_off();
    }
}

bool spinner_overdue(void) { return spinner_turning() && hal_ms() - started_ms >= MOTOR_MAX_MS; }

uint8_t spinner_state(void) { return state; }

uint16_t spinner_angle(void) {
    if (state != SPINNER_STATE_AT_REST) return 0;
    return (uint16_t)(((uint32_t)position << 16) / STEPS_PER_TURN);
}

uint8_t spinner_sector(void) {
    if (state != SPINNER_STATE_AT_REST) return SECTOR_UNKNOWN;
    uint16_t angle = spinner_angle();
    for (uint8_t i = 0; i < sectors.starts_count; i++)
        if ((uint16_t)(angle - sectors.starts[i]) < width(i)) return i;
    return SECTOR_UNKNOWN;
}

uint8_t spinner_sectors(void) { return sectors.starts_count; }
