"""`referee check`: what a judge tries before a match, step by step, with the result on record."""

from __future__ import annotations

import json
import queue
import sys
import threading
from contextlib import closing
from typing import Any

import click

from referee.cli.opening import in_a_sentence, opened
from referee.cli.wanted import Wanted, opening_options
from referee.match.acceptance import Asks, Mark, Prompt, Reply, Result
from referee.web.setup.checking import acceptance_of

#: How often it is looked whether the referee has seen something. (s)
LOOK_S = 0.1
_COLOURS = {Mark.PASSED: "green", Mark.FAILED: "red", Mark.SKIPPED: "yellow"}
#: What people may type at a prompt.
_HINTS = {
    Asks.NOTHING: "s: skip",
    Asks.DEED: "it is noticed by itself; Enter: done, s: skip",
    Asks.ANSWER: "Enter or y: yes, n: no, s: skip",
}


@click.command()
@opening_options
@click.option("--by", default="judge", show_default=True, help="Who checks, for the record.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each step.")
def check(by: str, as_json: bool, **options: Any) -> None:
    """Try before a match that the referee sees, rules and can be overruled, and sign the result.

    Begins a match as `referee run` does, or takes up one that stands at its start. What is to be
    done is said step by step; most of it is noticed by itself. At the end all is taken back, and
    `referee run` goes on with the match. The exit code is 1 if a step failed.
    """
    wanted = Wanted(**options)
    with in_a_sentence(), opened(wanted, at_start=True, say=_aside) as (house, match):
        acceptance = acceptance_of(house, match, by)
        if not as_json:
            click.echo(f"Match {match.id}")
        typed = _Typed()
        with closing(acceptance.walk()) as walk:
            try:
                shown = next(walk)
                while True:
                    reply = None
                    if isinstance(shown, Result):
                        _tell(shown, as_json)
                    else:
                        reply = typed.reply(shown)
                    shown = walk.send(reply)
            except StopIteration:
                pass
            except (KeyboardInterrupt, EOFError):
                # What the camera sees from here on must not be taken for a part of the match.
                if match.watch is not None:
                    match.watch.stop()
                walk.close()
                _aside("\nThe check was broken off.")
                sys.exit(1)
    results = acceptance.results
    if not as_json:
        click.echo(_summary(results))
    if any(result.mark is Mark.FAILED for result in results):
        sys.exit(1)


class _Typed:
    """What people type, a line each; a line that was typed before its prompt is no answer."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._over = threading.Event()
        self._shown: tuple[str, str] | None = None
        self._said = ""
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def reply(self, prompt: Prompt) -> Reply | None:
        """Shows a prompt, and what a person says to it, if anything.

        Raises EOFError if it asks something of people, and nobody can say anything any more.
        """
        if prompt.text and (prompt.step, prompt.text) != self._shown:
            self._shown, self._said = (prompt.step, prompt.text), ""
            while not self._lines.empty():
                self._lines.get()
            _aside(f"\n{prompt.title}: {prompt.text}  [{_HINTS[prompt.asks]}]")
        if prompt.said != self._said:
            self._said = prompt.said
            if prompt.said:
                _aside(f"    {prompt.said}")
        try:
            return _reply(self._lines.get(timeout=LOOK_S), prompt)
        except queue.Empty:
            if self._over.is_set() and prompt.asks is not Asks.NOTHING:
                raise EOFError from None
            return None

    def _read(self) -> None:
        for line in sys.stdin:
            self._lines.put(line.strip().lower())
        self._over.set()


def _reply(line: str, prompt: Prompt) -> Reply | None:
    """What a line means; None if nothing."""
    if line in ("s", "skip"):
        return Reply.SKIP
    if prompt.asks is not Asks.ANSWER:
        return Reply.DONE if line in ("", "done") else None
    if line in ("", "y", "yes"):
        return Reply.YES
    return Reply.NO if line in ("n", "no") else None


def _tell(result: Result, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(result.to_json(), ensure_ascii=False))
        return
    mark = click.style(f"{result.mark.value:7}", fg=_COLOURS[result.mark])
    click.echo(f"{mark}  {result.title:13}  {result.reason}")


def _summary(results: tuple[Result, ...]) -> str:
    marks = [result.mark for result in results]
    counted = (f"{marks.count(mark)} {mark.value}" for mark in Mark if mark in marks)
    return f"{', '.join(counted)} in {sum(result.seconds for result in results):.0f} s."


def _aside(text: str) -> None:
    """What is said beside the results."""
    click.echo(text, err=True)
