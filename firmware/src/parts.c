#include "parts.h"

#include "glass.h"
#include "light.h"
#include "protocol.h"
#include "sound.h"
#include "spinner.h"

uint8_t parts_active(void) {
    return (uint8_t)((glass_active() ? PARTS_GLASS : 0) |
                     (sound_active(VOICE_HOST) ? PARTS_SOUND : 0) |
                     (spinner_turning() ? PARTS_SPINNER : 0) | (light_on() ? PARTS_LIGHT : 0));
}

uint8_t parts_stop(uint8_t parts, stop_t why) {
    uint8_t stopped = parts & parts_active();
    if (stopped & PARTS_GLASS) glass_cancel();
    if (stopped & PARTS_SOUND) sound_stop(VOICE_HOST);
    if (stopped & PARTS_SPINNER) spinner_stop(why);
    if (stopped & PARTS_LIGHT) light_off();
    return stopped;
}
