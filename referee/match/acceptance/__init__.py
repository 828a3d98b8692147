"""The acceptance of a referee before a match: a walk through all that it must be able to do.

A judge lays the table, makes a legal move, an illegal one, holds a hand over it, tries the box and
overrules a verdict; each step passes, fails or is skipped, with the reason. Then all is taken back
and put on record with a hash of all parts. A terminal, a page or a test drives `Acceptance.walk`.
"""

from referee.match.acceptance.bench import Patience
from referee.match.acceptance.talk import Asks, Mark, Prompt, Reply, Result
from referee.match.acceptance.walk import Acceptance

__all__ = ["Acceptance", "Asks", "Mark", "Patience", "Prompt", "Reply", "Result"]
