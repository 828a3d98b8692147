"""Makes each conformance test once for each subject that can do what it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.firmware.master import Master
from tests.firmware.subjects import ABILITIES, SUBJECTS, Can, Subject

MakeSubject = Callable[[int], Subject]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(can): the subject must be able to do this")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "make_subject" not in metafunc.fixturenames:
        return
    needed = Can.NOTHING
    for mark in metafunc.definition.iter_markers("needs"):
        needed |= mark.args[0]
    names = [name for name, can in ABILITIES.items() if needed in can]
    metafunc.parametrize("make_subject", names, indirect=True)


@pytest.fixture
def make_subject(request: pytest.FixtureRequest) -> Iterator[MakeSubject]:
    """Makes subjects of one kind, whose clocks are off by so many ppm, and ends them."""
    made: list[Subject] = []

    def make(clock_ppm: int = 0) -> Subject:
        made.append(SUBJECTS[request.param](clock_ppm))
        return made[-1]

    yield make
    for subject in made:
        subject.close()


@pytest.fixture
def subject(make_subject: MakeSubject) -> Subject:
    """A box that was just switched on, its clock right."""
    return make_subject(0)


@pytest.fixture
def master(subject: Subject) -> Master:
    """A host in session with `subject`."""
    host = Master(subject)
    host.run(0.1)
    host.hello()
    host.wait(0.1)
    host.events.clear()
    return host
