"""The files of the pages: those that the package had when the server started, and no other."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

from referee.web.answers import house_language

#: What is served, and as what; licences and notes in the folder are not.
MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".jpg": "image/jpeg",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}

#: How every page begins; what the house's language is, is put behind it.
_ROOT = b'<html lang="en"'


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    media_type: str
    etag: str


class Assets:
    """Serves by exact name from a list that is made once: no path ever reaches the disk."""

    def __init__(self, folder: Traversable | None = None) -> None:
        """Reads all files below `folder`; without it, below the package's `static`."""
        root = files("referee.web") / "static" if folder is None else folder
        self._files = dict(_read(root, ""))

    @property
    def names(self) -> list[str]:
        """What is served, such as `table/main.js`."""
        return sorted(self._files)

    def answer(self, request: Request, name: str) -> Response:
        """A file by its name; 304 if the client has it already, 404 if there is none.

        Pages are told the house's language, for devices that have chosen none.
        """
        file = self._files.get(name)
        if file is None:
            return Response(status_code=404)
        if file.media_type == MEDIA_TYPES[".html"] and (language := house_language(request)):
            told = b'%s data-house="%s"' % (_ROOT, language.encode())
            file = _of(file.content.replace(_ROOT, told, 1), file.media_type)
        # The browser asks each time, and is told in a few bytes that nothing changed.
        headers = {"ETag": file.etag, "Cache-Control": "no-cache"}
        if file.etag in request.headers.get("if-none-match", "").split(", "):
            return Response(status_code=304, headers=headers)
        return Response(file.content, media_type=file.media_type, headers=headers)


def _read(folder: Traversable, prefix: str) -> Iterator[tuple[str, _File]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _read(entry, f"{prefix}{entry.name}/")
            continue
        media_type = MEDIA_TYPES.get("." + entry.name.rpartition(".")[2])
        if media_type is not None:
            yield f"{prefix}{entry.name}", _of(entry.read_bytes(), media_type)


def _of(content: bytes, media_type: str) -> _File:
    return _File(content, media_type, f'"{hashlib.sha256(content).hexdigest()[:32]}"')
