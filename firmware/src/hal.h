/* What the core needs of the machine that it runs on: the microcontroller, or the computer. */
#ifndef HAL_H
#define HAL_H

#include <stdbool.h>
#include <stdint.h>

/* Time since boot. Safe in interrupts too. */
uint32_t hal_ms(void);
uint32_t hal_us(void);

/* Keeps the interrupts out while data is shared with them; nests. */
uint8_t hal_lock(void);
void hal_unlock(uint8_t before);

/* The serial line. hal_rx gives the next byte that was received; hal_rx_stamp, called once for
 * each zero byte, the time at which it had arrived. hal_tx must find room. */
bool hal_rx(uint8_t *byte);
uint32_t hal_rx_stamp(void);
uint16_t hal_overruns(void);
uint8_t hal_tx_room(void);
bool hal_tx_idle(void);
void hal_tx(uint8_t byte);

/* The piezo: a tone of `hz`, volume 1 to 4; 0 Hz is silence. */
void hal_tone(uint16_t hz, uint8_t volume);

/* The motor's driver. hal_steps_start calls spinner_step (spinner.h) from an interrupt after
 * `interval` (2 us each), and after each interval that it returns, until it returns 0. */
void hal_motor_power(bool on);
void hal_steps_start(uint16_t interval);
void hal_steps_stop(void);
void hal_step_pin(bool high);
bool hal_at_home(void);

/* The buttons: bit BUTTON_STOP and bit BUTTON_JUDGE are set while pressed. At each press the
 * machine calls buttons_edge (buttons.h) from an interrupt. */
uint8_t hal_buttons(void);

/* Shows `count` LEDs, three bytes each in the order green, red, blue. */
void hal_ring_show(const uint8_t *grb, uint8_t count);

/* Memory that the stack has never reached. */
uint16_t hal_stack_free(void);

#endif
