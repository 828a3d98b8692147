"""What a settled table means while tiles are set aside, taken, revealed and returned."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.game import Explained, Explanation, Finding, Table
from referee.games.tumult_royale.checks import Reason
from referee.games.tumult_royale.findings import illegal, judged, zones_of
from referee.games.tumult_royale.moves import Move, Punish, Reveal, SetAside, TimeUp
from referee.games.tumult_royale.state import State, tumults
from referee.games.tumult_royale.tiles import NO_TILES, Tiles, minus, total
from referee.games.tumult_royale.words import name, number_of, tiles, upper
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
        missing.append(_turn(up, "down"))
    centre, *castles = _numbers(state, table)
    taken = sum(castles)
    if taken:
        there = _are(taken, "lie", "on castle boards")
        missing.append(f"{there}: put tiles back into the centre or aside, but not there.")
    gone = in_play - centre - taken
    if gone < 0:
        missing.append(f"{_are(in_play - gone, 'lie', f'there, but only {in_play} are in play')}.")
    if gone <= 0 or (missing and gone >= due):
        return Explanation(missing=tuple(missing))
    if gone < due:
        missing.append(f"{_are(due - gone, 'are', 'still to be set aside')}.")
    return Explanation((_explained(state, SetAside(gone), missing),))


def time_up(state: State, table: Table) -> Explanation[Move]:
    """Time is up: all tiles that were not set aside lie in the centre or on a castle (3.2)."""
    up = any(sum(table.faces.get(zone, {}).values()) for zone in zone_names(state))
    centre, *castles = _numbers(state, table)
    due = sum(state.centre) - state.edition.numbers.set_aside * state.players
    lie = centre + sum(castles)
    if lie == due:
        # Even a late count tells what is taken after it.
        text = "Tiles lie face up already: a late grab before this count can't be told."
        late = (_advice(state, Reason.COUNTED_LATE, text),) if up else ()
        return Explanation((_explained(state, TimeUp(tuple(castles), hands_empty=True), (), late),))
    if up:
        text = (
            "Tiles lie face up already, so those on the castles could not be counted when time "
            "was up: late grabs can't be told in this round."
        )
        late = (_advice(state, Reason.NOT_COUNTED, text),)
        return Explanation((_explained(state, TimeUp(None), (), late),))
    if lie < due:
        counted = _are(lie, "lie", f"in the centre and on the castles, but {due} must")
        return Explanation(
            missing=(f"{counted}. A tile in a hand is put back, or kept on the own castle.",)
        )
    counted = _are(lie, "lie", f"in the centre and on the castles, but only {due} may")
    return Explanation(missing=(f"{counted}. Lay those that were set aside further away.",))


def reveal(state: State, table: Table) -> Explanation[Move]:
    """All tiles but those set aside lie face up (3.2)."""
    centre, castles = lying(state, table)
    seen = sum(map(sum, (centre, *castles)))
    if not seen:
        return Explanation()
    due = sum(state.centre) - state.edition.numbers.set_aside * state.players
    move, missing = Reveal(centre, castles), []
    findings = judged(state, move)
    if seen < due:
        # What lies face down or is nowhere is not yet put back.
        put_back = Reason.PUT_BACK_AFTER_TIME.name
        findings = tuple(finding for finding in findings if finding.reason != put_back)
    if down := backs_within(state, table):
        missing.append(_turn(down, "up"))
        if seen >= due:
            text = f"{_are(seen + down, 'lie', f'there, but only {due} were left to rob')}."
            findings = (*findings, illegal(state, Reason.TILES_TOO_MANY, text))
    if seen + down < due:
        missing.append(
            f"{_are(due - seen - down, 'are', 'nowhere to be seen')}.{_fewer(state, table)}"
        )
    return Explanation((Explained(move, findings, tuple(missing)),))


def _fewer(state: State, table: Table) -> str:
    """Where fewer tiles lie than when time was up."""
    _, *castles = _numbers(state, table)
    return "".join(
        f" {name(state, seat)}'s castle bore {before} when time was up, and bears {now} now."
        for seat, (before, now) in enumerate(zip(state.at_time or (), castles, strict=False))
        if now < before
    )


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
    missing = [
        f"{name(state, seat)} still returns {tiles(rest)} to the centre."
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
        origin = [f"{name(state, other)}'s castle" for other in givers]
        if any(_common(above(state.centre, centre), gained)):
            origin.append("the centre")
        one = sum(gained) == 1
        came = f"{'It' if one else 'They'} came from {' or '.join(origin)}." if origin else ""
        lie, were = ("lies", "was") if one else ("lie", "were")
        where = f"On {name(state, seat)}'s castle"
        text = f"{where} {lie} {tiles(gained)} that {were} not there. {came}".rstrip()
        found.append(illegal(state, Reason.TILE_MOVED, text, (seat, *givers)))
    if not found and any(extra := above(centre, total((state.centre, *losses)))):
        text = f"Too many in the centre: {tiles(extra)} lay nowhere at the reveal."
        found.append(illegal(state, Reason.TILES_TOO_MANY, text))
    return tuple(found)


def unseen(state: State, centre: Tiles, castles: Sequence[Tiles]) -> str:
    """A sentence on tiles of the reveal that lie nowhere face up any more; empty if all do."""
    before = total((state.centre, *(seat.tiles for seat in state.seats)))
    gone = above(before, total((centre, *castles)))
    if not any(gone):
        return ""
    were = [
        f"{tiles(lost)} on {name(state, seat)}'s castle"
        for seat, now in enumerate(castles)
        if any(lost := _common(gone, above(state.seats[seat].tiles, now)))
    ]
    if any(lost := _common(gone, above(state.centre, centre))):
        were.append(f"{tiles(lost)} in the centre")
    return f"Missing: {tiles(gone)}. Last there: {', '.join(were)}."


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


def _turn(n: int, way: str) -> str:
    other = "up" if way == "down" else "down"
    return f"{_are(n, 'lie', f'face {other}')}: turn {'it' if n == 1 else 'them'} {way}."


def _are(n: int, verb: str, what: str) -> str:
    """ "Two tiles lie …", or "One tile lies …"."""
    singular = {"lie": "lies", "are": "is"}[verb]
    return f"{upper(number_of(n, 'tile'))} {singular if n == 1 else verb} {what}"
