/* The session with the host: each command once, each event until acknowledged, silence noticed. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stdint.h>

void link_init(void);

/* Reads what has come, does commands, answers, and sends events. */
void link_poll(void);

/* True while there is a session and the host is not silent. */
bool link_up(void);

/* True once for each time that the host has fallen silent. */
bool link_was_lost(void);

#endif
