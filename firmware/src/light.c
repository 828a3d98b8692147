#include "light.h"

#include "hal.h"

static light_t now;
static uint32_t since_ms;

void light_init(void) { light_off(); }

void light_set(const light_t *asked) {
    now = *asked;
    since_ms = hal_ms();
}

void light_off(void) { now.mode = LIGHT_MODE_OFF; }

bool light_on(void) { return now.mode != LIGHT_MODE_OFF; }

bool light_overdue(void) { return light_on() && hal_ms() - since_ms >= LIGHT_MAX_MS; }

const light_t *light_now(void) { return &now; }
