"""The box: hourglass, buzzer and spinner on a microcontroller, and what speaks to it."""
