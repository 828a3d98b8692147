/* The microcontroller, simulated by simavr 1.6 (GPL-3), with what simavr leaves out: a receiver
 * that holds two bytes only, pull-ups outside, and a clock that is off. */
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_hex.h>
#include <simavr/sim_interrupts.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrow.h"
#include "line.h"
#include "machine.h"
#include "watch.h"

enum { HZ = 16000000, FIFO = 2, WAKE_EVERY = 16 };
/* Addresses of registers in data memory, and bits: ATmega328P data sheet, section 30. */
enum { MCUSR = 0x54, PORF = 1, EXTRF = 2, BORF = 4, TIMSK0 = 0x6e, UCSR0A = 0xc0, DOR0 = 8 };
enum { UBRR0L = 0xc4, UDR0 = 0xc6, SRAM = 0x100, SRAM_SIZE = 0x800 };
enum { PORT_D_STEP = 4, PORT_D_ENABLE = 5, PORT_D_RING = 6, PORT_B_PIEZO = 1 };
static const uint8_t JUMP_TO_SELF[] = {0xff, 0xcf};
static const int INPUT_PINS[INPUTS] = {[INPUT_STOP] = 2, [INPUT_JUDGE] = 3, [INPUT_HOME] = 7};

static avr_t *avr;
static avr_uart_t *uart;
static uint64_t hz; /* of the real clock */
static uint8_t fifo[FIFO], held;
static uint64_t overruns, watchdog_resets;
static bool inputs[INPUTS];
static uint32_t stuck_at; /* where the main loop was made to hang; 0: nowhere */
static uint8_t before_stuck[sizeof JUMP_TO_SELF];
static bool was_reset, enabled;
static void (*reset_core)(avr_t *);

static uint64_t ns_of(uint64_t cycle) {
    return (uint64_t)((unsigned __int128)cycle * 1000000000 / hz);
}

/* The first cycle that is not before then. */
static uint64_t cycle_of(uint64_t ns) {
    return (uint64_t)(((unsigned __int128)ns * hz + 999999999) / 1000000000);
}

uint64_t machine_now(void) { return ns_of(avr->cycle); }

/* --- pins --- */

static void show_inputs(void) {
    avr_ioport_external_t outside = {.name = 'D', .mask = 0, .value = 0};
    for (int i = 0; i < INPUTS; i++) {
        outside.mask = (uint8_t)(outside.mask | 1 << INPUT_PINS[i]);
        if (!inputs[i]) outside.value = (uint8_t)(outside.value | 1 << INPUT_PINS[i]);
    }
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &outside);
    for (int i = 0; i < INPUTS; i++)
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), INPUT_PINS[i]), !inputs[i]);
}

void machine_input(input_t input, bool on) {
    if (inputs[input] == on) return;
    inputs[input] = on;
    show_inputs();
}

static void pin_changed(avr_irq_t *irq, uint32_t value, void *signal) {
    if (irq->value == value) return;
    signal_t which = (signal_t)(intptr_t)signal;
    watch(which, value);
    if (which == SIGNAL_ENABLE) enabled = !value;
    if (which == SIGNAL_STEP && value && enabled) arrow_step();
}

static void watch_pin(uint32_t port, int pin, signal_t signal) {
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin), pin_changed,
                            (void *)(intptr_t)signal);
}

/* --- the serial line --- */

static uint8_t fetch_byte(avr_t *a, avr_io_addr_t addr, void *param) {
    (void)param;
    uint8_t byte = fifo[0];
    if (held) held--;
    fifo[0] = fifo[1];
    a->data[UCSR0A] &= (uint8_t)~DOR0;
    avr_clear_interrupt(a, &uart->rxc);
    if (held) avr_raise_interrupt(a, &uart->rxc);
    a->data[addr] = byte;
    return byte;
}

void machine_receive(uint8_t byte) {
    if (!avr_regbit_get(avr, uart->rxen)) return;
    if (held == FIFO) {
        overruns++;
        avr->data[UCSR0A] |= DOR0;
        return;
    }
    fifo[held++] = byte;
    avr_raise_interrupt(avr, &uart->rxc);
}

static void byte_sent(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    (void)param;
    /* Eight cycles a bit at double speed, ten bits; simavr counts a parity bit that is not there. */
    uint64_t cycles = 8ULL * (avr->data[UBRR0L] + 1U) * 10;
    uart->cycles_per_byte = cycles;
    line_send((uint8_t)value, ns_of(cycles));
}

/* --- resets and hangs --- */

