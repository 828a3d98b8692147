#include "glass.h"

#include <string.h>

#include "events.h"
#include "hal.h"
#include "sound.h"

enum { SHOWN_MS = 3000 };

#ifdef __AVR__
#define KEPT_OVER_RESET __attribute__((section(".noinit")))
#else
#define KEPT_OVER_RESET
#endif
static glass_kept_t kept KEPT_OVER_RESET;

static uint8_t state;
static uint32_t ends_ms;
static uint8_t next_tick; /* seconds before the end; 0: none is left */
static uint32_t next_tick_ms;

/* What `ppm` of `ms` is, rounded towards zero; in steps that 32 bits can hold. */
static int32_t share(uint32_t ms, int16_t ppm) {
    int32_t seconds = (int32_t)(ms / 1000), rest = (int32_t)(ms % 1000);
    return (seconds * ppm + rest * ppm / 1000) / 1000;
}

static uint32_t to_box_ms(uint32_t ms) {
    return ms + (uint32_t)share(ms, kept.asked.clock_ppm);
}

static uint32_t to_host_ms(uint32_t ms) {
    int32_t ppm = kept.asked.clock_ppm;
    /* 1 / (1 + p) = 1 - p + p^2 but for p^3, which is below 1e-5. */
    return ms + (uint32_t)share(ms, (int16_t)(ppm * ppm / 1000000 - ppm));
}

static uint16_t check_of(void) {
    const uint8_t *bytes = (const uint8_t *)&kept.asked;
    uint16_t sum = (uint16_t)(kept.total_ms ^ kept.total_ms >> 16) ^ 0x5a5a;
    for (uint8_t i = 0; i < sizeof kept.asked; i++) sum = (uint16_t)(sum * 31 + bytes[i]);
    return sum;
}

static void keep(uint32_t left_ms) {
    kept.left_ms = left_ms;
    kept.left_inverted = ~left_ms;
}

static void next_tick_at(uint8_t seconds) {
    next_tick = seconds;
    next_tick_ms = to_box_ms(seconds * 1000UL);
}

static void run(uint32_t left_ms) {
    state = GLASS_STATE_RUNNING;
    ends_ms = hal_ms() + left_ms;
    keep(left_ms);
    next_tick_at(kept.asked.warn_s);
    while (next_tick && next_tick_ms > left_ms) next_tick_at((uint8_t)(next_tick - 1));
}

bool glass_init(bool may_resume, uint16_t away_ms) {
    state = GLASS_STATE_IDLE;
    if (may_resume && kept.left_ms == ~kept.left_inverted && kept.left_ms > 0 &&
        kept.left_ms <= kept.total_ms && kept.check == check_of()) {
        kept.interrupted = true;
        run(kept.left_ms > away_ms ? kept.left_ms - away_ms : 1);
        return true;
    }
    memset(&kept, 0, sizeof kept);
    return false;
}

uint32_t glass_start(const hourglass_t *asked) {
    sound_stop(VOICE_GLASS);
    uint32_t now = hal_us();
    memset(&kept, 0, sizeof kept);
    kept.asked = *asked;
    kept.total_ms = to_box_ms(asked->duration_ms);
    kept.check = check_of();
    run(kept.total_ms);
    return now;
}

void glass_cancel(void) {
    sound_stop(VOICE_GLASS);
    state = GLASS_STATE_IDLE;
    memset(&kept, 0, sizeof kept);
}

static void end(void) {
    state = GLASS_STATE_ENDED;
    keep(0);
    sound_play(VOICE_GLASS, kept.asked.pattern, kept.asked.volume);
    uint8_t fields[GLASS_ENDED_SIZE];
    const glass_ended_t is = {.glass_id = kept.asked.glass_id, .interrupted = kept.interrupted};
    glass_ended_write(fields, &is);
    events_add(TYPE_GLASS_ENDED, hal_us(), fields, sizeof fields);
}

void glass_poll(void) {
    if (state != GLASS_STATE_RUNNING) return;
    int32_t left = (int32_t)(ends_ms - hal_ms());
    if (left <= 0) {
        end();
        return;
    }
    keep((uint32_t)left);
    if (next_tick && (uint32_t)left <= next_tick_ms) {
        sound_play(VOICE_GLASS, PATTERN_TICK, kept.asked.volume);
        next_tick_at((uint8_t)(next_tick - 1));
    }
}

bool glass_running(void) { return state == GLASS_STATE_RUNNING; }

bool glass_active(void) { return glass_running() || sound_active(VOICE_GLASS); }

void glass_look(glass_reply_t *is) {
    is->state = state;
    is->glass_id = kept.asked.glass_id;
    is->duration_ms = kept.asked.duration_ms;
    is->remaining_ms = glass_running() ? to_host_ms(kept.left_ms) : 0;
    is->interrupted = kept.interrupted;
    is->asked_us = hal_us();
}

uint16_t glass_sixteenths(void) {
    uint32_t whole = kept.total_ms;
    return (uint16_t)((kept.left_ms * (16 * RING_LEDS) + whole - 1) / whole);
}

bool glass_warns(void) {
    return glass_running() && kept.asked.warn_s &&
           kept.left_ms <= to_box_ms(kept.asked.warn_s * 1000UL);
}

bool glass_just_ended(void) {
    return state == GLASS_STATE_ENDED && hal_ms() - ends_ms < SHOWN_MS;
}
