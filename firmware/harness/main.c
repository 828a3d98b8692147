/* Runs the firmware for tests.
 *
 *     box-avr|box-host [--image HEX] [--clock-ppm N] [--pty]
 *
 * Time is virtual: it passes only when a request on standard input asks for it, so that every run
 * is the same. With --pty the machine follows the wall clock and its serial line is a
 * pseudo-terminal, whose name is the first line of standard output.
 *
 * A request is a letter, the size of its body (u32), and the body; an answer is the size of its
 * body and the body; all numbers little-endian. tests/firmware/machine.py speaks this.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "arrow.h"
#include "line.h"
#include "machine.h"
#include "watch.h"

static int answers; /* the first standard output; the libraries' prints go elsewhere */

static bool read_all(void *to, size_t count) {
    for (uint8_t *at = to; count;) {
        ssize_t got = read(STDIN_FILENO, at, count);
        if (got <= 0) return false;
        at += got;
        count -= (size_t)got;
    }
    return true;
}

static void write_all(const void *from, size_t count) {
    for (const uint8_t *at = from; count;) {
        ssize_t put = write(answers, at, count);
        if (put <= 0) exit(1);
        at += put;
        count -= (size_t)put;
    }
}

static void answer(const void *body, size_t count) {
    uint32_t size = (uint32_t)count;
    write_all(&size, sizeof size);
    write_all(body, count);
}

typedef struct __attribute__((packed)) {
    uint64_t until_ns;
    uint8_t until_frame;
} run_t;

static void answer_run(const uint8_t *body, size_t size) {
    run_t run;
    memcpy(&run, body, sizeof run);
    line_write(body + sizeof run, size - sizeof run);
    line_run(run.until_ns, run.until_frame);
    static uint8_t out[1 << 20];
    uint64_t now = machine_now();
    memcpy(out, &now, sizeof now);
    answer(out, sizeof now + line_read(out + sizeof now, sizeof out - sizeof now));
}

static void answer_counts(void) {
    uint64_t counts[SIGNALS + 2];
    for (int i = 0; i < SIGNALS; i++) counts[i] = watch_count((signal_t)i);
    counts[SIGNALS] = machine_overruns();
    counts[SIGNALS + 1] = machine_watchdog_resets();
    answer(counts, sizeof counts);
}

static void do_request(uint8_t letter, const uint8_t *body, size_t size) {
    int32_t number = 0;
    if (size == sizeof number) memcpy(&number, body, sizeof number);
    switch (letter) {
    case 'r': /* run: until when, whether only until a frame has come, bytes to send first */
        answer_run(body, size);
        return;
    case 'w': { /* watch: mask; answers the records so far */
        size_t count;
        const record_t *records = watch_take(&count);
        watch_only((uint32_t)number);
        answer(records, count * sizeof *records);
        return;
    }
    case 'n': /* counts */
        answer_counts();
        return;
    case 'a': { /* arrow's position */
        int64_t position = arrow_position();
        answer(&position, sizeof position);
        return;
    }
    case 'i': /* input: which, on or off */
        machine_input((input_t)body[0], body[1]);
        break;
    case 'l':
        arrow_lose(number);
        break;
    case 'e':
        arrow_lose_every(number);
        break;
    case 'p':
        arrow_push(number);
        break;
    case 'x':
        machine_reset((reset_t)number);
        break;
    case 'h':
        machine_hang((hang_t)number);
        break;
    default:
        fprintf(stderr, "no such request: %c\n", letter);
        exit(1);
    }
    answer(NULL, 0);
}

static bool serve_request(void) {
    uint8_t head[5];
    if (!read_all(head, sizeof head)) return false;
    uint32_t size;
    memcpy(&size, head + 1, sizeof size);
    uint8_t *body = malloc(size + 1U);
    if (body == NULL || !read_all(body, size)) exit(1);
    do_request(head[0], body, size);
    free(body);
    return true;
}

static uint64_t wall_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int open_pty(void) {
    int pty = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    struct termios raw;
    if (pty < 0 || grantpt(pty) || unlockpt(pty) || tcgetattr(pty, &raw)) {
        perror("pseudo-terminal");
        exit(1);
    }
    cfmakeraw(&raw);
    tcsetattr(pty, TCSANOW, &raw);
    return pty;
}

static void follow_wall_clock(void) {
    int pty = open_pty();
    dprintf(answers, "%s\n", ptsname(pty));
    /* Held open, so that a host may come and go. */
    int held = open(ptsname(pty), O_RDWR | O_NOCTTY);
    struct pollfd polled[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = pty, .events = POLLIN}};
    uint64_t start = wall_ns() - machine_now();
    uint8_t bytes[4096];
    while (held >= 0) {
        poll(polled, 2, 1);
        ssize_t got = read(pty, bytes, sizeof bytes);
        if (got > 0) line_write(bytes, (size_t)got);
        line_run(wall_ns() - start, false);
        for (size_t count; (count = line_read(bytes, sizeof bytes)) > 0;)
            /* A terminal that nobody reads fills up: then bytes are lost, as on a real line. */
            if (write(pty, bytes, count) < 0 && errno != EAGAIN) return;
        if (polled[0].revents && !serve_request()) return;
    }
}

int main(int argc, char **argv) {
    const char *image = NULL;
    int32_t clock_ppm = 0;
    bool pty = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--image") && i + 1 < argc) {
            image = argv[++i];
        } else if (!strcmp(argv[i], "--clock-ppm") && i + 1 < argc) {
            clock_ppm = (int32_t)strtol(argv[++i], NULL, 10);
        } else if (!strcmp(argv[i], "--pty")) {
            pty = true;
        } else {
            fprintf(stderr, "usage: %s [--image HEX] [--clock-ppm N] [--pty]\n", argv[0]);
            return 2;
        }
    }
    answers = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    machine_start(image, clock_ppm);
    if (pty) {
        follow_wall_clock();
    } else {
        while (serve_request()) {
        }
    }
    return 0;
}
