/* The messages between host and box. Generated from referee/box/protocol.toml by firmware/generator: change it there. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#define PROTOCOL_VERSION 1
#define BAUD 115200UL
#define MAX_PAYLOAD 56
#define RESEND_MS 150
#define HEARTBEAT_MS 500
#define HOST_SILENT_MS 1500
#define HELLO_FOR_MS 3000
#define RING_LEDS 24
#define STEPS_PER_TURN 1600
#define LOST_STEPS_LIMIT 8
#define SECTOR_UNKNOWN 255
#define MOTOR_MAX_MS 30000
#define SOUND_MAX_MS 5000
#define LIGHT_MAX_MS 3600000UL
#define GLASS_MAX_MS 1800000UL

/* How a command went. */
enum {
    RESULT_OK = 0,
    RESULT_NO_SESSION = 1,
    RESULT_OUT_OF_ORDER = 2,
    RESULT_UNKNOWN_COMMAND = 3,
    RESULT_BAD_LENGTH = 4,
    RESULT_OUT_OF_RANGE = 5,
    RESULT_WRONG_PROTOCOL = 6,
    RESULT_BUSY = 7,
    RESULT_NOT_HOMED = 8,
    RESULT_NO_SECTORS = 9,
};

/* Why the microcontroller started. */
enum {
    RESET_CAUSE_UNKNOWN = 0,
    RESET_CAUSE_POWER_ON = 1,
    RESET_CAUSE_EXTERNAL = 2,
    RESET_CAUSE_BROWN_OUT = 3,
    RESET_CAUSE_WATCHDOG = 4,
};

/* What speaks. */
enum {
    BOARD_ATMEGA328P = 1,
    BOARD_HOST_BUILD = 2,
    BOARD_FAKE = 3,
};

/* A row of tones. None is longer than SOUND_MAX_MS. */
enum {
    PATTERN_NONE = 0,
    PATTERN_TICK = 1,
    PATTERN_YES = 2,
    PATTERN_NO = 3,
    PATTERN_ATTENTION = 4,
    PATTERN_END = 5,
    PATTERN_FANFARE = 6,
};

/* What the ring shows while no hourglass runs. */
enum {
    LIGHT_MODE_OFF = 0,
    LIGHT_MODE_STEADY = 1,
    LIGHT_MODE_BREATHE = 2,
    LIGHT_MODE_TURN = 3,
    LIGHT_MODE_BAR = 4,
};

/* The hourglass. */
enum {
    GLASS_STATE_IDLE = 0,
    GLASS_STATE_RUNNING = 1,
    GLASS_STATE_ENDED = 2,
};

/* The arrow. */
enum {
    SPINNER_STATE_NOT_HOMED = 0,
    SPINNER_STATE_AT_REST = 1,
    SPINNER_STATE_HOMING = 2,
    SPINNER_STATE_SPINNING = 3,
};

/* How the arrow speeds up and slows down (both eased). */
enum {
    PROFILE_BRISK = 0,
    PROFILE_LONG = 1,
    PROFILE_SLOW = 2,
};

/* A button. */
enum {
    BUTTON_STOP = 0,
    BUTTON_JUDGE = 1,
};

/* How homing went. */
enum {
    HOME_OUTCOME_FOUND = 0,
    HOME_OUTCOME_NOT_FOUND = 1,
    HOME_OUTCOME_CANCELLED = 2,
    HOME_OUTCOME_LINK_LOST = 3,
};

/* How a spin went. */
enum {
    SPIN_OUTCOME_STOPPED = 0,
    SPIN_OUTCOME_HOME_NOT_SEEN = 1,
    SPIN_OUTCOME_CANCELLED = 2,
    SPIN_OUTCOME_LINK_LOST = 3,
    SPIN_OUTCOME_TIME_LIMIT = 4,
};

/* Parts of the box. */
enum {
    PARTS_GLASS = 1,
    PARTS_SOUND = 2,
    PARTS_SPINNER = 4,
    PARTS_LIGHT = 8,
};

/* Buttons that are held down. */
enum {
    BUTTONS_STOP = 1,
    BUTTONS_JUDGE = 2,
};

