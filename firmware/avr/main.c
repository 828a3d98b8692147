/* Start, clock, sleep and watchdog. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "boot.h"
#include "box.h"
#include "hal.h"
#include "machine.h"
#include "protocol.h"

/* How long a reset takes: the watchdog's time and the 65 ms of the fuses; a bootloader's wait. */
enum { AWAY_WATCHDOG_MS = 315, AWAY_BOOTLOADER_MS = 1000, AWAY_MS = 65 };
enum { PAINT = 0xc5 };

static uint8_t flags_seen __attribute__((section(".noinit")));
uint8_t flags_handed_on __attribute__((section(".noinit"), used));
static uint16_t *const boots = (uint16_t *)2; /* in the EEPROM; its first cell is best left alone */
static uint16_t id;
static uint8_t cause;

/* Optiboot clears MCUSR and hands what stood in it on in r2. */
void keep_r2(void) __attribute__((naked, used, section(".init0")));
void keep_r2(void) { __asm__ volatile("sts flags_handed_on, r2"); }

/* After a reset by the watchdog it stays on, at its shortest. */
void keep_flags(void) __attribute__((naked, used, section(".init3")));
void keep_flags(void) {
    flags_seen = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

extern uint8_t _end[], __stack[]; /* from the linker: the ends of the free memory */

/* Marks the memory that the stack may grow into. */
void paint_stack(void) __attribute__((naked, used, section(".init3")));
void paint_stack(void) {
    for (uint8_t *p = _end; (uintptr_t)p <= (uintptr_t)__stack; p++) *(volatile uint8_t *)p = PAINT;
}

uint16_t hal_stack_free(void) {
    const uint8_t *p = _end;
    while ((uintptr_t)p <= (uintptr_t)__stack && *p == PAINT) p++;
    return (uint16_t)(p - _end);
}

uint8_t boot_board(void) { return BOARD_ATMEGA328P; }
uint16_t boot_id(void) { return id; }
uint8_t boot_cause(void) { return cause; }

static uint8_t cause_of(uint8_t flags) {
    if (flags & 1 << PORF) return RESET_CAUSE_POWER_ON;
    if (flags & 1 << WDRF) return RESET_CAUSE_WATCHDOG;
    if (flags & 1 << BORF) return RESET_CAUSE_BROWN_OUT;
    if (flags & 1 << EXTRF) return RESET_CAUSE_EXTERNAL;
    return RESET_CAUSE_UNKNOWN;
}

static uint16_t away_ms(void) {
    if (cause == RESET_CAUSE_WATCHDOG) return AWAY_WATCHDOG_MS;
    return cause == RESET_CAUSE_BROWN_OUT ? AWAY_MS : AWAY_BOOTLOADER_MS;
}

static volatile uint32_t ms, us; /* us is 1000 times ms, and wraps by itself */
static volatile bool awake;

ISR(TIMER0_COMPA_vect) {
    ms++;
    us += 1000;
    awake = true;
}

void machine_wake(void) { awake = true; }

uint8_t hal_lock(void) {
    uint8_t before = SREG;
    cli();
    return before;
}

void hal_unlock(uint8_t before) { SREG = before; }

uint32_t hal_ms(void) {
    uint8_t before = hal_lock();
    uint32_t now = ms;
    hal_unlock(before);
    return now;
}

uint32_t hal_us(void) {
    uint8_t before = hal_lock();
    uint8_t count = TCNT0;
    uint32_t now = us;
    /* The counter may have started again without its interrupt having been served. */
    if (TIFR0 & 1 << OCF0A && count < 125) now += 1000;
    hal_unlock(before);
    return now + 4UL * count;
}

static void clock_init(void) {
    OCR0A = F_CPU / 64 / 1000 - 1;
    TCCR0A = 1 << WGM01;
    TIMSK0 = 1 << OCIE0A;
    TCCR0B = 1 << CS01 | 1 << CS00;
}

static void sleep_until_woken(void) {
    cli();
    if (!awake) {
        sleep_enable();
        sei(); /* sleeps before any interrupt: none can slip in between */
        sleep_cpu();
        sleep_disable();
    }
    awake = false;
    sei();
}

int main(void) {
    cause = cause_of(flags_seen ? flags_seen : flags_handed_on);
    id = (uint16_t)(eeprom_read_word(boots) + 1);
    eeprom_update_word(boots, id);
    outputs_init();
    serial_init();
    clock_init();
    box_init(cause != RESET_CAUSE_POWER_ON, away_ms());
    SMCR = 0; /* the idle mode: timers and the serial line go on */
    wdt_enable(WDTO_250MS);
    uint32_t fed_ms = hal_ms();
    for (;;) {
        box_poll();
        /* Fed only while both this loop and the clock's interrupt run. */
        if (hal_ms() != fed_ms) {
            fed_ms = hal_ms();
            wdt_reset();
        }
        sleep_until_woken();
    }
}
