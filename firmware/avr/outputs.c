/* Piezo (timer 1), stepper (timer 2), ring, buttons and home sensor. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "buttons.h"
#include "hal.h"
#include "machine.h"
#include "pins.h"
#include "protocol.h"
#include "spinner.h"

void outputs_init(void) {
    PORTD = 1 << STOP_PIN | 1 << JUDGE_PIN | 1 << HOME_PIN | 1 << ENABLE_PIN;
    DDRD = 1 << STEP_PIN | 1 << ENABLE_PIN | 1 << RING_PIN;
    DDRB = 1 << PIEZO_PIN;
    /* Both buttons interrupt at the falling edge. */
    EICRA = 1 << ISC11 | 1 << ISC01;
    EIFR = 1 << INTF1 | 1 << INTF0;
    EIMSK = 1 << INT1 | 1 << INT0;
    /* Timer 2 counts up to OCR2A in steps of 2 us; it runs while the motor turns. */
    TCCR2A = 1 << WGM21;
    TIMSK2 = 1 << OCIE2A;
}

/* Fast PWM up to ICR1, eighths of the clock: the hardware makes the tone, its duty the volume. */
void hal_tone(uint16_t hz, uint8_t volume) {
    static const uint8_t DUTY_SHIFT[] = {1, 6, 4, 2, 1}; /* 1/64, 1/16, 1/4, 1/2 of the period */
    TCCR1B = 0;
    TCCR1A = 0; /* the pin is the port's again: low */
    if (hz == 0) return;
    uint16_t period = (uint16_t)(F_CPU / 8 / hz);
    TCNT1 = 0;
    ICR1 = period - 1;
    OCR1A = (uint16_t)(period >> DUTY_SHIFT[volume]) - 1;
    TCCR1A = 1 << COM1A1 | 1 << WGM11;
    TCCR1B = 1 << WGM13 | 1 << WGM12 | 1 << CS11;
}

void hal_motor_power(bool on) {
    uint8_t before = hal_lock();
    if (on)
        PORTD &= (uint8_t)~(1 << ENABLE_PIN);
    else
        PORTD |= 1 << ENABLE_PIN;
    hal_unlock(before);
}

void hal_step_pin(bool high) {
    if (high)
        PORTD |= 1 << STEP_PIN;
    else
        PORTD &= (uint8_t)~(1 << STEP_PIN);
}

bool hal_at_home(void) { return !(PIND & 1 << HOME_PIN); }

static volatile uint16_t wait; /* what is left of the interval after this round of timer 2 */

/* Rounds of 8 bits; none so short that the interrupt could miss it. */
static void next_round(uint16_t interval) {
    uint16_t round = interval <= 256 ? interval : interval < 512 ? interval / 2 : 256;
    OCR2A = (uint8_t)(round - 1);
    wait = interval - round;
}

void hal_steps_start(uint16_t interval) {
    TCNT2 = 0;
    next_round(interval);
    TIFR2 = 1 << OCF2A;
    TCCR2B = 1 << CS21 | 1 << CS20;
}

void hal_steps_stop(void) {
    uint8_t before = hal_lock();
    TCCR2B = 0;
    TIFR2 = 1 << OCF2A;
    hal_unlock(before);
}

ISR(TIMER2_COMPA_vect) {
    uint16_t next = wait ? wait : spinner_step();
    if (next)
        next_round(next);
    else
        TCCR2B = 0;
}

ISR(INT0_vect) { buttons_edge(BUTTON_STOP, hal_us()); }

ISR(INT1_vect) { buttons_edge(BUTTON_JUDGE, hal_us()); }

uint8_t hal_buttons(void) {
    uint8_t pins = (uint8_t)~PIND;
    return (uint8_t)((pins >> STOP_PIN & 1) << BUTTON_STOP | (pins >> JUDGE_PIN & 1) << BUTTON_JUDGE);
}

/* A bit takes 20 cycles (1.25 us): high for 6 (a zero) or 13 (a one). */
static inline void ring_byte(uint8_t byte, uint8_t high, uint8_t low) {
    uint8_t bits = 8;
    __asm__ volatile("1: out %[port], %[high]\n"
                     "   rjmp .+0\n"
                     "   nop\n"
                     "   nop\n"
                     "   sbrs %[byte], 7\n"
                     "   out %[port], %[low]\n"
                     "   lsl %[byte]\n"
                     "   rjmp .+0\n"
                     "   rjmp .+0\n"
                     "   nop\n"
                     "   out %[port], %[low]\n"
                     "   rjmp .+0\n"
                     "   nop\n"
                     "   dec %[bits]\n"
                     "   brne 1b\n"
                     : [byte] "+r"(byte), [bits] "+d"(bits)
                     : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"(high), [low] "r"(low));
}

/* Interrupts are kept out for one LED at a time (31 us): the serial line holds two bytes (174 us). */
void hal_ring_show(const uint8_t *grb, uint8_t count) {
    for (; count; count--) {
        uint8_t before = hal_lock();
        uint8_t low = PORTD & (uint8_t)~(1 << RING_PIN), high = low | 1 << RING_PIN;
        for (uint8_t i = 0; i < 3; i++) ring_byte(*grb++, high, low);
        hal_unlock(before);
    }
}
