"""All drawings of the kit of Tumult Royale, by name, and what of them is printed how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from referee.games.drawing import Drawing, PrintItem
from referee.games.said import Said, say
from referee.games.tumult_royale.art_cards import (
    mercy,
    nobility,
    nobility_back,
    spinner,
    spinner_arrow,
    supporter,
)
from referee.games.tumult_royale.art_castles import castle
from referee.games.tumult_royale.art_map import fog, frame, frame_corners, frame_straight, region
from referee.games.tumult_royale.art_tiles import tile_back, tile_face
from referee.games.tumult_royale.edition import (
    COLOURS,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    Edition,
)
from referee.games.tumult_royale.tiles import FRAMES, Frame, Tile
from referee.games.tumult_royale.words import COLOUR_WORDS, tile

_FRAME_WORDS: Mapping[Frame, Said] = {
    "plain": say("no frame"),
    "grey": say("grey frame"),
    "black": say("black frame"),
}
_CORNER_WORDS: Mapping[str, Said] = {
    "frame-top-left": say("top left"),
    "frame-top-right": say("top right"),
    "frame-bottom-right": say("bottom right"),
    "frame-bottom-left": say("bottom left"),
}
#: Straight pieces of one half of the frame, then what may stand between the halves.
_STRAIGHTS: Mapping[str, tuple[str, bool, bool]] = {
    "frame-side-long": (say("Frame: side, a flap at both ends"), True, True),
    "frame-side-short": (say("Frame: side, a flap at one end"), True, False),
    "frame-centre": (say("Frame: centre piece, for 3 and 4 players"), False, False),
}


def drawings(edition: Edition) -> Mapping[str, Drawing]:
    """Every drawing of the kit by its name.

    "tile-bread-2-grey" …, "tile-back", "region-1" …, "region-fog", "frame-2" to "frame-4" and the
    pieces that they are glued from, "castle-yellow" …, "spinner", "spinner-arrow", "nobility-1"
    …, "nobility-back", "mercy", "no-mercy", "supporter-1", "supporter-5", "supporter-10".
    """
    return {drawing.name: drawing for drawing in _drawings(edition)}


def faces(edition: Edition) -> Mapping[str, tuple[Drawing, ...]]:
    """What a tile may show, by label: "bread-1" … "tools-3" in each of their frames, and "back"."""
    shown: dict[str, list[Drawing]] = {}
    for kind in _kinds(edition):
        shown.setdefault(kind.label, []).append(tile_face(kind, edition.sizes))
    return {
        **{label: tuple(sides) for label, sides in shown.items()},
        "back": (tile_back(edition.sizes),),
    }


def print_items(edition: Edition) -> tuple[PrintItem, ...]:
    """What is printed and cut out, with its backs and copies, sheet by sheet."""
    sizes = edition.sizes
    numbers = edition.numbers
    back, fog_back, rank_back = tile_back(sizes), fog(sizes), nobility_back()
    tiles = (
        PrintItem(
            say("{face}, {frame}", face=tile(kind.label), frame=_FRAME_WORDS[kind.frame]),
            tile_face(kind, sizes),
            back,
            copies,
            say("Commodity tiles"),
        )
        for kind, copies in _kinds(edition).items()
    )
    regions = (
        PrintItem(say("Region {n}", n=n), region(edition, n), fog_back, sheet=say("Regions"))
        for n in range(1, len(edition.regions) + 1)
    )
    castles = (
        PrintItem(
            say("Castle, {colour}", colour=COLOUR_WORDS[colour]),
            castle(edition, colour),
            sheet=say("Castle boards"),
        )
        for colour in COLOURS
    )
    corners = (
        PrintItem(say("Frame: {piece}", piece=_CORNER_WORDS[piece.name]), piece, sheet=say("Frame"))
        for piece in frame_corners(edition)
    )
    straights = (
        PrintItem(
            title,
            frame_straight(name, sizes, tab_before=before, tab_after=after),
            copies=4 if name == "frame-centre" else 2,
            sheet=say("Frame"),
        )
        for name, (title, before, after) in _STRAIGHTS.items()
    )
    cards = (
        *(
            PrintItem(say("Rank {rank}", rank=rank), nobility(rank), rank_back, sheet=say("Cards"))
            for rank in range(1, MOST_PLAYERS + 1)
        ),
        PrintItem(
            say("Mercy card"), mercy(shown=False), mercy(shown=True), MOST_PLAYERS, say("Cards")
        ),
    )
    tokens = (
        PrintItem(
            say("Supporter, value {value}", value=value),
            supporter(value),
            supporter(value),
            copies,
            say("Supporters"),
        )
        for value, copies in ((1, numbers.ones), (5, numbers.fives), (10, numbers.tens))
    )
    return (
        *tiles,
        *regions,
        *castles,
        *corners,
        *straights,
        PrintItem(say("Tumult spinner"), spinner(edition), sheet=say("Tumult spinner")),
        PrintItem(say("Arrow of the spinner"), spinner_arrow(), sheet=say("Tumult spinner")),
        *cards,
        *tokens,
    )


def _drawings(edition: Edition) -> Iterator[Drawing]:
    for item in print_items(edition):
        yield item.front
        if item.back:
            yield item.back
    for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1):
        yield frame(edition, players)


def _kinds(edition: Edition) -> Mapping[Tile, int]:
    """How many tiles of each kind there are, frame by frame."""
    return Counter(kind for frame in FRAMES for kind in edition.frame_tiles(frame))