/* Types of frames. */
enum {
    TYPE_HELLO = 0x01,
    TYPE_PING = 0x02,
    TYPE_STATUS = 0x03,
    TYPE_HOURGLASS = 0x04,
    TYPE_GLASS = 0x05,
    TYPE_CANCEL = 0x06,
    TYPE_BUZZ = 0x07,
    TYPE_MUTE = 0x08,
    TYPE_SECTORS = 0x09,
    TYPE_HOME = 0x0a,
    TYPE_SPIN = 0x0b,
    TYPE_LIGHT = 0x0c,
    TYPE_BOOTED = 0x80,
    TYPE_PRESSED = 0x81,
    TYPE_GLASS_ENDED = 0x82,
    TYPE_HOMED = 0x83,
    TYPE_SPIN_DONE = 0x84,
    TYPE_STEPS_LOST = 0x85,
    TYPE_LINK_LOST = 0x86,
    TYPE_TIME_LIMIT = 0x87,
    TYPE_EVENT_ACK = 0xc0,
    TYPE_REPLY = 0x40, /* added to a command's type */
};

static inline uint16_t protocol_u16(const uint8_t *p) {
    return (uint16_t)(p[0] | (uint16_t)(p[1] << 8));
}

static inline uint32_t protocol_u32(const uint8_t *p) {
    return protocol_u16(p) | (uint32_t)protocol_u16(p + 2) << 16;
}

