#include "ring.h"

#include <stdbool.h>
#include <stdint.h>

#include "glass.h"
#include "hal.h"
#include "light.h"
#include "link.h"

/* A picture is drawn every FRAME_MS, and sent if it is another, or to heal what noise has done. */
enum { FRAME_MS = 40, HEAL_MS = 1000 };
enum { SIGN_PERIOD_MS = 2000, SIGN_MS = 100, BLINK_MS = 500, TAIL = 4 };

typedef struct {
    uint8_t green, red, blue; /* in the order of the line */
} colour_t;

static const colour_t DARK = {0, 0, 0};
static const colour_t SAND = {24, 48, 0};
static const colour_t GRAIN = {40, 40, 40};
static const colour_t OVER = {32, 32, 32};
static const colour_t NO_HOST = {4, 4, 4};

static colour_t leds[RING_LEDS];
static uint16_t sent_sum; /* of the picture that was sent last */
static uint32_t drawn_ms, sent_ms;

static void put(uint8_t i, colour_t c) { leds[i] = c; }

static void fill(uint8_t from, uint8_t to, colour_t c) {
    for (uint8_t i = from; i < to; i++) put(i, c);
}

/* `share` is 0 to 256. */
static colour_t dim(colour_t c, uint16_t share) {
    const colour_t dimmed = {(uint8_t)(c.green * (uint32_t)share >> 8),
                             (uint8_t)(c.red * (uint32_t)share >> 8),
                             (uint8_t)(c.blue * (uint32_t)share >> 8)};
    return dimmed;
}

/* The sand is the arc that is left; a grain runs round the ring each second. Length and motion tell
 * it all: nobody needs to tell colours apart. */
static void draw_glass(uint16_t ms) {
    uint16_t sixteenths = glass_sixteenths();
    uint8_t whole = (uint8_t)(sixteenths / 16);
    bool blink = glass_warns() && ms % BLINK_MS >= BLINK_MS / 2;
    fill(0, whole, blink ? DARK : SAND);
    fill(whole, RING_LEDS, DARK);
    if (whole < RING_LEDS) put(whole, dim(SAND, (uint16_t)(sixteenths % 16 * 16)));
    put((uint8_t)((uint32_t)RING_LEDS * ms / 1000), GRAIN);
}

static void draw_light(const light_t *light, uint16_t ms, uint16_t breath_ms) {
    /* A quarter of the levels that the host names: see LIGHT. */
    const colour_t c = {light->green >> 2, light->red >> 2, light->blue >> 2};
    uint8_t head = (uint8_t)((uint32_t)RING_LEDS * ms / 1000);
    switch (light->mode) {
    case LIGHT_MODE_STEADY:
        fill(0, RING_LEDS, c);
        break;
    case LIGHT_MODE_BREATHE:
        if (breath_ms > 2000) breath_ms = (uint16_t)(4000 - breath_ms);
        fill(0, RING_LEDS, dim(c, (uint16_t)(breath_ms >> 3)));
        break;
    case LIGHT_MODE_TURN:
        fill(0, RING_LEDS, DARK);
        for (uint8_t i = 0; i < TAIL; i++)
            put((uint8_t)((head + RING_LEDS - i) % RING_LEDS), dim(c, (uint16_t)(256 >> i)));
        break;
    case LIGHT_MODE_BAR:
        fill(0, light->amount, c);
        fill(light->amount, RING_LEDS, DARK);
        break;
    default:
        fill(0, RING_LEDS, DARK);
        break;
    }
}

static void draw(uint32_t now) {
    uint16_t ms = (uint16_t)(now % 1000);
    if (glass_running()) {
        draw_glass(ms);
    } else if (glass_just_ended()) {
        fill(0, RING_LEDS, ms % BLINK_MS < BLINK_MS / 2 ? OVER : DARK);
    } else {
        draw_light(light_now(), ms, (uint16_t)(now % 4000));
        if (!link_up() && now % SIGN_PERIOD_MS < SIGN_MS) put(0, NO_HOST);
    }
}

static uint16_t sum(void) {
    const uint8_t *bytes = (const uint8_t *)leds;
    uint16_t sum = 0;
    for (uint8_t i = 0; i < sizeof leds; i++) sum = (uint16_t)(sum * 31 + bytes[i]);
    return sum;
}

static void send(void) {
    sent_ms = hal_ms();
    sent_sum = sum();
    hal_ring_show((const uint8_t *)leds, RING_LEDS);
}

void ring_init(void) {
    fill(0, RING_LEDS, DARK);
    drawn_ms = hal_ms();
    send();
}

void ring_poll(void) {
    uint32_t now = hal_ms();
    if (now - drawn_ms < FRAME_MS) return;
    drawn_ms = now;
    draw(now);
    if (sum() != sent_sum || now - sent_ms >= HEAL_MS) send();
}
