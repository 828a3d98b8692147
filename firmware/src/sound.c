#include "sound.h"

#include "flash.h"
#include "hal.h"
#include "protocol.h"

typedef struct {
    uint16_t hz; /* 0: a rest */
    uint16_t ms; /* 0: the end */
} note_t;

/* All patterns, one after the other, each with its end. */
static const note_t NOTES[] IN_FLASH = {
    /* NONE */ {0, 0},
    /* TICK */ {2000, 30}, {0, 0},
    /* YES */ {1319, 120}, {0, 30}, {1760, 200}, {0, 0},
    /* NO */ {988, 150}, {0, 30}, {659, 250}, {0, 0},
    /* ATTENTION */ {2000, 100}, {0, 100}, {2000, 100}, {0, 100}, {2000, 100}, {0, 0},
    /* END */ {2500, 400}, {0, 200}, {2500, 400}, {0, 200}, {2500, 400}, {0, 200}, {2500, 900}, {0, 0},
    /* FANFARE */ {523, 150}, {659, 150}, {784, 150}, {1047, 450}, {0, 0},
};

static struct {
    const note_t *note; /* the one that sounds */
    uint32_t until_ms;
    bool active;
    uint8_t volume;
} voices[VOICES];
static bool is_muted;
static uint32_t busy_since_ms; /* since when the host's voice has been active */
static uint16_t tone_hz;
static uint8_t tone_volume;

static uint16_t note_hz(const note_t *note) { return flash_u16(&note->hz); }
static uint16_t note_ms(const note_t *note) { return flash_u16(&note->ms); }

static void set_tone(uint16_t hz, uint8_t volume) {
    if (hz == tone_hz && volume == tone_volume) return;
    tone_hz = hz;
    tone_volume = volume;
    hal_tone(hz, volume);
}

/* Lets the voice of the highest rank be heard. */
static void hear(void) {
    for (uint8_t v = 0; v < VOICES && !is_muted; v++) {
        if (!voices[v].active) continue;
        set_tone(note_hz(voices[v].note), voices[v].volume);
        return;
    }
    set_tone(0, 0);
}

void sound_init(void) {
    for (uint8_t v = 0; v < VOICES; v++) voices[v].active = false;
    is_muted = false;
    tone_hz = 0;
    tone_volume = 0;
}

void sound_play(voice_t voice, uint8_t pattern, uint8_t volume) {
    const note_t *note = NOTES;
    for (; pattern; pattern--) {
        while (note_ms(note)) note++;
        note++;
    }
    uint32_t now = hal_ms();
    if (voice == VOICE_HOST && !voices[voice].active) busy_since_ms = now;
    voices[voice].note = note;
    voices[voice].until_ms = now + note_ms(note);
    voices[voice].active = note_ms(note) != 0;
    voices[voice].volume = volume;
    hear();
}

void sound_stop(voice_t voice) {
    voices[voice].active = false;
    hear();
}

void sound_mute(bool muted) {
    is_muted = muted;
    hear();
}

bool sound_muted(void) { return is_muted; }

bool sound_active(voice_t voice) { return voices[voice].active; }

bool sound_overdue(void) {
    return voices[VOICE_HOST].active && hal_ms() - busy_since_ms >= SOUND_MAX_MS;
}

void sound_poll(void) {
    for (uint8_t v = 0; v < VOICES; v++) {
        if (!voices[v].active || (int32_t)(hal_ms() - voices[v].until_ms) < 0) continue;
        voices[v].note++;
        voices[v].until_ms += note_ms(voices[v].note);
        voices[v].active = note_ms(voices[v].note) != 0;
    }
    hear();
}
