"""Viewers in a process of their own, as many as are asked for: `python -m tests.bench.crowd URL`.

Each follows the documents as a page does: it merges changes and answers beats. A line that is read
says what to do, a line of JSON what came of it: `join N` (so many are to be there), `churn N` (so
many leave and join each second from now on), `told` (versions and documents, and how many have
each). It ends with its input.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from referee.web.patch import merged

#: They leave most of the time to the referee: they stand for other machines.
NICE = 10
ROOT = Path(__file__).parents[2]


class Crowd:
    """Viewers of an address, started and told what to do from here."""

    def __init__(self, url: str) -> None:
        """`url` is that of the documents, with what is asked for."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.crowd", url],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._process.communicate()

    def ask(self, *words: object) -> Any:
        """Has something done; what came of it, once it is done."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(*words, file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())


class Viewers:
    """Those of this process."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._here: list[asyncio.Task[None]] = []
        self._told: dict[asyncio.Task[None], tuple[str, int, Any]] = {}
        self._churning: asyncio.Task[None] | None = None
        self.lost: Counter[str] = Counter()
        """How many connections ended though nobody wanted it, by why."""

    async def join(self, number: int) -> None:
        """Has so many there, each with a document."""
        while len(self._here) > number:
            await self._leave(self._here.pop(0))
        self._here += [asyncio.create_task(self._follow()) for _ in range(number - len(self._here))]
        while any(viewer not in self._told for viewer in self._here):
            await asyncio.sleep(0.05)

    def churn(self, number: int) -> None:
        """Has so many leave and join each second; 0 ends it."""
        if self._churning is not None:
            self._churning.cancel()
        self._churning = asyncio.create_task(self._come_and_go(number)) if number else None

    def told(self) -> dict[str, Any]:
        """How many were told each version, and each document; how many were lost, by why."""
        known = [self._told[viewer] for viewer in self._here if viewer in self._told]
        texts = [json.dumps(document, sort_keys=True) for _, _, document in known]
        documents = Counter(sha256(text.encode()).hexdigest()[:12] for text in texts)
        versions = Counter(f"{epoch} {v}" for epoch, v, _ in known)
        return {"versions": versions, "documents": documents, "lost": self.lost}

    async def _come_and_go(self, number: int) -> None:
        while True:
            await asyncio.sleep(1.0 / number)
            await self._leave(self._here.pop(0))
            self._here.append(asyncio.create_task(self._follow()))

    async def _leave(self, viewer: asyncio.Task[None]) -> None:
        viewer.cancel()
        await asyncio.gather(viewer, return_exceptions=True)
        self._told.pop(viewer, None)

    async def _follow(self) -> None:
        me = asyncio.current_task()
        assert me is not None
        document: Any = None
        epoch, version = "", -1
        try:
            async with connect(self._url, compression=None, ping_interval=None) as socket:
                async for message in socket:
                    told = json.loads(message)
                    if told["kind"] == "beat":
                        await socket.send(f'{{"kind":"beat","v":{version}}}')
                        continue
                    if told["kind"] == "whole":
                        document, epoch = told["doc"], told["epoch"]
                    else:
                        assert told["from"] == version
                        document = merged(document, told["patch"])
                    version = told["v"]
                    self._told[me] = epoch, version, document
        except (ConnectionClosed, OSError) as error:
            self.lost[str(error) or type(error).__name__] += 1
        else:
            self.lost["closed"] += 1


async def main(url: str) -> None:
    """Does what is read."""
    os.nice(NICE)
    viewers = Viewers(url)
    while line := (await asyncio.to_thread(sys.stdin.readline)).split():
        what, *numbers = line
        answer: Any = True
        if what == "join":
            await viewers.join(int(numbers[0]))
        elif what == "churn":
            viewers.churn(int(numbers[0]))
        else:
            answer = viewers.told()
        print(json.dumps(answer), flush=True)
    viewers.churn(0)
    await viewers.join(0)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
