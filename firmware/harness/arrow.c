#include "arrow.h"

#include <stdbool.h>

#include "machine.h"
#include "protocol.h"

enum { IN_SIGHT = 20, AT_START = 700 };

static int64_t position = AT_START;
static int32_t to_lose, lose_every, since_loss;

void arrow_sense(void) {
    int64_t place = (position % STEPS_PER_TURN + STEPS_PER_TURN) % STEPS_PER_TURN;
    machine_input(INPUT_HOME, place < IN_SIGHT);
}

void arrow_step(void) {
    if (to_lose > 0) {
        to_lose--;
        return;
    }
    if (lose_every > 0 && ++since_loss >= lose_every) {
        since_loss = 0;
        return;
    }
    arrow_push(1);
}

void arrow_lose(int32_t steps) { to_lose = steps; }

void arrow_lose_every(int32_t steps) { lose_every = steps; }

void arrow_push(int32_t steps) {
    position += steps;
    arrow_sense();
}

int64_t arrow_position(void) { return position; }
