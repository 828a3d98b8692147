"""The part of the referee that shows: the documents of all screens, and who watches them."""

from __future__ import annotations

from referee.games.said import say
from referee.web.judging.parts import BAD, DOUBTFUL, Part
from referee.web.publish import Audience
from referee.web.screens import Screens


def shown(screens: Screens) -> Part:
    """How the screens of everybody are."""
    part = Part("screens", say("Screens"))
    publisher, clients = screens.publisher, screens.hub.clients
    if not publisher.alive:
        part.state, part.says = BAD, say("They stand still: what they show may be old.")
        part.remedy = say("Start the program again: the match goes on where it was.")
    elif publisher.failures:
        part.state, part.says = DOUBTFUL, say("They failed before, and go on.")
        part.remedy = say("See the log; reload a screen that looks wrong.")
    else:
        part.says = say("They show what holds.")
    part.values = (
        (say("table screens"), clients[Audience.TABLE]),
        (say("overlays of streams"), clients[Audience.OVERLAY]),
        (say("judges"), clients[Audience.JUDGE]),
        (say("watchers of the picture"), screens.film.watchers),
        (say("screens that lagged, times"), screens.hub.lagged),
        (say("failures"), publisher.failures),
    )
    return part
