"""The steps of the setup that ask no camera, each as a part of the document."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from referee.games.form import Form
from referee.games.game import Game
from referee.games.said import say, say_n
from referee.journal import people_of
from referee.match.acceptance import Mark, Prompt
from referee.web.gear import Opened
from referee.web.setup.boxtrial import TRIALS
from referee.web.setup.desk import Desk
from referee.web.setup.settings import KIT, NONE, Settings
from referee.web.setup.states import DONE, OPEN, WRONG

Json = dict[str, Any]


def labels_of(game: Game[Any, Any]) -> list[Json]:
    """The faces that a book must have: their names, and how they are drawn."""
    labels = {label: good for good in game.goods for label in good.worth}
    return [
        {"label": label, "good": good.name, "worth": good.worth[label], "art": good.drawing}
        for label, good in labels.items()
    ]


def faces(desk: Desk, settings: Settings) -> Json:
    """Which faces are read, and how far teaching others is."""
    game, photo, lesson = desk.game(), desk.photo, desk.lesson
    books = [
        {"name": say("the kit's own") if name == KIT else name, "book": book}
        for name, book in desk.known_books()
    ]
    told: Json = {
        "books": books,
        "chosen": settings.book,
        "labels": [] if game is None else labels_of(game),
        "photo": {
            "running": photo.running,
            "trouble": _trouble(photo.trouble),
            "grid": None if photo.result is None else list(photo.result.grid),
        },
        "lesson": {
            "running": lesson.running,
            "trouble": _trouble(lesson.trouble),
            "names": [] if lesson.result is None else list(lesson.result.names),
            "alike": [] if lesson.result is None else [list(pair) for pair in lesson.result.alike],
            "hidden": [] if lesson.result is None else list(lesson.result.hidden),
        },
    }
    if settings.book == KIT:
        text = say("The faces of the kit are known.")
        return {**told, "state": DONE, "text": text}
    if any(each["book"] == settings.book for each in books):
        return {**told, "state": DONE, "text": say("Faces that were taught are used.")}
    text = say("The file of the faces is not there: {file}.", file=settings.book)
    return {**told, "state": WRONG, "text": text}


def _trouble(trouble: tuple[str, str]) -> Json | None:
    return {"what": trouble[0], "remedy": trouble[1]} if trouble[0] else None


def edition(desk: Desk, settings: Settings) -> Json:
    """Which edition is played, and whether it can be."""
    editions = desk.editions
    chosen = editions.name(settings.edition)
    told: Json = {
        "names": [{"name": name, "ours": editions.ours(name)} for name in editions.names()],
        "chosen": chosen,
    }
    game = desk.game()
    if game is not None:
        text = say("The edition “{name}” is complete.", name=chosen)
        return {**told, "state": DONE, "text": text}
    text = say("The edition “{name}” can't be played yet.", name=chosen)
    return {**told, "state": WRONG, "text": text}


def form_json(name: str, form: Form, ours: bool) -> Json:
    """An edition's form."""
    told: Json = dataclasses.asdict(form)
    return {
        "name": name,
        "ours": ours,
        "open": form.open,
        "faults": form.faults,
        "complete": form.complete,
        "sections": told["sections"],
    }


def box(desk: Desk, settings: Settings) -> Json:
    """Which box is used, and what was tried of it."""
    trial, box = desk.box, desk.house.plugged.known
    ports = [{"port": each.spec, "name": each.name} for each in desk.ports.found()]
    told: Json = {
        "ports": ports,
        "chosen": settings.box,
        "trials": list(TRIALS),
        "trying": trial.trying,
        "tried": [dataclasses.asdict(each) for each in trial.tried],
        "connected": box is not None and box.connected,
    }
    if settings.box == NONE:
        text = say("No box: the hourglass is counted on the screen, the arrow is spun by hand.")
        return {**told, "state": DONE, "text": text}
    failed = [each for each in trial.tried if not each.ok]
    if failed:
        return {**told, "state": WRONG, "text": failed[-1].text}
    if told["connected"]:
        return {**told, "state": DONE, "text": say("The box answers.")}
    if not ports and not settings.box:
        text = say("No box is found: plug it in, or go on without.")
        return {**told, "state": OPEN, "text": text}
    return {**told, "state": OPEN, "text": say("Greet the box to see whether it answers.")}


def match(desk: Desk) -> Json:
    """The match that is open, those that can be taken up, and who may play."""
    house, game = desk.house, desk.game()
    told: Json = {
        "open": None if house.match is None else _opened(house.match),
        "unfinished": [
            {"id": each.id, "created": each.created, "people": people_of(each.header)}
            for each in (() if house.match is not None else house.unfinished())
        ],
        "chairs": []
        if game is None
        else [
            {"piece": chair.word, "name": chair.title, "colour": f"rgb{chair.colour}"}
            for chair in game.chairs
        ],
        "players": [] if game is None else list(game.players),
    }
    if house.match is None:
        text = say("No match is open.")
        if told["unfinished"]:
            text = say_n(
                len(told["unfinished"]),
                "One match is not finished.",
                "{n} matches are not finished.",
            )
        return {**told, "state": OPEN, "text": text}
    over = house.match.over
    text = say("The match {match} is over.", match=house.match.id)
    if not over:
        text = say("The match {match} runs.", match=house.match.id)
    return {**told, "state": DONE, "text": text}


def _opened(match: Opened) -> Json:
    view = match.live.view
    people: Mapping[str, str] = people_of(match.journal.header)
    return {
        "id": match.id,
        "over": match.over,
        "at_start": match.at_start,
        "lay": list(match.game.lay(view.positions[0])),
        "seats": [
            {
                "piece": line.colour,
                "name": line.name,
                "person": people.get(line.colour, ""),
                "rank": line.rank,
            }
            for line in match.game.sheet(view.positions[0]).lines
        ],
    }


def check(desk: Desk) -> Json:
    """What the check asks now, and what it found."""
    checking, match = desk.checking, desk.house.match
    told: Json = {
        "can": match is not None and match.at_start,
        "running": checking is not None and checking.running,
        "match": "" if checking is None else checking.match,
        "prompt": None,
        "results": [],
        "trouble": "",
    }
    if checking is None:
        text = say("Not checked. It takes a minute, and goes on record.")
        return {**told, "state": OPEN, "text": text}
    told["prompt"] = None if checking.prompt is None else _prompt(checking.prompt)
    told["results"] = [
        {
            "step": each.step,
            "title": each.title,
            "mark": each.mark.value,
            "reason": each.reason,
        }
        for each in checking.results
    ]
    told["trouble"] = checking.trouble
    if checking.running:
        return {**told, "state": OPEN, "text": say("The check is under way.")}
    if checking.trouble:
        return {**told, "state": WRONG, "text": checking.trouble}
    failed = sum(each.mark is Mark.FAILED for each in checking.results)
    if failed:
        text = say_n(failed, "One step of the check failed.", "{n} steps of the check failed.")
        return {**told, "state": WRONG, "text": text}
    return {**told, "state": DONE, "text": say("Checked, and on record.")}


def _prompt(prompt: Prompt) -> Json:
    return {
        "step": prompt.step,
        "title": prompt.title,
        "text": prompt.text,
        "asks": prompt.asks.value,
        "said": prompt.said,
    }
