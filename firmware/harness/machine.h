/* A machine that runs the firmware: the simulated microcontroller (avr/), or this computer (host/).
 * Times are true time in nanoseconds since the machine was switched on; the box's own clock may be
 * off by some ppm. */
#ifndef HARNESS_MACHINE_H
#define HARNESS_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* What can be driven. Buttons are pressed, the sensor sees the magnet, when true. */
typedef enum { INPUT_STOP, INPUT_JUDGE, INPUT_HOME, INPUTS } input_t;

/* What can be watched. A pin has the value 0 or 1; TONE is hz << 8 | volume; LED is the LED's
 * number << 24 and its green, red and blue, bytes from the top. The simulated microcontroller shows
 * PIEZO and RING, the host build TONE and LED instead. */
typedef enum {
    SIGNAL_PIEZO,
    SIGNAL_STEP,
    SIGNAL_ENABLE,
    SIGNAL_RING,
    SIGNAL_TONE,
    SIGNAL_LED,
    SIGNALS
} signal_t;

typedef enum { RESET_EXTERNAL, RESET_POWER, RESET_BROWN_OUT } reset_t;
typedef enum { HANG_MAIN_LOOP, HANG_CLOCK } hang_t;

/* The machine. `image` is the hex file, which only the microcontroller needs. */
void machine_start(const char *image, int32_t clock_ppm);
uint64_t machine_now(void);
/* Runs until then, or until a frame's end is known to reach the host earlier (see line.h). */
void machine_advance(uint64_t until_ns);
/* A byte has arrived whole. */
void machine_receive(uint8_t byte);
void machine_input(input_t input, bool on);
void machine_reset(reset_t how);
void machine_hang(hang_t how);
/* Bytes that were lost because the firmware did not fetch them in time, and resets by watchdog. */
uint64_t machine_overruns(void);
uint64_t machine_watchdog_resets(void);

#endif
