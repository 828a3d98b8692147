#include "commands.h"

#include "buttons.h"
#include "events.h"
#include "glass.h"
#include "hal.h"
#include "light.h"
#include "link.h"
#include "parts.h"
#include "protocol.h"
#include "sound.h"
#include "spinner.h"

static void ping(uint32_t received_us, uint8_t *fields) {
    const ping_reply_t is = {.received_us = received_us, .sent_us = 0};
    ping_reply_write(fields, &is);
}

void commands_stamp_ping(uint8_t *fields) { protocol_put_u32(fields + 4, hal_us()); }

static void status(uint8_t *fields) {
    const status_reply_t is = {
        .active = parts_active(),
        .spinner = spinner_state(),
        .sector = spinner_sector(),
        .position = spinner_angle(),
        .sectors = spinner_sectors(),
        .muted = sound_muted(),
        .buttons = buttons_down(),
        .events_waiting = events_waiting(),
        .events_lost = events_lost(),
        .bad_frames = frame_bad(),
        .overruns = hal_overruns(),
        .stack_free = hal_stack_free(),
    };
    status_reply_write(fields, &is);
}

static uint8_t hourglass(const frame_t *f, uint8_t *fields, uint8_t *detail) {
    hourglass_t asked;
    uint8_t result = hourglass_read(&asked, f->payload, f->size, detail);
    if (result != RESULT_OK) return result;
    const hourglass_reply_t is = {.started_us = glass_start(&asked)};
    hourglass_reply_write(fields, &is);
    return RESULT_OK;
}

static uint8_t cancel(const frame_t *f, uint8_t *fields, uint8_t *detail) {
    cancel_t asked;
    uint8_t result = cancel_read(&asked, f->payload, f->size, detail);
    if (result != RESULT_OK) return result;
    const cancel_reply_t is = {.stopped = parts_stop(asked.parts, STOP_CANCELLED)};
    cancel_reply_write(fields, &is);
    return RESULT_OK;
}

static uint8_t buzz(const frame_t *f, uint8_t *detail) {
    buzz_t asked;
    uint8_t result = buzz_read(&asked, f->payload, f->size, detail);
    if (result == RESULT_OK) sound_play(VOICE_HOST, asked.pattern, asked.volume);
    return result;
}

static uint8_t mute(const frame_t *f, uint8_t *detail) {
    mute_t asked;
    uint8_t result = mute_read(&asked, f->payload, f->size, detail);
    if (result == RESULT_OK) sound_mute(asked.muted);
    return result;
}

static uint8_t sectors(const frame_t *f, uint8_t *detail) {
    sectors_t asked;
    uint8_t result = sectors_read(&asked, f->payload, f->size, detail);
    return result == RESULT_OK ? spinner_set_sectors(&asked) : result;
}

static uint8_t spin(const frame_t *f, uint8_t *fields, uint8_t *detail) {
    spin_t asked;
    spin_reply_t is;
    uint8_t result = spin_read(&asked, f->payload, f->size, detail);
    if (result == RESULT_OK) result = spinner_spin(&asked, &is.steps);
    if (result == RESULT_OK) spin_reply_write(fields, &is);
    return result;
}

static uint8_t light(const frame_t *f, uint8_t *detail) {
    light_t asked;
    uint8_t result = light_read(&asked, f->payload, f->size, detail);
    if (result == RESULT_OK) light_set(&asked);
    return result;
}

uint8_t commands_do(const frame_t *frame, uint32_t received_us, uint8_t *fields, uint8_t *size,
                    uint8_t *detail) {
    switch (frame->type) {
    case TYPE_HOURGLASS:
        *size = HOURGLASS_REPLY_SIZE;
        return hourglass(frame, fields, detail);
    case TYPE_CANCEL:
        *size = CANCEL_REPLY_SIZE;
        return cancel(frame, fields, detail);
    case TYPE_BUZZ:
        return buzz(frame, detail);
    case TYPE_MUTE:
        return mute(frame, detail);
    case TYPE_SECTORS:
        return sectors(frame, detail);
    case TYPE_SPIN:
        *size = SPIN_REPLY_SIZE;
        return spin(frame, fields, detail);
    case TYPE_LIGHT:
        return light(frame, detail);
    case TYPE_PING:
    case TYPE_STATUS:
    case TYPE_GLASS:
    case TYPE_HOME:
        break;
    default:
        return RESULT_UNKNOWN_COMMAND;
    }
    if (frame->size != 0) return RESULT_BAD_LENGTH;
    switch (frame->type) {
    case TYPE_PING:
        *size = PING_REPLY_SIZE;
        ping(received_us, fields);
        return RESULT_OK;
    case TYPE_STATUS:
        *size = STATUS_REPLY_SIZE;
        status(fields);
        return RESULT_OK;
    case TYPE_GLASS: {
        glass_reply_t is;
        glass_look(&is);
        *size = GLASS_REPLY_SIZE;
        glass_reply_write(fields, &is);
        return RESULT_OK;
    }
    default:
        return spinner_home();
    }
}
