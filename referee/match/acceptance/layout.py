"""Whether a table lies exactly as a placement says, told from what was surely read of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from referee.claims import Claims
from referee.games.game import Counts
from referee.games.said import joined, say, say_n
from referee.games.table import Placement, TablePlan


def differences(
    plan: TablePlan, placement: Placement, claims: Claims, open_fields: Collection[str]
) -> tuple[str, ...]:
    """What differs or is in doubt, in sentences; none if the table surely lies so.

    An empty field that is not sure matters only if it is one of `open_fields`, where a piece may
    come to stand. Pieces that stand on no field don't: those not in play stand beside the map.
    """
    return (*_tiles(plan, placement, claims), *_pieces(plan, placement, claims, open_fields))


def zones_of(plan: TablePlan) -> tuple[str, ...]:
    """The names of all zones of a table."""
    boards = (zone for board in plan.boards for zone in board.zones)
    return tuple(zone.name for zone in (*plan.zones, *boards))


def fields_of(plan: TablePlan) -> tuple[str, ...]:
    """The names of all fields of a table."""
    return tuple(field.name for board in plan.boards for field in board.fields)


def lying(placement: Placement) -> tuple[Counts, Mapping[str, int]]:
    """The tiles that lie face up by zone and label, and those face down by zone."""
    faces: dict[str, Counter[str]] = {}
    backs: Counter[str] = Counter()
    for tile in placement.tiles:
        if tile.face_up:
            faces.setdefault(tile.zone, Counter())[tile.label] += 1
        else:
            backs[tile.zone] += 1
    return faces, backs


def standing(placement: Placement) -> Counts:
    """The pieces by field and colour."""
    pieces: dict[str, Counter[str]] = {}
    for each in placement.pieces:
        pieces.setdefault(each.field, Counter())[each.colour] += each.count
    return pieces


def _tiles(plan: TablePlan, placement: Placement, claims: Claims) -> Iterator[str]:
    faces, backs = lying(placement)
    zones = zones_of(plan)
    down = Counter(claims.zones[tile] for tile in claims.face_down)
    doubtful = Counter(tile.zone for tile in claims.doubtful)
    up = claims.counts(zones)
    for zone in zones:
        if doubtful[zone]:
            yield say_n(
                doubtful[zone],
                "{zone}: {n} tile is not seen for sure.",
                "{zone}: {n} tiles are not seen for sure.",
                zone=plan.called(zone),
            )
        if down[zone] != backs.get(zone, 0):
            yield say_n(
                down[zone],
                "{zone}: {n} tile is face down, not {due}.",
                "{zone}: {n} tiles are face down, not {due}.",
                zone=plan.called(zone),
                due=backs.get(zone, 0),
            )
        if +Counter(up[zone]) != +Counter(faces.get(zone, {})):
            seen, due = sum(up[zone].values()), sum(faces.get(zone, {}).values())
            yield say_n(
                seen,
                "{zone}: {n} tile is face up, not {due}, or not the right ones.",
                "{zone}: {n} tiles are face up, not {due}, or not the right ones.",
                zone=plan.called(zone),
                due=due,
            )
    stray = [tile for tile in claims.outside(zones) if tile not in claims.faceless]
    if stray:
        yield say_n(len(stray), "{n} tile is in no zone.", "{n} tiles are in no zone.")


def _pieces(
    plan: TablePlan, placement: Placement, claims: Claims, open_fields: Collection[str]
) -> Iterator[str]:
    due = standing(placement)
    fields = fields_of(plan)
    matter = {*open_fields, *due, *claims.likely}
    if unsure := [field for field in fields if field in matter - claims.sure_fields]:
        yield say("It is not sure what stands on {fields}.", fields=joined(unsure, ", "))
    for field in fields:
        seen = +Counter(claims.pieces.get(field, {}))
        if field in claims.sure_fields and seen != +Counter(due.get(field, {})):
            yield say_n(
                max(1, sum(seen.values())),
                "On {field} stands {seen}, not {due}.",
                "On {field} stand {seen}, not {due}.",
                field=field,
                seen=_listed(plan, seen),
                due=_listed(plan, due.get(field, {})),
            )


def _listed(plan: TablePlan, pieces: Mapping[str, int]) -> str:
    parts = [
        say("{n} {colour}", n=n, colour=plan.called(colour)) for colour, n in sorted(pieces.items())
    ]
    return joined(parts, ", ") or say("nothing")
