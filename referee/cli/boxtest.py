"""The walk through all outputs and buttons of the box, with a person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import click

from referee.box.box import Box
from referee.box.draw import Dial
from referee.box.errors import SpinnerError
from referee.box.happenings import Told
from referee.box.protocol import RING_LEDS, Button, LightMode, Parts, Pattern, Pressed, Profile

#: A button is waited for this long. (s)
PRESS_S = 20.0
#: Four quarters: a person sees at once whether the arrow stands in the middle of one.
QUARTERS = Dial.equal(("top right", "bottom right", "bottom left", "top left"))


def walk(box: Box) -> Iterator[tuple[str, bool]]:
    """Tries one part after the other; yields its name and whether it is right."""
    for level, colour in (("red", (255, 0, 0)), ("green", (0, 255, 0)), ("blue", (0, 0, 255))):
        box.light(LightMode.STEADY, colour)
        yield f"ring {level}", _asked(f"Are all {RING_LEDS} LEDs {level}?")
    box.light(LightMode.BAR, (255, 255, 255), RING_LEDS // 2)
    yield "ring order", _asked("Is one half of the ring white, and the other dark?")
    box.light(LightMode.OFF)
    for volume, word in ((1, "softly"), (4, "loudly")):
        box.buzz(Pattern.FANFARE, volume)
        yield f"sound {word}", _asked(f"Did four rising tones sound {word}?")
    box.hourglass(5, warn_s=3)
    yield "hourglass", _asked("Does the light shrink, tick three times and end with long tones?")
    box.cancel(Parts.GLASS | Parts.SOUND)
    found = _moved(box.home)
    yield "home sensor", found
    to = partial(box.spin, QUARTERS, turns=1, profile=Profile.BRISK)
    for quarter in (1, 3):
        # Without its sensor the arrow can't be sent anywhere.
        label = QUARTERS.labels[quarter]
        question = f"Seen from home at the top, does the arrow point to the {label}?"
        moved = found and _moved(partial(to, quarter))
        yield f"arrow {label}", moved and _asked(question)
    for button, name in ((Button.STOP, "players' Stop button"), (Button.JUDGE, "judge's button")):
        yield name, _pressed(box, button, name)


def _asked(question: str) -> bool:
    return click.confirm(question, default=True)


def _moved(move: Callable[[], object]) -> bool:
    click.echo("The arrow turns", err=True)
    try:
        move()
    except SpinnerError as error:
        click.echo(f"{error.what}\n-> {error.remedy}", err=True)
        return False
    return True


def _pressed(box: Box, wanted: Button, name: str) -> bool:
    with box.events() as inbox:
        click.echo(f"Press the {name} (within {PRESS_S:.0f} s)", err=True)
        while (happening := inbox.get(PRESS_S)) is not None:
            if isinstance(happening, Told) and isinstance(happening.event, Pressed):
                right = happening.event.button is wanted
                click.echo("Felt" if right else "That was the other button", err=True)
                return right
    click.echo("Nothing was felt", err=True)
    return False
