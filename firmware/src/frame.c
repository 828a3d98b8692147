#include "frame.h"

#include "hal.h"

static uint8_t line[FRAME_RAW + 1]; /* what has come since the last end; decoded in place */
static uint8_t length;
static uint16_t bad;

void frame_init(void) {
    length = 0;
    bad = 0;
}

uint16_t frame_bad(void) { return bad; }

/* CRC-16/CCITT-FALSE of one byte more. */
static uint16_t crc_byte(uint16_t crc, uint8_t byte) {
    uint8_t x = (uint8_t)((crc >> 8) ^ byte);
    x ^= x >> 4;
    return (uint16_t)((uint16_t)(crc << 8) ^ (uint16_t)(x << 12) ^ (uint16_t)(x << 5) ^ x);
}

/* Undoes COBS in place; returns the size, 0 if it was none. */
static uint8_t unstuff(void) {
    uint8_t from = 0, to = 0;
    while (from < length) {
        uint8_t run = line[from++];
        if (run - 1 > length - from) return 0;
        while (--run) line[to++] = line[from++];
        if (from < length) line[to++] = 0;
    }
    return to;
}

static bool decode(frame_t *frame) {
    uint8_t size = unstuff();
    if (size < FRAME_OVERHEAD) return false;
    uint16_t crc = 0xffff;
    for (uint8_t i = 0; i < size - 2; i++) crc = crc_byte(crc, line[i]);
    if (crc != protocol_u16(line + size - 2)) return false;
    frame->sequence = line[0];
    frame->type = line[1];
    frame->payload = line + 2;
    frame->size = (uint8_t)(size - FRAME_OVERHEAD);
    return true;
}

bool frame_byte(uint8_t byte, frame_t *frame) {
    if (byte != 0) {
        /* One byte too many marks what is too long. */
        if (length <= sizeof line) length++;
        if (length <= sizeof line) line[length - 1] = byte;
        return false;
    }
    if (length == 0) return false;
    bool good = length <= sizeof line && decode(frame);
    if (!good && bad < UINT16_MAX) bad++;
    length = 0;
    return good;
}

bool frame_send(const frame_t *frame) {
    if (hal_tx_room() < frame->size + FRAME_OVERHEAD + 2) return false;
    uint8_t raw[FRAME_RAW];
    uint8_t size = 0;
    raw[size++] = frame->sequence;
    raw[size++] = frame->type;
    for (uint8_t i = 0; i < frame->size; i++) raw[size++] = frame->payload[i];
    uint16_t crc = 0xffff;
    for (uint8_t i = 0; i < size; i++) crc = crc_byte(crc, raw[i]);
    protocol_put_u16(raw + size, crc);
    size = (uint8_t)(size + 2);
    for (uint8_t at = 0; at <= size;) {
        uint8_t end = at;
        while (end < size && raw[end] != 0) end++;
        hal_tx((uint8_t)(end - at + 1));
        while (at < end) hal_tx(raw[at++]);
        at++; /* the zero, or the step beyond the end */
    }
    hal_tx(0);
    return true;
}
