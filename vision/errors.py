"""What vision raises when its input can't be read."""


class UnreadableError(ValueError):
    """The input can't be read: says what happened, and what to do about it.

    The message is one sentence that names the offending input; `remedy` is one sentence that
    tells a person who is no engineer what to do next.
    """

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what} {remedy}")
        self.what = what
        self.remedy = remedy
