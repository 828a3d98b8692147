#include "link.h"

#include <stddef.h>
#include <string.h>

#include "boot.h"
#include "commands.h"
#include "events.h"
#include "frame.h"
#include "hal.h"
#include "protocol.h"

enum { NO_COMMAND = 0 };

/* What is to be sent in answer. A refusal or a HELLO's reply leaves the kept reply alone. */
enum { NOTHING, KEPT, REFUSAL, HELLO };

static uint16_t session; /* 0: none */
static uint8_t last_sequence;
static uint8_t last_type; /* of the command whose reply is kept; NO_COMMAND: none */
static uint8_t kept[REPLY_MAX], kept_size;
static uint8_t due, due_sequence, due_type, due_result, due_detail;
static bool up, lost;
static uint32_t heard_ms;
static bool event_sent; /* the oldest event has been sent at least once */
static uint32_t event_sent_ms;

void link_init(void) {
    session = 0;
    last_type = NO_COMMAND;
    due = NOTHING;
    up = false;
    lost = false;
    event_sent = false;
}

bool link_up(void) { return up; }

bool link_was_lost(void) {
    bool was = lost;
    lost = false;
    return was;
}

static void refuse(uint8_t result, uint8_t detail) {
    due = REFUSAL;
    due_result = result;
    due_detail = detail;
}

static void hello(const frame_t *frame) {
    hello_t asked;
    uint8_t detail = 0;
    uint8_t result = hello_read(&asked, frame->payload, frame->size, &detail);
    if (result != RESULT_OK) {
        refuse(result, detail);
    } else if (asked.protocol != PROTOCOL_VERSION) {
        refuse(RESULT_WRONG_PROTOCOL, PROTOCOL_VERSION);
    } else {
        due = HELLO;
        up = true;
        if (asked.session != session) {
            session = asked.session;
            last_sequence = frame->sequence;
            last_type = NO_COMMAND;
            event_sent = false;
        }
    }
}

static void command(const frame_t *frame, uint32_t received_us) {
    if (session == 0) {
        refuse(RESULT_NO_SESSION, 0);
        return;
    }
    if (frame->sequence != last_sequence || frame->type != last_type) {
        if (frame->sequence != (uint8_t)(last_sequence + 1)) {
            refuse(RESULT_OUT_OF_ORDER, 0);
            return;
        }
        uint8_t size = 0;
        kept[1] = 0;
        kept[0] = commands_do(frame, received_us, kept + REPLY_HEAD, &size, &kept[1]);
        kept_size = (uint8_t)(kept[0] == RESULT_OK ? REPLY_HEAD + size : REPLY_HEAD);
        last_sequence = frame->sequence;
        last_type = frame->type;
    }
    due = KEPT;
}

static void receive(void) {
    uint8_t byte;
    frame_t frame = {0};
    while (hal_rx(&byte)) {
        uint32_t stamp = byte ? 0 : hal_rx_stamp();
        if (!frame_byte(byte, &frame)) continue;
        heard_ms = hal_ms();
        up = session != 0;
        if (frame.type == TYPE_EVENT_ACK) {
            /* Without a session it is meant for an event of before the last reset. */
            if (up && frame.size == 0 && events_acknowledge(frame.sequence)) event_sent = false;
        } else if (frame.type < TYPE_REPLY) {
            due_sequence = frame.sequence;
            due_type = frame.type | TYPE_REPLY;
            if (frame.type == TYPE_HELLO) {
                hello(&frame);
            } else {
                command(&frame, stamp);
            }
        }
    }
}

static void send_answer(void) {
    uint8_t other[REPLY_HEAD + HELLO_REPLY_SIZE] = {RESULT_OK, 0};
    const uint8_t *payload = other;
    uint8_t size = REPLY_HEAD;
    if (due == HELLO) {
        const hello_reply_t is = {
            .protocol = PROTOCOL_VERSION,
            .board = boot_board(),
            .source_hash = SOURCE_HASH,
            .boot_id = boot_id(),
            .reset_cause = boot_cause(),
            .uptime_ms = hal_ms(),
            .next_event = events_sequence(),
        };
        hello_reply_write(other + REPLY_HEAD, &is);
        size = sizeof other;
    } else if (due == REFUSAL) {
        other[0] = due_result;
        other[1] = due_detail; /* cppcheck-suppress unreadVariable ; read through payload */
    } else {
        payload = kept;
        size = kept_size;
        if (last_type == TYPE_PING && kept[0] == RESULT_OK) {
            /* Its stamp means nothing if other bytes go first. */
            if (!hal_tx_idle()) return;
            commands_stamp_ping(kept + REPLY_HEAD);
        }
    }
    const frame_t frame = {due_sequence, due_type, size, payload};
    if (frame_send(&frame)) due = NOTHING;
}

static void send_event(void) {
    const event_t *event = events_oldest();
    if (event == NULL || !up) return;
    if (event_sent && hal_ms() - event_sent_ms < RESEND_MS) return;
    uint8_t payload[4 + EVENT_PAYLOAD];
    protocol_put_u32(payload, event->at_us);
    memcpy(payload + 4, event->payload, event->size);
    const frame_t frame = {events_sequence(), event->type, (uint8_t)(4 + event->size), payload};
    if (frame_send(&frame)) {
        event_sent = true;
        event_sent_ms = hal_ms();
    }
}

void link_poll(void) {
    receive();
    if (up && hal_ms() - heard_ms >= HOST_SILENT_MS) {
        up = false;
        lost = true;
    }
    if (due != NOTHING) send_answer();
    if (due == NOTHING) send_event();
}
