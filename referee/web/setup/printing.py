"""The set as a PDF: each kind is made once as long as the server runs, and kept until its end."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path

from referee.web.gear import Gear
from referee.web.setup.jobs import Job

PAPERS = ("a4", "letter")


class Printing:
    """Makes and keeps them; for any thread."""

    def __init__(self, gear: Gear) -> None:
        self._gear = gear
        self._folder = Path(tempfile.mkdtemp(prefix="referee-kit-"))
        # It goes with the server, be that stopped or the whole program.
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._jobs = {
            (paper, language): Job[Path](f"print {paper} {language}")
            for paper in PAPERS
            for language in gear.kit_languages
        }

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that there are."""
        return self._gear.kit_languages

    def job(self, paper: str, language: str) -> Job[Path]:
        """The making of one; raises KeyError for a kind that there is not."""
        return self._jobs[paper, language]

    def make(self, paper: str, language: str) -> Job[Path]:
        """Makes one if it is not made yet, or being made; raises KeyError as `job`."""
        job = self.job(paper, language)
        file = self._folder / f"{paper}-{language}.pdf"

        def work() -> Path:
            self._gear.print_kit(file, paper, language)
            return file

        job.start(work, key=file)
        return job
