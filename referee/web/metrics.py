"""Figures for those who run several tables: counted as it goes, or read when somebody asks."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from referee.journal import evidence_path
from referee.match.match import View
from referee.match.verdict import Outcome
from referee.web.gear import Opened

if TYPE_CHECKING:
    from referee.web.site import Site

# When each counter was made says nothing here: all were when the program started.
disable_created_metrics()  # type: ignore[no-untyped-call]

#: As Prometheus wants it.
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
ACCEPTED, REFUSED = "accepted", "refused"
_CHANGING = (Outcome.CONFIRMED, Outcome.RULED)


class Metrics:
    """What is counted as it goes, of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.commands = Counter(
            "referee_commands",
            "What people wanted done, by what became of it",
            ["answer"],
            registry=self.registry,
        )
        self.logins = Counter(
            "referee_logins",
            "Tries to log in or to join, by what became of them",
            ["kind", "answer"],
            registry=self.registry,
        )
        self.verdicts = Counter(
            "referee_verdicts",
            "Verdicts that were shown, by their outcome",
            ["outcome"],
            registry=self.registry,
        )
        ProcessCollector(registry=self.registry)
        self._lock = threading.Lock()
        self._noted: tuple[tuple[str, int], tuple[Any, ...] | None] | None = None
        """The newest state and the verdict that was shown."""

    def command(self, accepted: bool) -> None:
        """Counts a command."""
        self.commands.labels(ACCEPTED if accepted else REFUSED).inc()

    def login(self, kind: str, accepted: bool) -> None:
        """Counts a try; `kind` is `pin` or `code`."""
        self.logins.labels(kind, ACCEPTED if accepted else REFUSED).inc()

    def note(self, view: View[Any, Any]) -> None:
        """Counts what is new in a view: its verdict, and who led to the state that holds."""
        verdict, state = view.verdict, (view.match, view.state_id)
        shown = None if verdict is None else (*state, verdict.outcome, verdict.sentence)
        with self._lock:
            before, self._noted = self._noted, (state, shown)
        if before is not None and before[0] != state and before[0][0] == view.match:
            by_camera = view.cause.kind == "camera"
            outcome = Outcome.CONFIRMED if by_camera else Outcome.RULED
            self.verdicts.labels(outcome.value).inc()
        # What was confirmed or ruled is the state's.
        open_still = verdict is not None and verdict.outcome not in _CHANGING
        if verdict is not None and open_still and (before is None or before[1] != shown):
            self.verdicts.labels(verdict.outcome.value).inc()


def exposed(site: Site) -> bytes:
    """All figures of a server, as Prometheus reads them."""
    now = CollectorRegistry()
    now.register(_Now(site))
    return generate_latest(site.metrics.registry) + generate_latest(now)


class _Now(Collector):
    """What is read when somebody asks."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def collect(self) -> Iterator[Metric]:
        """The figures of the server, and of its match if one is open."""
        screens, match = self._site.screens, self._site.match
        yield _gauge("match_open", "Whether a match is open", match is not None)
        viewers = GaugeMetricFamily("referee_viewers", "Clients by what they see", None, ["screen"])
        for audience, number in screens.hub.clients.items():
            viewers.add_metric([audience.value], number)
        viewers.add_metric(["video"], screens.film.watchers)
        yield viewers
        yield _counter("viewers_lagged", "Clients that were told all anew", screens.hub.lagged)
        yield _counter("publishing_failed", "Failures of ours", screens.publisher.failures)
        yield _gauge("publishing", "Whether the screens show what holds", screens.publisher.alive)
        yield _gauge("sessions", "Browsers that logged in or joined", self._site.sessions.count)
        if match is not None:
            yield from self._of_match(match)

    def _of_match(self, match: Opened) -> Iterator[Metric]:
        live, watch = match.live, match.watch
        yield _gauge("journal_seq", "Number of the newest event on record", live.view.seq)
        yield _gauge("journal_writable", "Whether events can be put on record", not live.trouble)
        yield _counter("match_failures", "Failures of ours in the match", live.failures)
        box = match.box
        yield _gauge("box_there", "Whether the box answers", box is not None and box.connected)
        kept = evidence_path(match.journal.path)
        size = kept.stat().st_size if kept.exists() else 0
        yield _gauge("evidence_bytes", "Size of the pictures that are kept as evidence", size)
        yield _gauge("evidence_kept", "Whether evidence can be kept", not match.pictures.trouble)
        if watch is None:
            return
        if watch.newest is not None:
            age = time.monotonic() - watch.newest.frame.captured_at
            yield _gauge("frame_age_seconds", "Age of the newest picture that was read", age)
        yield _gauge("camera_there", "Whether the camera sends pictures", not watch.trouble)
        yield _counter("looks", "Pictures that were read", watch.looks)
        yield _counter("look_seconds", "Time that reading them took", watch.look_seconds)
        yield _counter("looks_failed", "Pictures whose reading failed", watch.failures)


def _gauge(name: str, says: str, value: float) -> Metric:
    return GaugeMetricFamily(f"referee_{name}", says, float(value))


def _counter(name: str, says: str, value: float) -> Metric:
    return CounterMetricFamily(f"referee_{name}", says, float(value))
