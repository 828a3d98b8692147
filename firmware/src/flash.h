/* Tables that stay in the flash memory of the microcontroller. */
#ifndef FLASH_H
#define FLASH_H

#include <stdint.h>

#ifdef __AVR__
#include <avr/pgmspace.h>
#define IN_FLASH PROGMEM
static inline uint16_t flash_u16(const uint16_t *p) { return pgm_read_word(p); }
#else
#define IN_FLASH
static inline uint16_t flash_u16(const uint16_t *p) { return *p; }
#endif

#endif
