#include "buttons.h"

#include <stdbool.h>

#include "events.h"
#include "hal.h"
#include "protocol.h"

enum { BUTTONS = 2, HELD_MS = 4, RELEASED_MS = 20 };

static struct {
    volatile bool touched; /* contact since it was last released */
    volatile bool bounced; /* contact since the last poll */
    volatile uint32_t at_us;
    bool down;
    uint8_t held_ms, open_ms;
} buttons[BUTTONS];

static void released(uint8_t button) {
    buttons[button].down = false;
    buttons[button].held_ms = 0;
    buttons[button].open_ms = 0;
    buttons[button].bounced = false;
    buttons[button].touched = false;
}

void buttons_init(void) {
    for (uint8_t i = 0; i < BUTTONS; i++) released(i);
}

void buttons_edge(uint8_t button, uint32_t at_us) {
    buttons[button].bounced = true;
    if (buttons[button].touched) return;
    buttons[button].touched = true;
    buttons[button].at_us = at_us;
}

static void poll(uint8_t i, bool pressed) {
    if (!buttons[i].touched) return;
    if (buttons[i].bounced) {
        buttons[i].bounced = false;
        buttons[i].open_ms = 0;
    }
    if (!pressed) {
        buttons[i].held_ms = 0;
        /* A spark is forgotten sooner than a press. */
        if (++buttons[i].open_ms >= (buttons[i].down ? RELEASED_MS : HELD_MS)) released(i);
        return;
    }
    buttons[i].open_ms = 0;
    if (buttons[i].down || ++buttons[i].held_ms < HELD_MS) return;
    buttons[i].down = true;
    uint8_t fields[PRESSED_SIZE];
    const pressed_t is = {.button = i};
    pressed_write(fields, &is);
    events_add(TYPE_PRESSED, buttons[i].at_us, fields, sizeof fields);
}

void buttons_poll(void) {
    uint8_t pressed = hal_buttons();
    for (uint8_t i = 0; i < BUTTONS; i++) poll(i, pressed >> i & 1);
}

uint8_t buttons_down(void) {
    uint8_t down = 0;
    for (uint8_t i = 0; i < BUTTONS; i++)
        if (buttons[i].down) down = (uint8_t)(down | 1 << i);
    return down;
}
