"""Plays one match of the small game again and again, killed at every write; run by test_killed.

Prints a JSON line for each point at which it was killed: how far it was acknowledged, and how far
the journal says that it is. A fork of this process plays; nothing but the file is left of it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from referee.journal import Entry, Event, Journal
from referee.match.commands import Command, Do
from referee.match.match import Match
from tests.referee.match.toy import Move, Toy, ToyGame

#: A whole round by hand, with a mistake that is taken back.
ROUND = (
    (Do.START, ""), (Do.DONE, ""), (Do.ENTER, "spin 2 -"), (Do.START, ""), (Do.STOP, ""),
    (Do.ENTER, "raid - a,b"), (Do.ENTER, "pay b -"), (Do.UNDO, ""), (Do.ENTER, "pay a -"),
    (Do.NOTE, "all well"), (Do.DONE, ""),
)  # fmt: skip
ROUNDS = 3


class Deadly(Journal):
    """Kills its process at one of its writes: before it, or when it is durable but not told."""

    left, after = 0, False

    def append(self, entry: Entry) -> Event:
        self.left -= 1
        if self.left == 0 and not self.after:
            os.kill(os.getpid(), signal.SIGKILL)
        event = super().append(entry)
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return event


def commands(match: Match[Toy, Move], done: int) -> list[tuple[int, Command]]:
    """What is still to be done, after `done` commands; ids are the same after a restart."""
    script = list(enumerate(ROUND * ROUNDS))[done:]
    return [(k, Command(do, 0, f"c{k}", "Ann", text)) for k, (do, text) in script]


def play(path: Path, acknowledged: int, told: int) -> None:
    """Plays on after so many acknowledged commands; each is told to the pipe `told`."""
    journal = Deadly.open(path, now=lambda: 0.0)
    match = Match(ToyGame(), journal, now=0.0, wall=lambda: 0.0)
    for k, command in commands(match, acknowledged):
        at = match.view.state_id
        answer = match.command(
            Command(command.do, at, command.id, command.by, command.text), float(k)
        )
        if not answer.accepted:
            raise SystemExit(f"{command} was refused: {answer.text}")
        os.write(told, b".")
    journal.close()


def killed_at(folder: Path, point: int, after: bool) -> dict[str, object] | None:
    """Plays until write number `point`; None if there are fewer."""
    path = folder / f"{point}-{after}.match"
    journal = Journal.create(path, {"game": "toy", "edition": "toy-1"}, now=lambda: 0.0)
    Match.begin(ToyGame(), journal, Toy(), "Ann")
    journal.close()
    acknowledged = 0
    for life in range(2):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            Deadly.left, Deadly.after = (point if life == 0 else 0), after
            play(path, acknowledged, writer)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            acknowledged += len(pipe.read())
        _, status = os.waitpid(child, 0)
        if life == 0 and not os.WIFSIGNALED(status):
            return None
        if life == 1 and status != 0:
            raise SystemExit(f"after a kill at {point} the match could not go on: {status}")
        if life == 0:
            left = acknowledged
    with Journal.read(path) as kept:
        ids = [event.data["command"] for event in kept.events() if event.data.get("command")]
        match = Match(ToyGame(), Journal.open(path, now=lambda: 0.0), now=0.0, wall=lambda: 0.0)
    return {
        "point": point,
        "acknowledged": left,
        "commands": ids,
        "position": ToyGame().write_state(match.view.position),
        "over": match.view.step is None,
    }


def main() -> None:
    folder = Path(sys.argv[1])
    for after in (False, True):
        point = 0
        while (told := killed_at(folder, point := point + 1, after)) is not None:
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
