/* Shared by the files of the microcontroller. */
#ifndef MACHINE_H
#define MACHINE_H

void serial_init(void);
void outputs_init(void);

/* From an interrupt: the main loop has something to do. */
void machine_wake(void);

#endif
