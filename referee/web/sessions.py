"""Who has logged in or joined: kept in memory, so that a restart asks everybody again."""

from __future__ import annotations

import hashlib
import hmac
import math
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from referee.games.said import say, say_n
from referee.web.access import Access
from referee.web.attempts import Attempts
from referee.web.pin import Pin

#: A session ends so many seconds after its beginning, and after it was used last.
LONGEST_S = {Access.PLAY: 24 * 3600.0, Access.JUDGE: 12 * 3600.0}
IDLE_S = {Access.PLAY: 12 * 3600.0, Access.JUDGE: 2 * 3600.0}
#: So many are kept: those that were used last.
MOST_SESSIONS = 300
#: Letters and digits of a code to join that can't be taken for one another.
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_CODE_LETTERS = 8


@dataclass(slots=True)
class Session:
    """What one browser may do, and the token that it must send with each change."""

    access: Access
    token: str
    began: float
    used: float


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a try to log in or to join.

    session: The id of the new session, for its cookie; empty if there is none.
    text: Why not.
    wait_s: Seconds until the next try.
    """

    session: str = ""
    text: str = ""
    wait_s: float = 0.0


class Sessions:
    """May be used by many threads."""

    def __init__(
        self, pin: Pin | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Without a PIN nobody can log in."""
        self._pin, self._clock = pin, clock
        self._lock, self._trying = threading.Lock(), threading.Lock()
        self._sessions: OrderedDict[bytes, Session] = OrderedDict()
        # Apart: a device that may join could else forget its wrong PINs by joining again.
        self._attempts = {access: Attempts(clock) for access in (Access.PLAY, Access.JUDGE)}
        self._secret = secrets.token_bytes(32)
        self._code = _new_code()

    @property
    def code(self) -> str:
        """What devices of players join by."""
        return self._code

    @property
    def count(self) -> int:
        """How many are kept."""
        return len(self._sessions)

    def log_in(self, pin: str, address: str, *, own: bool = False) -> Tried:
        """A session of somebody who judges, if the PIN is right; takes a while.

        `address` is whom wrong tries are counted against, `own` whether it is the server's own
        computer.
        """

        def fits() -> bool:
            return self._pin is not None and self._pin.fits(pin)

        return self._try(fits, Access.JUDGE, address, own)

    def join(self, code: str, address: str, *, own: bool = False) -> Tried:
        """A session of a device that players use, if the code is the one that holds now."""

        def fits() -> bool:
            given = code.strip().upper().encode()
            return hmac.compare_digest(self._code.encode(), given)

        return self._try(fits, Access.PLAY, address, own)

    def find(self, session: str) -> Session | None:
        """The session with an id, which counts as used; None if there is none (any more)."""
        now = self._clock()
        with self._lock:
            key = _key(session)
            found = self._sessions.get(key)
            if found is None:
                return None
            longest, idle = LONGEST_S[found.access], IDLE_S[found.access]
            if now - found.began > longest or now - found.used > idle:
                del self._sessions[key]
                return None
            found.used = now
            self._sessions.move_to_end(key)
            return found

    def end(self, session: str) -> None:
        """Ends the session with an id, if there is one."""
        with self._lock:
            self._sessions.pop(_key(session), None)

    def end_all(self) -> None:
        """Ends all sessions, and those that joined can't come back by their code."""
        with self._lock:
            self._sessions.clear()
            self._code = _new_code()

    def renew_code(self) -> None:
        """Makes another code to join by: the devices that joined have to do so again."""
        with self._lock:
            self._code = _new_code()
            joined = [key for key, each in self._sessions.items() if each.access is Access.PLAY]
            for key in joined:
                del self._sessions[key]

    def token(self, session: str, address: str) -> str:
        """What a browser must send with each change: its session's, else its address's."""
        found = self.find(session)
        if found is not None:
            return found.token
        return hmac.new(self._secret, address.encode(), hashlib.sha256).hexdigest()

    def _try(self, fits: Callable[[], bool], access: Access, address: str, own: bool) -> Tried:
        # One at a time: many at once would all be let in before the first is counted as wrong.
        attempts = self._attempts[access]
        # Who is handed on by a program on the own computer has its address too.
        address = "own" if own else address
        with self._trying:
            wait = attempts.wait(address, own=own)
            if wait > 0:
                text = say(
                    "Too many wrong tries: the next one is possible in {time}.", time=_told(wait)
                )
                return Tried(text=text, wait_s=wait)
            if not fits():
                attempts.failed(address)
                if access is Access.JUDGE:
                    return Tried(text=say("This is not the PIN."))
                return Tried(text=say("This code is no longer valid: scan the one shown now."))
            attempts.succeeded(address)
            return Tried(session=self._begin(access))

    def _begin(self, access: Access) -> str:
        session, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            self._sessions[_key(session)] = Session(access, secrets.token_hex(32), now, now)
            while len(self._sessions) > MOST_SESSIONS:
                self._sessions.popitem(last=False)
        return session


def _key(session: str) -> bytes:
    """Sessions are kept under a hash: how long looking one up takes tells nothing of its id."""
    return hashlib.sha256(session.encode()).digest()


def _new_code() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LETTERS))


def _told(seconds: float) -> str:
    if seconds < 60:
        return say_n(math.ceil(seconds), "{n} second", "{n} seconds")
    return say_n(math.ceil(seconds / 60), "{n} minute", "{n} minutes")
