"""Files that come inside the Python wheels of others."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

from vision.errors import UnreadableError


def mediapipe_file(wheel: Path, inside: str, sha256: str, what: str) -> bytes:
    """The file `inside` a wheel of mediapipe 0.10.21; `what` names it for people.

    Raises UnreadableError if there is none of that name and hash.
    """
    try:
        with zipfile.ZipFile(wheel) as package:
            data = package.read(inside)
    except (OSError, KeyError, zipfile.BadZipFile):
        data = b""
    if hashlib.sha256(data).hexdigest() != sha256:
        raise UnreadableError(
            f"{wheel} holds no {what} of mediapipe 0.10.21.",
            "Get it with: pip download --no-deps mediapipe==0.10.21.",
        )
    return data
