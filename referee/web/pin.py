"""The PIN of those who judge: kept only as what scrypt makes of it."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from referee.games.said import say

DIGITS = 6
#: The shortest that a host may choose, and the longest that is looked at.
FEWEST, MOST = 6, 64
#: scrypt's cost: 16 MB, and half a second on a slow computer.
COST, _BLOCK, _PARALLEL = 2**14, 8, 5


class Pin:
    """Compares tries with a PIN that it does not know."""

    def __init__(self, pin: str, *, cost: int = COST) -> None:
        """`cost` is a power of two. Raises ValueError if the PIN is too short or too long."""
        pin = pin.strip()
        if not FEWEST <= len(pin) <= MOST:
            raise ValueError(
                say(
                    "A PIN has {fewest} to {most} characters, not {n}: choose another one.",
                    fewest=FEWEST,
                    most=MOST,
                    n=len(pin),
                )
            )
        self._cost = cost
        self._salt = secrets.token_bytes(16)
        self._hash = self._scrypt(pin)

    def fits(self, pin: str) -> bool:
        """Whether this is it; takes as long for each wrong one."""
        return hmac.compare_digest(self._hash, self._scrypt(pin.strip()[: MOST + 1]))

    def _scrypt(self, pin: str) -> bytes:
        data = pin.encode("utf-8", "surrogatepass")
        return hashlib.scrypt(data, salt=self._salt, n=self._cost, r=_BLOCK, p=_PARALLEL)


def new_pin() -> str:
    """Six digits that nobody can guess."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
