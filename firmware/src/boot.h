/* What the machine knows of its own start. */
#ifndef BOOT_H
#define BOOT_H

#include <stdbool.h>
#include <stdint.h>

uint8_t boot_board(void);
uint16_t boot_id(void);
uint8_t boot_cause(void);

#endif
