"""Zones on the table: what a game's plan asks of vision, and what an Observation answers.

Knows no game by name: a game supplies a `TablePlan` and a multiset of its tiles.
"""

from __future__ import annotations

from referee.games.table import Board, Marker, TablePlan, Zone
from vision import layout


def layout_of(plan: TablePlan) -> layout.Layout:
    """The same table as vision is told about it: sizes and places without the drawings."""
    return layout.Layout(
        size=plan.size,
        tile=plan.tile,
        tile_thickness=plan.tile_thickness,
        markers=tuple(map(_marker, plan.markers)),
        boards=tuple(map(_board, plan.boards)),
        zones=tuple(map(_zone, plan.zones)),
        piece_colours=dict(plan.piece_colours),
        piece_diameter=plan.piece_diameter,
        piece_height=plan.piece_height,
    )


def _marker(marker: Marker) -> layout.Marker:
    return layout.Marker(marker.id, marker.centre, marker.side)


def _zone(zone: Zone) -> layout.Zone:
    return layout.Zone(zone.name, zone.polygon)


def _board(board: Board) -> layout.Board:
    return layout.Board(
        name=board.name,
        size=board.size,
        origin=board.origin,
        thickness=board.thickness,
        markers=tuple(map(_marker, board.markers)),
        zones=tuple(map(_zone, board.zones)),
        fields=tuple(
            layout.Field(
                field.name,
                (
                    (field.corner[0], field.corner[1]),
                    (field.corner[0] + field.size[0], field.corner[1]),
                    (field.corner[0] + field.size[0], field.corner[1] + field.size[1]),
                    (field.corner[0], field.corner[1] + field.size[1]),
                ),
            )
            for field in board.fields
        ),
    )