static inline void protocol_put_u16(uint8_t *p, uint16_t v) {
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void protocol_put_u32(uint8_t *p, uint32_t v) {
    protocol_put_u16(p, (uint16_t)v);
    protocol_put_u16(p + 2, (uint16_t)(v >> 16));
}

/* Opens a session and tells who speaks. */
typedef struct {
    uint8_t protocol; /* The version that the host speaks. */
    uint16_t session; /* Drawn anew by the host for each session. */
} hello_t;

/* Reads a Hello; returns a result, and in *detail the number of a bad field. */
static inline uint8_t hello_read(hello_t *m, const uint8_t *p,
    uint8_t size, uint8_t *detail) {
    if (size != 3) return RESULT_BAD_LENGTH;
    m->protocol = p[0];
    m->session = protocol_u16(p + 1);
    if (m->session < 1) { *detail = 1; return RESULT_OUT_OF_RANGE; }
    return RESULT_OK;
}

/* Starts an hourglass, in place of any other. It ends and sounds by itself, without the host. */
typedef struct {
    uint16_t glass_id; /* Chosen by the host, to know its hourglass again. */
    uint32_t duration_ms; /* ms: By the host's clock. */
    uint8_t warn_s; /* s: In the last so many seconds each one ticks; 0: none. */
    uint8_t pattern; /* Sounds at the end. */
    uint8_t volume; /* Of the ticks and the end; 4 is the loudest. */
    int16_t clock_ppm; /* ppm: By how much the box's clock runs faster than the host's, as the host has measured; the box stretches the time by it. */
} hourglass_t;

/* Reads a Hourglass; returns a result, and in *detail the number of a bad field. */
static inline uint8_t hourglass_read(hourglass_t *m, const uint8_t *p,
    uint8_t size, uint8_t *detail) {
    if (size != 11) return RESULT_BAD_LENGTH;
    m->glass_id = protocol_u16(p + 0);
    m->duration_ms = protocol_u32(p + 2);
    m->warn_s = p[6];
    m->pattern = p[7];
    m->volume = p[8];
    m->clock_ppm = (int16_t)protocol_u16(p + 9);
    if (m->duration_ms < 100UL || m->duration_ms > 1800000UL) { *detail = 1; return RESULT_OUT_OF_RANGE; }
    if (m->warn_s > 30) { *detail = 2; return RESULT_OUT_OF_RANGE; }
    if (m->pattern > 6) { *detail = 3; return RESULT_OUT_OF_RANGE; }
    if (m->volume < 1 || m->volume > 4) { *detail = 4; return RESULT_OUT_OF_RANGE; }
    if (m->clock_ppm < -20000 || m->clock_ppm > 20000) { *detail = 5; return RESULT_OUT_OF_RANGE; }
    return RESULT_OK;
}

/* Stops parts at once. */
typedef struct {
    uint8_t parts; /* What to stop. */
} cancel_t;

/* Reads a Cancel; returns a result, and in *detail the number of a bad field. */
static inline uint8_t cancel_read(cancel_t *m, const uint8_t *p,
    uint8_t size, uint8_t *detail) {
    if (size != 1) return RESULT_BAD_LENGTH;
    m->parts = p[0];
    if (m->parts > 15) { *detail = 0; return RESULT_OUT_OF_RANGE; }
    return RESULT_OK;
}

/* Sounds a pattern, in place of any other of BUZZ. The hourglass's own sounds go first. */
typedef struct {
    uint8_t pattern; /* The pattern. */
    uint8_t volume; /* 4 is the loudest. */
} buzz_t;

/* Reads a Buzz; returns a result, and in *detail the number of a bad field. */
static inline uint8_t buzz_read(buzz_t *m, const uint8_t *p,
    uint8_t size, uint8_t *detail) {
    if (size != 2) return RESULT_BAD_LENGTH;
    m->pattern = p[0];
    m->volume = p[1];
    if (m->pattern > 6) { *detail = 0; return RESULT_OUT_OF_RANGE; }
    if (m->volume < 1 || m->volume > 4) { *detail = 1; return RESULT_OUT_OF_RANGE; }
    return RESULT_OK;
}

/* Switches all sound off or on, the hourglass's too. Holds until the next boot. */
typedef struct {
    bool muted; /* No sound. */
} mute_t;

/* Reads a Mute; returns a result, and in *detail the number of a bad field. */
static inline uint8_t mute_read(mute_t *m, const uint8_t *p,
    uint8_t size, uint8_t *detail) {
    if (size != 1) return RESULT_BAD_LENGTH;
    if (p[0] > 1) { *detail = 0; return RESULT_OUT_OF_RANGE; }
    m->muted = p[0] != 0;
    return RESULT_OK;
}

/* Tells the sectors of the arrow's dial. Each runs from its start to the next one's, the last one to the first one's. */
typedef struct {
    uint8_t starts_count;
    uint16_t starts[24]; /* 1/65536 turn: Angles from home in the sense of rotation, rising. */
} sectors_t;

/* Reads a Sectors; returns a result, and in *detail the number of a bad field. */
static inline uint8_t sectors_read(sectors_t *m, const uint8_t *p,
    uint8_t size, uint8_t *detail) {
    if (size < 4 || size > 48 || size % 2) return RESULT_BAD_LENGTH;
    m->starts_count = (uint8_t)((size - 0) / 2);
    for (uint8_t i = 0; i < m->starts_count; i++)
        m->starts[i] = protocol_u16(p + 0 + 2 * i);
    (void)detail;
    return RESULT_OK;
}

/* Turns the arrow to the middle of a sector. SPIN_DONE tells the end. What the arrow really points to is for the camera to say. */
typedef struct {
    uint8_t sector; /* Number of the sector, from 0. */
    uint8_t turns; /* Whole turns before it: at least one, so that the home sensor is passed. */
    uint8_t profile; /* How it speeds up and slows down. */
} spin_t;

/* Reads a Spin; returns a result, and in *detail the number of a bad field. */
static inline uint8_t spin_read(spin_t *m, const uint8_t *p,
    uint8_t size, uint8_t *detail) {
    if (size != 3) return RESULT_BAD_LENGTH;
    m->sector = p[0];
    m->turns = p[1];
    m->profile = p[2];
    if (m->sector > 23) { *detail = 0; return RESULT_OUT_OF_RANGE; }
    if (m->turns < 1 || m->turns > 10) { *detail = 1; return RESULT_OUT_OF_RANGE; }
    if (m->profile > 2) { *detail = 2; return RESULT_OUT_OF_RANGE; }
    return RESULT_OK;
}

/* Sets what the ring shows while no hourglass runs. The firmware shows a quarter of each level: a full white ring draws 0.36 A. */
typedef struct {
    uint8_t mode; /* What it shows. */
    uint8_t red; /* Level. */
    uint8_t green; /* Level. */
    uint8_t blue; /* Level. */
    uint8_t amount; /* LEDs: For BAR: how many LEDs. */
} light_t;

/* Reads a Light; returns a result, and in *detail the number of a bad field. */
static inline uint8_t light_read(light_t *m, const uint8_t *p,
    uint8_t size, uint8_t *detail) {
    if (size != 5) return RESULT_BAD_LENGTH;
    m->mode = p[0];
    m->red = p[1];
    m->green = p[2];
    m->blue = p[3];
    m->amount = p[4];
    if (m->mode > 4) { *detail = 0; return RESULT_OUT_OF_RANGE; }
    if (m->amount > 24) { *detail = 4; return RESULT_OUT_OF_RANGE; }
    return RESULT_OK;
}

/* Answer to Hello. */
typedef struct {
    uint8_t protocol; /* The version that the box speaks. */
    uint8_t board; /* What speaks. */
    uint32_t source_hash; /* First four bytes of the SHA-256 of the firmware's sources. */
    uint16_t boot_id; /* Another one after each reset. */
    uint8_t reset_cause; /* Why it started last. */
    uint32_t uptime_ms; /* ms: Time since boot; wraps after 49 days. */
    uint8_t next_event; /* Sequence of the oldest event that waits, or of the next one. */
} hello_reply_t;

enum { HELLO_REPLY_SIZE = 14 };

static inline void hello_reply_write(uint8_t *p, const hello_reply_t *m) {
    p[0] = m->protocol;
    p[1] = m->board;
    protocol_put_u32(p + 2, m->source_hash);
    protocol_put_u16(p + 6, m->boot_id);
    p[8] = m->reset_cause;
    protocol_put_u32(p + 9, m->uptime_ms);
    p[13] = m->next_event;
}

/* Answer to Ping. */
typedef struct {
    uint32_t received_us; /* us: When the last byte of PING had arrived. */
    uint32_t sent_us; /* us: When the first byte of this reply was handed to the line. */
} ping_reply_t;

enum { PING_REPLY_SIZE = 8 };

static inline void ping_reply_write(uint8_t *p, const ping_reply_t *m) {
    protocol_put_u32(p + 0, m->received_us);
    protocol_put_u32(p + 4, m->sent_us);
}

/* Answer to Status. */
typedef struct {
    uint8_t active; /* Parts that are running, sounding, turning or lit. */
    uint8_t spinner; /* The arrow. */
    uint8_t sector; /* The sector that the arrow is believed to point to, or SECTOR_UNKNOWN. */
    uint16_t position; /* 1/65536 turn: The arrow's angle from home; 0 if not homed. */
    uint8_t sectors; /* How many sectors SECTORS has set. */
    bool muted; /* MUTE. */
    uint8_t buttons; /* Buttons held down, debounced. */
    uint8_t events_waiting; /* Events not yet acknowledged. */
    uint16_t events_lost; /* Events since boot that found no room. */
    uint16_t bad_frames; /* Frames dropped since boot: not COBS, wrong length or CRC. */
    uint16_t overruns; /* Bytes lost since boot because they came too fast. */
    uint16_t stack_free; /* bytes: Memory that the stack has never reached since boot. */
} status_reply_t;

enum { STATUS_REPLY_SIZE = 17 };

static inline void status_reply_write(uint8_t *p, const status_reply_t *m) {
    p[0] = m->active;
    p[1] = m->spinner;
    p[2] = m->sector;
    protocol_put_u16(p + 3, m->position);
    p[5] = m->sectors;
    p[6] = (uint8_t)m->muted;
    p[7] = m->buttons;
    p[8] = m->events_waiting;
    protocol_put_u16(p + 9, m->events_lost);
    protocol_put_u16(p + 11, m->bad_frames);
    protocol_put_u16(p + 13, m->overruns);
    protocol_put_u16(p + 15, m->stack_free);
}

/* Answer to Hourglass. */
typedef struct {
    uint32_t started_us; /* us: When the sand began to run. */
} hourglass_reply_t;

enum { HOURGLASS_REPLY_SIZE = 4 };

static inline void hourglass_reply_write(uint8_t *p, const hourglass_reply_t *m) {
    protocol_put_u32(p + 0, m->started_us);
}

/* Answer to Glass. */
typedef struct {
    uint8_t state; /* The hourglass. */
    uint16_t glass_id; /* Of the one that runs or ended last; 0 if there is none. */
    uint32_t duration_ms; /* ms: As it was started; 0 if there is none. */
    uint32_t remaining_ms; /* ms: By the host's clock, at `asked_us`; 0 unless RUNNING. */
    bool interrupted; /* The box was reset while it ran: what remains is right to within two seconds only. */
    uint32_t asked_us; /* us: The box's clock when it looked. */
} glass_reply_t;

enum { GLASS_REPLY_SIZE = 16 };

static inline void glass_reply_write(uint8_t *p, const glass_reply_t *m) {
    p[0] = m->state;
    protocol_put_u16(p + 1, m->glass_id);
    protocol_put_u32(p + 3, m->duration_ms);
    protocol_put_u32(p + 7, m->remaining_ms);
    p[11] = (uint8_t)m->interrupted;
    protocol_put_u32(p + 12, m->asked_us);
}

/* Answer to Cancel. */
typedef struct {
    uint8_t stopped; /* What of it was active. */
} cancel_reply_t;

enum { CANCEL_REPLY_SIZE = 1 };

static inline void cancel_reply_write(uint8_t *p, const cancel_reply_t *m) {
    p[0] = m->stopped;
}

/* Answer to Spin. */
typedef struct {
    uint16_t steps; /* steps: Steps that it will make if none is lost. */
} spin_reply_t;

enum { SPIN_REPLY_SIZE = 2 };

static inline void spin_reply_write(uint8_t *p, const spin_reply_t *m) {
    protocol_put_u16(p + 0, m->steps);
}

/* The firmware started. */
typedef struct {
    uint16_t boot_id; /* Of this start. */
    uint8_t reset_cause; /* Why. */
    bool glass_resumed; /* An hourglass ran before the reset, and runs on. */
} booted_t;

enum { BOOTED_SIZE = 4 };

static inline void booted_write(uint8_t *p, const booted_t *m) {
    protocol_put_u16(p + 0, m->boot_id);
    p[2] = m->reset_cause;
    p[3] = (uint8_t)m->glass_resumed;
}

/* A button went down; the stamp is of its first contact. */
typedef struct {
    uint8_t button; /* Which. */
} pressed_t;

enum { PRESSED_SIZE = 1 };

static inline void pressed_write(uint8_t *p, const pressed_t *m) {
    p[0] = m->button;
}

/* The hourglass ran out; the end signal began at the stamp. */
typedef struct {
    uint16_t glass_id; /* Which. */
    bool interrupted; /* The box was reset while it ran: the end is right to within two seconds only. */
} glass_ended_t;

enum { GLASS_ENDED_SIZE = 3 };

static inline void glass_ended_write(uint8_t *p, const glass_ended_t *m) {
    protocol_put_u16(p + 0, m->glass_id);
    p[2] = (uint8_t)m->interrupted;
}

/* Homing is over. */
typedef struct {
    uint8_t outcome; /* How it went. */
    uint16_t steps; /* steps: Steps made. */
} homed_t;

enum { HOMED_SIZE = 3 };

static inline void homed_write(uint8_t *p, const homed_t *m) {
    p[0] = m->outcome;
    protocol_put_u16(p + 1, m->steps);
}

/* The arrow stands. */
typedef struct {
    uint8_t outcome; /* How it went. */
    uint8_t sector; /* The sector that the firmware believes it points to, or SECTOR_UNKNOWN. */
    uint16_t steps; /* steps: Steps made. */
    int16_t lost; /* steps: Steps found lost during this spin, and made up for. */
} spin_done_t;

enum { SPIN_DONE_SIZE = 6 };

static inline void spin_done_write(uint8_t *p, const spin_done_t *m) {
    p[0] = m->outcome;
    p[1] = m->sector;
    protocol_put_u16(p + 2, m->steps);
    protocol_put_u16(p + 4, (uint16_t)m->lost);
}

/* A home pass came early or late. The arrow's place was corrected by it. */
typedef struct {
    int16_t lost; /* steps: Steps that the motor was told but did not make; negative if it was pushed on. */
} steps_lost_t;

enum { STEPS_LOST_SIZE = 2 };

static inline void steps_lost_write(uint8_t *p, const steps_lost_t *m) {
    protocol_put_u16(p + 0, (uint16_t)m->lost);
}

/* The host fell silent, and the box took its safe state. */
typedef struct {
    uint8_t stopped; /* What was stopped by it. */
} link_lost_t;

enum { LINK_LOST_SIZE = 1 };

static inline void link_lost_write(uint8_t *p, const link_lost_t *m) {
    p[0] = m->stopped;
}

/* Parts were stopped because they had run for their longest time. */
typedef struct {
    uint8_t parts; /* Which. */
} time_limit_t;

enum { TIME_LIMIT_SIZE = 1 };

static inline void time_limit_write(uint8_t *p, const time_limit_t *m) {
    p[0] = m->parts;
}


#endif
