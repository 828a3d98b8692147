/* The firmware's core on this computer, in virtual time: for sanitizers and for speed. */
#include <string.h>

#include "arrow.h"
#include "boot.h"
#include "box.h"
#include "buttons.h"
#include "hal.h"
#include "line.h"
#include "machine.h"
#include "protocol.h"
#include "spinner.h"
#include "watch.h"

enum { RX_SIZE = 127, TX_SIZE = 127, AWAY_WATCHDOG_MS = 315, AWAY_MS = 65, WATCHDOG_MS = 250 };
static const uint64_t MS = 1000000, BYTE_NS = 85000; /* 117647 baud, as the microcontroller */

static uint64_t now, booted; /* true time */
static int32_t ppm;
static uint16_t id;
static uint8_t cause;
static uint8_t rx[RX_SIZE];
static uint32_t rx_stamps[RX_SIZE];
static uint8_t rx_first, rx_count;
static uint32_t zero_stamp;
static uint64_t overruns, watchdog_resets;
static bool inputs[INPUTS];
static bool powered, hung;
static uint64_t step_at, reset_at; /* 0: never */

uint64_t machine_now(void) { return now; }

/* --- what the core asks for --- */

static uint64_t box_ns(void) {
    uint64_t since = now - booted;
    return since + (uint64_t)((int64_t)since * ppm / 1000000);
}

uint32_t hal_us(void) { return (uint32_t)(box_ns() / 1000); }
uint32_t hal_ms(void) { return (uint32_t)(box_ns() / MS); }
uint8_t hal_lock(void) { return 0; }
void hal_unlock(uint8_t before) { (void)before; }

bool hal_rx(uint8_t *byte) {
    if (rx_count == 0) return false;
    *byte = rx[rx_first];
    zero_stamp = rx_stamps[rx_first];
    rx_first = (uint8_t)((rx_first + 1) % RX_SIZE);
    rx_count--;
    return true;
}

uint32_t hal_rx_stamp(void) { return zero_stamp; }
uint16_t hal_overruns(void) { return (uint16_t)overruns; }

static uint64_t waiting(void) {
    uint64_t until = line_busy_until();
    return until > now ? (until - now + BYTE_NS - 1) / BYTE_NS : 0;
}

uint8_t hal_tx_room(void) { return (uint8_t)(TX_SIZE - waiting()); }
/* The register of the byte on the line and the one behind it do not count. */
bool hal_tx_idle(void) { return waiting() <= 2; }
void hal_tx(uint8_t byte) { line_send(byte, BYTE_NS); }

void hal_tone(uint16_t hz, uint8_t volume) { watch(SIGNAL_TONE, (uint32_t)hz << 8 | volume); }

void hal_motor_power(bool on) {
    if (powered != on) watch(SIGNAL_ENABLE, !on);
    powered = on;
}

static uint64_t after(uint16_t interval) { return now + interval * 2000ULL; }
void hal_steps_start(uint16_t interval) { step_at = after(interval); }
void hal_steps_stop(void) { step_at = 0; }

void hal_step_pin(bool high) {
    watch(SIGNAL_STEP, high);
    if (high && powered) arrow_step();
}

bool hal_at_home(void) { return inputs[INPUT_HOME]; }

uint8_t hal_buttons(void) {
    return (uint8_t)(inputs[INPUT_STOP] << BUTTON_STOP | inputs[INPUT_JUDGE] << BUTTON_JUDGE);
}

void hal_ring_show(const uint8_t *grb, uint8_t count) {
    for (uint32_t i = 0; i < count; i++, grb += 3)
        watch(SIGNAL_LED, i << 24 | (uint32_t)grb[0] << 16 | (uint32_t)grb[1] << 8 | grb[2]);
}

uint16_t hal_stack_free(void) { return UINT16_MAX; }
uint8_t boot_board(void) { return BOARD_HOST_BUILD; }
uint16_t boot_id(void) { return id; }
uint8_t boot_cause(void) { return cause; }

/* --- the machine --- */

static void boot(uint8_t why, uint16_t away_ms) {
    booted = now;
    id++;
    cause = why;
    rx_count = 0;
    hung = false;
    step_at = 0;
    reset_at = 0;
    hal_tone(0, 0);
    box_init(why != RESET_CAUSE_POWER_ON, away_ms);
}

void machine_start(const char *image, int32_t clock_ppm) {
    (void)image;
    ppm = clock_ppm;
    arrow_sense();
    boot(RESET_CAUSE_POWER_ON, 0);
}

void machine_reset(reset_t how) {
    static const uint8_t CAUSE[] = {[RESET_EXTERNAL] = RESET_CAUSE_EXTERNAL,
                                    [RESET_POWER] = RESET_CAUSE_POWER_ON,
                                    [RESET_BROWN_OUT] = RESET_CAUSE_BROWN_OUT};
    boot(CAUSE[how], AWAY_MS);
}

void machine_hang(hang_t how) {
    hung = true;
    /* With the clock stuck the motor's timer goes on, with the main loop stuck too. */
    (void)how;
    reset_at = now + WATCHDOG_MS * MS;
}

uint64_t machine_overruns(void) { return overruns; }
uint64_t machine_watchdog_resets(void) { return watchdog_resets; }

void machine_input(input_t input, bool on) {
    bool pressed = on && !inputs[input];
    inputs[input] = on;
    if (pressed && input == INPUT_STOP) buttons_edge(BUTTON_STOP, hal_us());
    if (pressed && input == INPUT_JUDGE) buttons_edge(BUTTON_JUDGE, hal_us());
}

void machine_receive(uint8_t byte) {
    if (rx_count == RX_SIZE) {
        overruns++;
        return;
    }
    uint8_t at = (uint8_t)((rx_first + rx_count) % RX_SIZE);
    rx[at] = byte;
    rx_stamps[at] = hal_us();
    rx_count++;
    if (!hung) box_poll();
}

/* When the box's clock comes to its next millisecond. */
static uint64_t next_ms(void) {
    uint64_t box = (box_ns() / MS + 1) * MS;
    uint64_t scale = (uint64_t)(1000000 + ppm);
    uint64_t since = (uint64_t)((unsigned __int128)box * 1000000 / scale);
    uint64_t at = booted + since;
    return at > now ? at : now + 1;
}

static uint64_t sooner(uint64_t a, uint64_t b) { return b && b < a ? b : a; }

void machine_advance(uint64_t until_ns) {
    while (now < until_ns && now < line_deadline()) {
        uint64_t tick = next_ms();
        uint64_t next = sooner(sooner(sooner(until_ns, tick), step_at), reset_at);
        now = sooner(next, line_deadline());
        if (now < next) return;
        if (step_at && now >= step_at) {
            uint16_t interval = spinner_step();
            step_at = interval ? after(interval) : 0;
        }
        if (reset_at && now >= reset_at) {
            watchdog_resets++;
            boot(RESET_CAUSE_WATCHDOG, AWAY_WATCHDOG_MS);
        }
        if (!hung && now >= tick) box_poll();
    }
}
