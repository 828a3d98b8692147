/* Patterns on the piezo. The hourglass's voice goes before the host's. */
#ifndef SOUND_H
#define SOUND_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { VOICE_GLASS, VOICE_HOST, VOICES } voice_t;

void sound_init(void);
void sound_play(voice_t voice, uint8_t pattern, uint8_t volume);
void sound_stop(voice_t voice);
void sound_mute(bool muted);
bool sound_muted(void);
bool sound_active(voice_t voice);

/* The host has kept the piezo busy for longer than SOUND_MAX_MS. */
bool sound_overdue(void);
void sound_poll(void);

#endif
