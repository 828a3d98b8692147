#include "box.h"

#include "boot.h"
#include "buttons.h"
#include "events.h"
#include "frame.h"
#include "glass.h"
#include "hal.h"
#include "light.h"
#include "link.h"
#include "parts.h"
#include "protocol.h"
#include "ring.h"
#include "sound.h"
#include "spinner.h"

static uint32_t polled_ms;

void box_init(bool may_resume, uint16_t away_ms) {
    events_init();
    frame_init();
    link_init();
    buttons_init();
    light_init();
    sound_init();
    spinner_init();
    const booted_t is = {
        .boot_id = boot_id(),
        .reset_cause = boot_cause(),
        .glass_resumed = glass_init(may_resume, away_ms),
    };
    uint8_t fields[BOOTED_SIZE];
    booted_write(fields, &is);
    events_add(TYPE_BOOTED, hal_us(), fields, sizeof fields);
    ring_init();
    polled_ms = hal_ms();
}

static void check_host(void) {
    if (!link_was_lost()) return;
    const link_lost_t is = {
        .stopped = parts_stop(PARTS_SOUND | PARTS_SPINNER | PARTS_LIGHT, STOP_LINK_LOST)};
    uint8_t fields[LINK_LOST_SIZE];
    link_lost_write(fields, &is);
    events_add(TYPE_LINK_LOST, hal_us(), fields, sizeof fields);
}

static void check_limits(void) {
    uint8_t overdue = (uint8_t)((sound_overdue() ? PARTS_SOUND : 0) |
                                (spinner_overdue() ? PARTS_SPINNER : 0) |
                                (light_overdue() ? PARTS_LIGHT : 0));
    if (!overdue) return;
    const time_limit_t is = {.parts = parts_stop(overdue, STOP_TIME_LIMIT)};
    uint8_t fields[TIME_LIMIT_SIZE];
    time_limit_write(fields, &is);
    events_add(TYPE_TIME_LIMIT, hal_us(), fields, sizeof fields);
}

void box_poll(void) {
    link_poll();
    if (hal_ms() == polled_ms) return;
    polled_ms = hal_ms();
    check_host();
    check_limits();
    buttons_poll();
    glass_poll();
    sound_poll();
    spinner_poll();
    ring_poll();
}
