/* Draws the ring: the hourglass, or the host's light, or that there is no host. */
#ifndef RING_H
#define RING_H

void ring_init(void);
void ring_poll(void);

#endif
