"""What a settled table means while tiles are set aside, taken, revealed and returned."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.game import Explained, Explanation, Finding, Table
from referee.games.said import either, joined, say, say_n
from referee.games.tumult_royale.checks import Reason
from referee.games.tumult_royale.findings import illegal, judged, zones_of
from referee.games.tumult_royale.moves import Move, Punish, Reveal, SetAside, TimeUp
from referee.games.tumult_royale.state import State, tumults
from referee.games.tumult_royale.tiles import NO_TILES, Tiles, minus, total
from referee.games.tumult_royale.words import name, tiles
from referee.games.tumult_royale.zones import CENTRE, castle_zone, heaps


def zone_names(state: State) -> tuple[str, ...]:
    """The centre, and the castle of each seat."""
    return (CENTRE, *(castle_zone(seat.colour) for seat in state.seats))


def lying(state: State, table: Table) -> tuple[Tiles, tuple[Tiles, ...]]:
    """The face-up tiles of the centre, and of the castle of each seat."""
    return heaps(table.faces, [seat.colour for seat in state.seats])


def backs_within(state: State, table: Table) -> int:
    """How many tiles lie face down in the centre or on a castle."""
    return sum(table.backs.get(zone, 0) for zone in zone_names(state))


def set_aside(state: State, table: Table) -> Explanation[Move]:
    """All tiles in play lay face down in the centre; so many are to go (3.2)."""
    in_play = sum(state.centre)
    due = state.edition.numbers.set_aside * state.players
    missing = []
    if up := sum(sum(labels.values()) for labels in table.faces.values()):
        missing.append(
            say_n(
                up,
                "One tile lies face up: turn it down.",
                "{n:word,upper} tiles lie face up: turn them down.",
            )
        )
    centre, *castles = _numbers(state, table)
    taken = sum(castles)
    if taken:
        missing.append(
            say_n(
                taken,
                "One tile lies on castle boards: put tiles back into the centre or aside, but not "
                "there.",
                "{n:word,upper} tiles lie on castle boards: put tiles back into the centre or "
                "aside, but not there.",
            )
        )
    gone = in_play - centre - taken
    if gone < 0:
        missing.append(
            say(
                "{n:word,upper} tiles lie there, but only {due} are in play.",
                n=in_play - gone,
                due=in_play,
            )
        )
    if gone <= 0 or (missing and gone >= due):
        return Explanation(missing=tuple(missing))
    if gone < due:
        missing.append(
            say_n(
                due - gone,
                "One tile is still to be set aside.",
                "{n:word,upper} tiles are still to be set aside.",
            )
        )
    return Explanation((_explained(state, SetAside(gone), missing),))


def time_up(state: State, table: Table) -> Explanation[Move]:
    """Time is up: all tiles that were not set aside lie in the centre or on a castle (3.2)."""
    up = any(sum(table.faces.get(zone, {}).values()) for zone in zone_names(state))
    centre, *castles = _numbers(state, table)
    due = sum(state.centre) - state.edition.numbers.set_aside * state.players
    lie = centre + sum(castles)
    if lie == due:
        # Even a late count tells what is taken after it.
        text = say("Tiles lie face up already: a late grab before this count can't be told.")
        late = (_advice(state, Reason.COUNTED_LATE, text),) if up else ()
        return Explanation((_explained(state, TimeUp(tuple(castles), hands_empty=True), (), late),))
    if up:
        text = say(
            "Tiles lie face up already, so those on the castles could not be counted when time "
            "was up: late grabs can't be told in this round."
        )
        late = (_advice(state, Reason.NOT_COUNTED, text),)
        return Explanation((_explained(state, TimeUp(None), (), late),))
    if lie < due:
        text = say_n(
            lie,
            "One tile lies in the centre and on the castles, but {due} must. A tile in a hand is "
            "put back, or kept on the own castle.",
            "{n:word,upper} tiles lie in the centre and on the castles, but {due} must. A tile in "
            "a hand is put back, or kept on the own castle.",
            due=due,
        )
        return Explanation(missing=(text,))
    text = say(
        "{n:word,upper} tiles lie in the centre and on the castles, but only {due} may. Lay those "
        "that were set aside further away.",
        n=lie,
        due=due,
    )
    return Explanation(missing=(text,))


def reveal(state: State, table: Table) -> Explanation[Move]:
    """All tiles but those set aside lie face up (3.2)."""
    centre, castles = lying(state, table)
    seen = sum(map(sum, (centre, *castles)))
    if not seen:
        return Explanation()
    due = sum(state.centre) - state.edition.numbers.set_aside * state.players
    move = Reveal(centre, castles)
    missing: list[str] = []
    findings = judged(state, move)
    if seen < due:
        # What lies face down or is nowhere is not yet put back.
        put_back = Reason.PUT_BACK_AFTER_TIME.name
        findings = tuple(finding for finding in findings if finding.reason != put_back)
    if down := backs_within(state, table):
        missing.append(
            say_n(
                down,
                "One tile lies face down: turn it up.",
                "{n:word,upper} tiles lie face down: turn them up.",
            )
        )
        if seen >= due:
            text = say(
                "{n:word,upper} tiles lie there, but only {due} were left to rob.",
                n=seen + down,
                due=due,
            )
            findings = (*findings, illegal(state, Reason.TILES_TOO_MANY, text))
    if seen + down < due:
        gone = say_n(
            due - seen - down,
            "One tile is nowhere to be seen.",
            "{n:word,upper} tiles are nowhere to be seen.",
        )
        missing.append(joined([gone, *_fewer(state, table)]))
    return Explanation((Explained(move, findings, tuple(missing)),))


def _fewer(state: State, table: Table) -> list[str]:
    """Sentences on where fewer tiles lie than when time was up."""
    _, *castles = _numbers(state, table)
    return [
        say(
            "{who}'s castle bore {before} when time was up, and bears {now} now.",
            who=name(state, seat),
            before=before,
            now=now,
        )
        for seat, (before, now) in enumerate(zip(state.at_time or (), castles, strict=False))
        if now < before
    ]


def punish(state: State, table: Table) -> Explanation[Move]:
    """Each seat returns to the centre what the verdict takes from it (3.3).

    Who has nothing to return and pays for a field too early is judged when the turn has come.
    """
    centre, castles = lying(state, table)
    if stray := moved(state, centre, castles):
        return Explanation(differs=stray)
    verdict = tumults(state)
    due = verdict.returned
    returned = tuple(
        minus(seat.tiles, now) if any(wanted) else NO_TILES
        for seat, now, wanted in zip(state.seats, castles, due, strict=True)
    )
    missing: list[str] = [
        say("{who} still returns {tiles} to the centre.", who=name(state, seat), tiles=tiles(rest))
        for seat, (wanted, gone) in enumerate(zip(due, returned, strict=True))
        if any(rest := above(wanted, gone))
    ]
    wrong = any(any(above(gone, wanted)) for wanted, gone in zip(due, returned, strict=True))
    if short := unseen(state, centre, castles):
        missing.append(short)
    elif wrong:
        missing = []
    elif not any(map(sum, due)) and any(map(verdict.punished, range(state.players))):
        # Only supporters are lost, which are seen by nobody but people: the step's `due` says so.
        return Explanation()
    move = Punish(returned)
    return Explanation((_explained(state, move, missing, missing_tiles(state, short)),))


def moved(state: State, centre: Tiles, castles: Sequence[Tiles]) -> tuple[Finding, ...]:
    """Tiles that came to lie where nobody may lay them: on a castle (3.3, 3.4)."""
    found = []
    losses = [above(seat.tiles, now) for seat, now in zip(state.seats, castles, strict=True)]
    for seat, now in enumerate(castles):
        gained = above(now, state.seats[seat].tiles)
        if not any(gained):
            continue
        givers = tuple(other for other, lost in enumerate(losses) if any(_common(lost, gained)))
        origin = [say("{who}'s castle", who=name(state, other)) for other in givers]
        if any(_common(above(state.centre, centre), gained)):
            origin.append(say("the centre"))
        text: str = say_n(
            sum(gained),
            "On {who}'s castle lies {tiles} that was not there.",
            "On {who}'s castle lie {tiles} that were not there.",
            who=name(state, seat),
            tiles=tiles(gained),
        )
        if origin:
            came = say_n(
                sum(gained),
                "It came from {where}.",
                "They came from {where}.",
                where=either(origin),
            )
            text = joined([text, came])
        found.append(illegal(state, Reason.TILE_MOVED, text, (seat, *givers)))
    if not found and any(extra := above(centre, total((state.centre, *losses)))):
        text = say("Too many in the centre: {tiles} lay nowhere at the reveal.", tiles=tiles(extra))
        found.append(illegal(state, Reason.TILES_TOO_MANY, text))
    return tuple(found)


def unseen(state: State, centre: Tiles, castles: Sequence[Tiles]) -> str:
    """A sentence on tiles of the reveal that lie nowhere face up any more; empty if all do."""
    before = total((state.centre, *(seat.tiles for seat in state.seats)))
    gone = above(before, total((centre, *castles)))
    if not any(gone):
        return ""
    were = [
        say("{tiles} on {who}'s castle", tiles=tiles(lost), who=name(state, seat))
        for seat, now in enumerate(castles)
        if any(lost := _common(gone, above(state.seats[seat].tiles, now)))
    ]
    if any(lost := _common(gone, above(state.centre, centre))):
        were.append(say("{tiles} in the centre", tiles=tiles(lost)))
    return say(
        "Missing: {tiles}. Last there: {where}.", tiles=tiles(gone), where=joined(were, ", ")
    )


def missing_tiles(state: State, short: str) -> tuple[Finding, ...]:
    """The breach that a sentence of `unseen` is, if nobody will lay the tiles there."""
    return (illegal(state, Reason.TILES_MISSING, short),) if short else ()


def above(some: Tiles, others: Tiles) -> Tiles:
    """What `some` has more of each kind than `others`."""
    return tuple(max(0, n) for n in minus(some, others))


def _common(some: Tiles, others: Tiles) -> Tiles:
    return tuple(map(min, some, others))


def _advice(state: State, reason: Reason, text: str) -> Finding:
    zones = zones_of(state, reason, ())
    return Finding(False, reason.name, state.phase.rule, text, zones=zones)


def _explained(
    state: State, move: Move, missing: Sequence[str], also: tuple[Finding, ...] = ()
) -> Explained[Move]:
    return Explained(move, (*judged(state, move), *also), tuple(missing))


def _numbers(state: State, table: Table) -> tuple[int, ...]:
    """How many tiles lie in the centre and on each castle, however they lie."""
    return tuple(
        table.backs.get(zone, 0) + sum(table.faces.get(zone, {}).values())
        for zone in zone_names(state)
    )
