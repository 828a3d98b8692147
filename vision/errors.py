"""What vision tells people: what is wrong, and what to do about it.

Both are sentences with `{names}` of arguments, so that whoever shows them can tell them in another
language too.
"""

from __future__ import annotations

from collections.abc import Mapping


class Trouble:
    """What happened, in a sentence, and what a person who is no engineer does about it."""

    def __init__(self, what: str, remedy: str, /, **arguments: object) -> None:
        self.templates = what, remedy
        """Both as they were given."""
        self.arguments: Mapping[str, object] = arguments

    @property
    def what(self) -> str:
        """What happened."""
        return self._filled(self.templates[0])

    @property
    def remedy(self) -> str:
        """What to do next."""
        return self._filled(self.templates[1])

    def _filled(self, template: str) -> str:
        return template.format(**self.arguments) if self.arguments else template


class UnreadableError(Trouble, ValueError):
    """The input can't be read: `what` names the offending input."""

    def __str__(self) -> str:
        return f"{self.what} {self.remedy}"
