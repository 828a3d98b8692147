"""`referee judge`: the verdict of the tumult phase on a photograph of a kit table."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from referee.claims import Claims
from referee.cli.contract import error_json, observation_json
from referee.cli.kitset import Players, kit_book, kit_edition, kit_layout
from referee.games.tumult_royale import (
    Colour,
    CommodityVerdict,
    Edition,
    Fault,
    Phase,
    State,
    Tumults,
    faults,
)
from referee.games.tumult_royale.notation import NotationError, parse_state
from referee.games.tumult_royale.photograph import Standing, reveal
from referee.games.tumult_royale.tiles import labels_of
from referee.games.tumult_royale.words import tell
from referee.match.evidence import evidence
from referee.match.policy import judge as judged
from referee.match.verdict import Outcome, Reason, Verdict
from vision.camera import load_image, save_image
from vision.errors import UnreadableError
from vision.observation import Observation
from vision.reader import TableReader

#: Faults of a position that leave no sure footing for a verdict.
GRAVE = Fault.PLAYERS | Fault.RANKS | Fault.SUPPORTERS
#: Phases in which the tumults have been punished: supporters are no longer those before.
PUNISHED = (
    *(Phase.BUILD, Phase.RANKS, Phase.CROWNING),
    *(Phase.REGIONS, Phase.MERCY, Phase.OVER),
)


@click.command()
@click.argument("image", type=click.Path(path_type=Path))
@click.option("--demand", type=click.IntRange(min=1), help="The number that the king spun.")
@click.option("--players", type=Players(), help="Who plays, in order of rank: the king first.")
@click.option("--mercy", type=Players(fewest=1), default=None, help="Who is shown mercy.")
@click.option(
    "--state",
    "state_file",
    type=click.Path(path_type=Path),
    help="The position before the reveal: a file with one line, as the rules core writes it.",
)
@click.option(
    "--draw", "out", type=click.Path(path_type=Path), help="Also write the picture with evidence."
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def judge(
    image: Path,
    demand: int | None,
    players: tuple[Colour, ...] | None,
    mercy: tuple[Colour, ...] | None,
    state_file: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Rule on a photograph of a kit table after the reveal.

    Who plays, their ranks and the demand come from the options or from --state; without a state
    everybody has the supporters of the start. The verdict is CONFIRMED, or INCONCLUSIVE with the
    reason and the tiles concerned. The exit code is 1 if the picture can't be read.
    """
    edition = kit_edition()
    seats, demand = _standings(edition, demand, players, mercy, state_file)
    if demand not in edition.spinner:
        numbers = ", ".join(map(str, sorted({*edition.spinner})))
        raise click.UsageError(f"The spinner bears {numbers}, but no {demand}.")
    try:
        picture = load_image(image)
    except UnreadableError as error:
        _fail(error_json(str(image), error.what, error.remedy), as_json)
    step = reveal(edition, demand, seats)
    colours = [seat.colour for seat in seats]
    try:
        seen = TableReader(kit_layout(colours), kit_book()).read(picture)
    except UnreadableError as error:
        _fail(
            {
                **error_json(str(image), error.what, error.remedy),
                "outcome": Outcome.INCONCLUSIVE.value,
                "reason": Reason.PLANE_NOT_FOUND.code,
            },
            as_json,
        )
    verdict = judged(step, Claims.of(seen))
    assert verdict is not None, "a reveal is never idle"
    if out is not None:
        try:
            save_image(out, evidence(picture, seen, verdict))
        except UnreadableError as error:
            _fail(error_json(str(out), error.what, error.remedy), as_json)
    if as_json:
        told = _verdict_json(verdict, seen, colours, demand)
        click.echo(json.dumps({"image": str(image), **told, "reading": observation_json(seen)}))
    else:
        told_lines = () if verdict.ruling is None else tell(verdict.ruling, colours)
        click.echo("\n".join(_words(verdict, seen, told_lines)))


