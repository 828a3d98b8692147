"""All of the setup as one document, with how far each step is."""

from __future__ import annotations

import dataclasses
from typing import Any

from referee.games.said import say
from referee.web.reach import Reach
from referee.web.setup import seen, tell_parts
from referee.web.setup.desk import Desk
from referee.web.setup.settings import NETWORK, NONE, Settings
from referee.web.setup.states import DONE, OPEN, WRONG
from vision.camera import without_password

Json = dict[str, Any]

#: The steps in their order.
STEPS = ("place", "camera", "markers", "table", "faces", "edition", "box", "match", "check")


def document(desk: Desk, reach: Reach) -> Json:
    """What the page of the setup shows."""
    house = desk.house
    settings = house.settings
    parts = {
        "place": _place(settings, reach),
        "camera": _camera(desk, settings),
        **_looked(desk, settings),
        "faces": tell_parts.faces(desk, settings),
        "edition": tell_parts.edition(desk, settings),
        "box": tell_parts.box(desk, settings),
        "match": tell_parts.match(desk),
        "check": tell_parts.check(desk),
    }
    open_match = house.match
    return {
        "settings": {
            **dataclasses.asdict(settings),
            "camera": without_password(settings.camera),
        },
        "reach": _reach(settings, reach),
        "locked": ""
        if open_match is None or open_match.over
        else say(
            "While the match {match} runs, nothing that it rests on may change.",
            match=open_match.id,
        ),
        **parts,
        "steps": [
            {"id": name, "state": parts[name]["state"], "text": parts[name]["text"]}
            for name in STEPS
        ],
    }


def _place(settings: Settings, reach: Reach) -> Json:
    """What holds wherever the table stands."""
    text = (
        say("Every device on the network may watch.")
        if reach.lan
        else say("Only this computer may watch.")
    )
    return {"state": DONE, "text": text}


def _reach(settings: Settings, reach: Reach) -> Json:
    """Who may watch, and whether that holds already."""
    wanted = settings.watchers == NETWORK
    text = ""
    if wanted != reach.lan:
        text = (
            say("From the next start on every device on the network may watch.")
            if wanted
            else say("From the next start on only this computer may watch.")
        )
    return {"lan": reach.lan, "links": reach.links() if reach.lan else [], "text": text}


def _camera(desk: Desk, settings: Settings) -> Json:
    found = [{"spec": each.spec, "name": each.name} for each in desk.cameras.found()]
    told: Json = {"found": found, "chosen": None, "trouble": None, "complaints": [], "held": []}
    if settings.camera == NONE:
        text = say("No camera: all is entered by hand.")
        return {**told, "chosen": NONE, "state": DONE, "text": text}
    chosen = desk.chosen
    if chosen is None and found:
        return {**told, "state": OPEN, "text": say("Choose one of {n} cameras.", n=len(found))}
    if chosen is None:
        text = say("No camera is found: plug one in, or go on without.")
        return {**told, "state": OPEN, "text": text}
    told["chosen"] = without_password(chosen)
    sight = desk.eye(chosen).sight()
    told["settling"] = sight.settling
    told["held"] = seen.held(sight.held)
    told["size"] = list(sight.size)
    plan = desk.plan()
    told["complaints"] = seen.fitness(sight.complaints, str if plan is None else plan.called)
    if sight.trouble[0]:
        told["trouble"] = {"what": sight.trouble[0], "remedy": sight.trouble[1]}
        return {**told, "state": WRONG, "text": sight.trouble[0]}
    if sight.frame is None:
        return {**told, "state": OPEN, "text": say("Waiting for a picture.")}
    if told["complaints"]:
        return {**told, "state": WRONG, "text": told["complaints"][0]["what"]}
    return {**told, "state": DONE, "text": say("The picture is fit to be read.")}


def _looked(desk: Desk, settings: Settings) -> Json:
    """The markers and the table, by the camera that is used."""
    sight, plan, layout = desk.sight(), desk.plan(), desk.layout()
    if settings.camera == NONE:
        none = {"state": DONE, "text": say("Without a camera no markers are needed.")}
        return {"markers": none, "table": none}
    if plan is None or layout is None:
        text = say("The edition has open values: complete it first.")
        return {"markers": {"state": OPEN, "text": text}, "table": {"state": OPEN, "text": text}}
    if sight is None or sight.frame is None:
        text = say("Choose a camera first.") if sight is None else say("Waiting for a picture.")
        return {"markers": {"state": OPEN, "text": text}, "table": {"state": OPEN, "text": text}}
    markers = seen.markers(sight, plan)
    poor = markers["quality"] in ("none", "poor")
    markers["state"] = WRONG if poor else DONE
    table = seen.table(sight, plan, layout)
    table["state"] = (DONE if table["ok"] else WRONG) if markers["ok"] else OPEN
    for each in (*table["zones"], *table["boards"]):
        each["title"] = plan.called(each["name"])
    for part in (markers, table):
        part["size"] = list(sight.size)
    return {"markers": markers, "table": table}