static void unstick(void) {
    if (stuck_at) memcpy(avr->flash + stuck_at, before_stuck, sizeof before_stuck);
    stuck_at = 0;
}

static void core_was_reset(avr_t *a) {
    reset_core(a);
    unstick();
    held = 0;
    was_reset = true;
}

void machine_reset(reset_t how) {
    static const uint8_t FLAGS[] = {
        [RESET_EXTERNAL] = EXTRF, [RESET_POWER] = PORF | BORF, [RESET_BROWN_OUT] = BORF};
    avr_reset(avr);
    /* Without power the memory forgets; what it holds afterwards is anyone's guess. */
    if (how == RESET_POWER)
        for (int i = 0; i < SRAM_SIZE; i++) avr->data[SRAM + i] = (uint8_t)(i * 37 + 11);
    avr->data[MCUSR] = FLAGS[how];
    was_reset = false;
    show_inputs();
}

void machine_hang(hang_t how) {
    if (how == HANG_CLOCK) {
        avr->data[TIMSK0] = 0;
        return;
    }
    /* Not within an interrupt: those are to go on. */
    while (!avr->sreg[S_I]) avr_run(avr);
    stuck_at = avr->pc;
    memcpy(before_stuck, avr->flash + stuck_at, sizeof before_stuck);
    memcpy(avr->flash + stuck_at, JUMP_TO_SELF, sizeof JUMP_TO_SELF);
}

uint64_t machine_overruns(void) { return overruns; }

uint64_t machine_watchdog_resets(void) { return watchdog_resets; }

/* --- running --- */

static void sleep_not(avr_t *a, avr_cycle_count_t cycles) {
    (void)a;
    (void)cycles; /* time is virtual */
}

static void log_not(avr_t *a, const int level, const char *format, va_list args) {
    (void)a;
    if (level == LOG_ERROR) vfprintf(stderr, format, args);
}

/* Again and again: the first time may be just when the processor goes to sleep. */
static avr_cycle_count_t wake(avr_t *a, avr_cycle_count_t when, void *param) {
    (void)a;
    (void)param;
    return when + WAKE_EVERY;
}

void machine_advance(uint64_t until_ns) {
    uint64_t end = 0, until = UINT64_MAX;
    for (;;) {
        /* The deadline comes nearer while a frame is sent. */
        if (line_deadline() != until) {
            until = line_deadline();
            end = cycle_of(until_ns < until ? until_ns : until);
            /* The processor runs, or sleeps, to its next timer: one of ours keeps it from passing,
             * once it looks at its timers again. */
            avr_cycle_timer_cancel(avr, wake, NULL);
            if (end > avr->cycle) avr_cycle_timer_register(avr, end - avr->cycle, wake, NULL);
            avr->run_cycle_count = 1;
        }
        if (avr->cycle >= end) break;
        int state = avr_run(avr);
        if (was_reset) { /* by the watchdog: nothing else resets while it runs */
            was_reset = false;
            watchdog_resets++;
            show_inputs();
        }
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "the simulated processor stopped at 0x%04x\n", avr->pc);
            exit(1);
        }
    }
    avr_cycle_timer_cancel(avr, wake, NULL);
}

static void load(const char *image) {
    uint32_t size, start;
    uint8_t *code = image ? read_ihex_file(image, &size, &start) : NULL;
    if (code == NULL) {
        fprintf(stderr, "no firmware: %s\n", image ? image : "give --image HEX");
        exit(1);
    }
    avr_loadcode(avr, code, size, start);
    avr->codeend = start + size;
    free(code);
}

void machine_start(const char *image, int32_t clock_ppm) {
    hz = (uint64_t)(HZ + (int64_t)HZ * clock_ppm / 1000000);
    avr_global_logger_set(log_not);
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->frequency = HZ;
    avr->sleep = sleep_not;
    reset_core = avr->reset;
    avr->reset = core_was_reset;
    load(image);
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart")) uart = (avr_uart_t *)io;
    uint32_t quiet = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &quiet);
    avr->io[AVR_DATA_TO_IO(UDR0)].r.c = fetch_byte;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT),
                            byte_sent, NULL);
    watch_pin('B', PORT_B_PIEZO, SIGNAL_PIEZO);
    watch_pin('D', PORT_D_STEP, SIGNAL_STEP);
    watch_pin('D', PORT_D_ENABLE, SIGNAL_ENABLE);
    watch_pin('D', PORT_D_RING, SIGNAL_RING);
    arrow_sense();
    machine_reset(RESET_POWER);
}
