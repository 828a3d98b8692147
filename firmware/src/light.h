/* What the host wants the ring to show. */
#ifndef LIGHT_H
#define LIGHT_H

#include <stdbool.h>

#include "protocol.h"

void light_init(void);
void light_set(const light_t *asked);
void light_off(void);
bool light_on(void);

/* It has been on for LIGHT_MAX_MS. */
bool light_overdue(void);
const light_t *light_now(void);

#endif
