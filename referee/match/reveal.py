"""Rules on tiles that lie open on a table, or says what keeps it from ruling."""

from __future__ import annotations

from collections.abc import Iterable

from referee.claims import MAX_DOUBTFUL, Claims, explanations, surplus
from referee.games.step import RulingT, Step
from referee.match.verdict import Outcome, Reason, Verdict
from vision.observation import Observation
from vision.session import Look
from vision.stillness import Why

#: What keeps a table from being read, as the reason for no verdict.
_BUSY: dict[Why, Reason] = {
    "hand": Reason.HAND_OVER_TABLE,
    "motion": Reason.TABLE_MOVES,
    "light": Reason.LIGHT_CHANGES,
    "stale": Reason.NO_NEW_PICTURES,
    "moved": Reason.CAMERA_MOVED,
}


def rule_on(observation: Observation, step: Step[RulingT]) -> Verdict[RulingT]:
    """CONFIRMED with the step's ruling, or INCONCLUSIVE with the first reason that holds.

    Confirmed only if each board was found, every tile in play lies face up in a zone, no label is
    seen more often than it is in play, and exactly one explanation of the doubtful tiles fits.
    """
    ask = step.ask
    claims = Claims.of(observation)
    inside = claims.within(ask.zones)
    unread = [tile for tile in claims.doubtful if tile.zone in ask.zones]
    doubtful = [tile.tile for tile in unread]
    sure = claims.counts(ask.zones)

    def inconclusive(
        reason: Reason, tiles: Iterable[int] = (), number: int | None = None
    ) -> Verdict[RulingT]:
        tiles = tuple(tiles)
        number = len(tiles) if number is None else number
        return Verdict(Outcome.INCONCLUSIVE, reason, number, tiles, counts=sure)

    lost = tuple(board for board in ask.boards if board not in observation.boards)
    if lost:
        return Verdict(
            Outcome.INCONCLUSIVE, Reason.BOARD_NOT_FOUND, len(lost), boards=lost, counts=sure
        )
    if down := [tile for tile in claims.face_down if tile in set(inside)]:
        return inconclusive(Reason.TILE_FACE_DOWN, down)
    outside = claims.outside(ask.zones)
    if len(inside) == ask.expected and all(tile in claims.labels for tile in inside):
        # Every tile in play is surely accounted for: what shows no face elsewhere is no tile.
        outside = [tile for tile in outside if tile not in claims.faceless]
    if strays := [tile for tile in outside if tile not in claims.face_down]:
        return inconclusive(Reason.TILE_OUTSIDE_ZONES, strays)
    if len(outside) > ask.aside:
        return inconclusive(Reason.TOO_MANY_TILES, outside, len(outside) - ask.aside)
    if len(inside) < ask.expected:
        return inconclusive(Reason.TILES_MISSING, number=ask.expected - len(inside))
    if len(inside) > ask.expected:
        return inconclusive(Reason.TOO_MANY_TILES, doubtful, len(inside) - ask.expected)
    if extra := surplus(claims, ask.zones, ask.in_play):
        faces = {claims.labels[tile] for tile in extra}
        return inconclusive(Reason.MULTISET_BROKEN, extra, len(faces))
    if blank := [
        tile.tile
        for tile in unread
        if not tile.candidates or not set(tile.candidates) <= ask.in_play.keys()
    ]:
        return inconclusive(Reason.TILE_UNREADABLE, blank)
    if len(doubtful) > MAX_DOUBTFUL:
        return inconclusive(Reason.TOO_MANY_DOUBTFUL, doubtful)
    fits = explanations(claims, ask.zones, ask.in_play, ask.expected)
    if not fits:
        return inconclusive(Reason.MULTISET_BROKEN, doubtful, 1)
    if len(fits) > 1:
        unsettled = [tile for tile in doubtful if len({fit[tile] for fit in fits}) > 1]
        return inconclusive(Reason.TILE_DOUBTFUL, unsettled)
    counts = claims.counts(ask.zones, fits[0])
    return Verdict(
        Outcome.CONFIRMED,
        tiles=tuple(inside),
        counts=counts,
        ruling=step.adjudicate(counts),
        references=step.references,
    )


def in_the_way(look: Look) -> Verdict[RulingT]:
    """The verdict on a table that could not be read until now: what is in the way."""
    if look.tracked.plane is None:
        reason = Reason.PLANE_NOT_FOUND
    elif look.quiet.why is None:
        reason = Reason.LOOKS_DISAGREE
    else:
        reason = _BUSY[look.quiet.why]
    return Verdict(Outcome.INCONCLUSIVE, reason, 1)