def _standings(
    edition: Edition,
    demand: int | None,
    players: tuple[Colour, ...] | None,
    mercy: tuple[Colour, ...] | None,
    state_file: Path | None,
) -> tuple[list[Standing], int]:
    """The players by rank, and the demand; raises a usage error for what is missing or differs."""
    if state_file is None:
        if players is None:
            raise click.UsageError("Who plays? Add --players, the king first, or --state.")
        if demand is None:
            raise click.UsageError("What is demanded? Add --demand with the number that was spun.")
        if strangers := set(mercy or ()) - set(players):
            raise click.UsageError(f"--mercy names {', '.join(strangers)}, who does not play.")
        if set(mercy or ()) == set(players):
            raise click.UsageError("Not everybody can be shown mercy (rules 3.7).")
        supporters = edition.setup_for(len(players)).supporters
        return [
            Standing(colour, rank, supporters, colour in (mercy or ()))
            for rank, colour in enumerate(players, 1)
        ], demand
    if mercy is not None:
        raise click.UsageError("--mercy and --state can't be given together: the state says it.")
    state = _state(edition, state_file)
    seats = [state.seats[seat] for seat in state.by_rank()]
    colours = tuple(seat.colour for seat in seats)
    if players is not None and players != colours:
        raise click.UsageError(
            f"--players says {', '.join(players)}, but the state says {', '.join(colours)}."
        )
    if demand and state.demand and demand != state.demand:
        raise click.UsageError(f"--demand says {demand}, but the state says {state.demand}.")
    demand = demand or state.demand
    if not demand:
        raise click.UsageError("The state is from before the spin: add --demand.")
    return [Standing(seat.colour, seat.rank, seat.supporters, seat.mercy) for seat in seats], demand


def _state(edition: Edition, file: Path) -> State:
    """The position that a verdict is to rest on; raises a usage error if none can."""
    try:
        state = parse_state(file.read_text(encoding="utf-8").strip(), edition)
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"The state {file} can't be read: {error}.") from None
    except NotationError as error:
        raise click.UsageError(f"The state {file} is no position: {error}.") from None
    if wrong := faults(state) & GRAVE:
        named = ", ".join(str(fault.name).lower() for fault in wrong)
        raise click.UsageError(f"The state {file} can't be judged: {named} can't be right.")
    if state.phase in PUNISHED:
        raise click.UsageError(
            f"The state {file} is from after the tumults ({state.phase.value}): "
            "give the one before them."
        )
    return state


def _verdict_json(
    verdict: Verdict[Tumults], seen: Observation, colours: Sequence[Colour], demand: int
) -> dict[str, Any]:
    reading = observation_json(seen)["readings"]
    ruling = verdict.ruling
    return {
        "outcome": verdict.outcome.value,
        "reason": None if verdict.reason is None else verdict.reason.code,
        "sentence": verdict.sentence,
        "remedy": verdict.remedy,
        "demand": demand,
        "players": list(colours),
        "rules": list(verdict.references),
        "tumult": None if ruling is None else ruling.any,
        "commodities": []
        if ruling is None
        else [_commodity_json(each, colours) for each in ruling.commodities],
        "supporters_lost": None
        if ruling is None
        else dict(zip(colours, ruling.supporters_lost, strict=True)),
        "counts": {zone: dict(sorted(labels.items())) for zone, labels in verdict.counts.items()},
        "tiles": [{"index": tile, **reading[tile]} for tile in verdict.tiles]
        if verdict.outcome is not Outcome.CONFIRMED
        else [],
        "boards": list(verdict.boards),
    }


def _commodity_json(verdict: CommodityVerdict, colours: Sequence[Colour]) -> dict[str, Any]:
    punishment = verdict.punishment
    return {
        "commodity": verdict.commodity,
        "remaining": verdict.remaining,
        "demand": verdict.demand,
        "tumult": verdict.tumult,
        "greed": dict(zip(colours, verdict.greed, strict=True)),
        "greediest": None if verdict.greediest is None else colours[verdict.greediest],
        "punishment": None
        if punishment is None
        else {
            "player": colours[punishment.seat],
            "supporters": punishment.supporters,
            "kept": list(labels_of(punishment.kept)),
            "returned": list(labels_of(punishment.returned)),
        },
        "rule": verdict.rule,
    }


def _words(verdict: Verdict[Tumults], seen: Observation, told: Sequence[str]) -> list[str]:
    outcome = verdict.outcome.value.upper()
    if verdict.outcome is Outcome.CONFIRMED:
        headline, *sentences = told
        rules = ", ".join(verdict.references)
        return [f"{outcome}: {headline} (rules {rules})", *(f"  {line}" for line in sentences)]
    lines = [f"{outcome}: {verdict.sentence}", f"  {verdict.remedy}"]
    for tile in verdict.tiles:
        x, y = seen.tiles.quads_px[tile].mean(axis=0)
        where = seen.tile_zone(tile) or "outside"
        rivals = " or ".join(label for label, _ in seen.tile_candidates(tile)[:2])
        doubt = f": {rivals}?" if verdict.reason is Reason.TILE_DOUBTFUL else ""
        lines.append(f"  - {where}, in the picture at {x:.0f}, {y:.0f}{doubt}")
    return lines + [f"  - {board}" for board in verdict.boards]


def _fail(error: dict[str, Any], as_json: bool) -> NoReturn:
    if as_json:
        click.echo(json.dumps(error))
    else:
        click.echo(f"{error['error']} {error['remedy']}", err=True)
    sys.exit(1)
