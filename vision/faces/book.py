"""The faces that a referee was taught, and the file that keeps them.

A book is a zip of `book.json` and the straightened teaching pictures as PNG. No feature is kept:
they are computed when the book is used, so a book outlives the matcher that it was taught with.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

import cv2
import numpy as np

from vision.errors import UnreadableError
from vision.faces.features import Image
from vision.faces.likeness import Templates
from vision.faces.misfit import clearly_apart, misfits

#: The label of what a face-down piece shows.
BACK = "back"
#: Longer side in pixels of a kept teaching picture: above what a camera sees of a tile.
KEPT_PX = 160
#: By what factor a teaching picture's shape may miss the aspect: it was cut by hand.
ASPECT_SLACK = 1.25
#: Change of log chroma between daylight and a lamp that a camera's white balance leaves.
LAMP = 0.35
#: Misfit of a face that a camera sees as well as usual.
USUAL_MISFIT = 0.1

#: What a file that is no book, or a damaged one, makes the readers of zip, JSON and PNG raise.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    cv2.error,
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    RuntimeError,
)
_FORMAT = "table-referee face book"
_VERSION = 1


class FaceBook:
    """Taught faces: for each label one or more pictures of the whole face, straight and upright.

    `labels` are in the order of teaching; `aspect` is a face's width over its height.
    """

    def __init__(self, faces: Mapping[str, Sequence[Image]], aspect: float) -> None:
        """Takes pictures that are straightened already; `teach` is the way to make a book."""
        self.aspect = aspect
        self._faces = {label: tuple(images) for label, images in faces.items()}

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the faces; an index into this is a label id."""
        return tuple(self._faces)

    @property
    def crop_size(self) -> tuple[int, int]:
        """Width and height in pixels of the crops that suit these faces; see `straighten`."""
        return _size(self.aspect, 72)

    def pictures(self, label: str) -> tuple[Image, ...]:
        """The teaching pictures of a face, BGR uint8 (h, w, 3)."""
        return self._faces[label]

    @property
    def hash(self) -> str:
        """Sixteen hex digits that change with the aspect, the labels, or any pixel."""
        digest = hashlib.sha256(f"{self.aspect:.6g}".encode())
        for label, images in self._faces.items():
            for image in images:
                digest.update(f"\0{label}\0{image.shape}\0".encode())
                digest.update(np.ascontiguousarray(image).tobytes())
        return digest.hexdigest()[:16]

    @classmethod
    def teach(cls, faces: Mapping[str, Sequence[Image]], aspect: float = 1.0) -> Self:
        """A book of these faces: label to pictures (BGR or BGRA, uint8) of the whole face, upright.

        Raises UnreadableError if there is no face, a label without a picture, a picture that is no
        colour picture, or one whose shape is not that of the face.
        """
        if not aspect > 0:
            raise UnreadableError(
                "The aspect {aspect} of the faces is not above 0.",
                "Give it as width:height.",
                aspect=aspect,
            )
        if not faces:
            raise UnreadableError("There is no face to learn.", "Give at least one picture.")
        kept = {}
        for label, images in faces.items():
            if not label or not images:
                raise UnreadableError(
                    "The face {label} has no name or no picture.",
                    "Give each face both.",
                    label=repr(label),
                )
            kept[label] = [_straight(label, image, aspect) for image in images]
        return cls(kept, aspect)

    def save(self, path: Path | str) -> None:
        """Writes the book; the same book gives the same bytes.

        Raises UnreadableError if the file can't be written.
        """
        try:
            Path(path).write_bytes(self._packed())
        except OSError as error:
            raise UnreadableError(
                "The face book {path} can't be written ({strerror}).",
                "Name a file in a folder that exists and is yours.",
                path=path,
                strerror=error.strerror,
            ) from error

    def _packed(self) -> bytes:
        names, packed = [], io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as file:
            for number, (label, images) in enumerate(self._faces.items()):
                files = [f"faces/{number:03}-{example:02}.png" for example in range(len(images))]
                names.append({"label": label, "pictures": files})
                for name, image in zip(files, images, strict=True):
                    file.writestr(zipfile.ZipInfo(name), cv2.imencode(".png", image)[1].tobytes())
            content = {
                "format": _FORMAT,
                "version": _VERSION,
                "aspect": self.aspect,
                "faces": names,
            }
            text = json.dumps(content, ensure_ascii=False, indent=1)
            file.writestr(zipfile.ZipInfo("book.json"), text)
        return packed.getvalue()

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Reads a book; raises UnreadableError if there is none or the file is no whole book."""
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise UnreadableError(
                "The face book {path} can't be opened ({strerror}).",
                "Make one with `referee teach DIR -o BOOK`.",
                path=path,
                strerror=error.strerror,
            ) from error
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as file:
                return cls._unpack(path, file)
        except _DAMAGE as error:
            if isinstance(error, UnreadableError):
                raise
            raise UnreadableError(
                "{path} is not a face book, or is damaged.",
                "Make it again with `referee teach DIR -o BOOK`.",
                path=path,
            ) from error

    def look_alikes(self) -> list[tuple[str, str, float]]:
        """Pairs of faces that a picture may not tell apart, with their likeness, most alike first.

        Light that may change between daylight and a lamp counts for no difference.
        """
        return [pair for pair in self.likenesses() if confusable(pair[2])]

    def likenesses(self) -> list[tuple[str, str, float]]:
        """The likeness, above 0 to 1, of all pairs of faces that have any, most alike first."""
        pictures = [(i, p) for i, label in enumerate(self.labels) for p in self.pictures(label)]
        if len(self.labels) < 2:
            return []
        templates = Templates([self.pictures(label) for label in self.labels], self.aspect)
        crops = np.stack(
            [cv2.resize(p, self.crop_size, interpolation=cv2.INTER_AREA) for _, p in pictures]
        )
        likeness = templates.compare(np.asarray(crops, np.uint8))
        misfit = misfits(likeness, np.zeros(2, np.float32), tolerance=LAMP)
        pairs: dict[tuple[str, str], float] = {}
        for crop, rank in np.argwhere(misfit < 1):
            one, other = pictures[crop][0], int(likeness.labels[crop, rank])
            if one != other:
                pair = self.labels[min(one, other)], self.labels[max(one, other)]
                pairs[pair] = max(pairs.get(pair, 0.0), float(1 - misfit[crop, rank]))
        return sorted(((a, b, score) for (a, b), score in pairs.items()), key=lambda p: -p[2])

    @classmethod
    def _unpack(cls, path: Path | str, file: zipfile.ZipFile) -> Self:
        content = json.loads(file.read("book.json").decode("utf-8"))
        if content["format"] != _FORMAT:
            raise ValueError(content["format"])
        if content["version"] != _VERSION:
            raise UnreadableError(
                "The face book {path} is of version {found}; this program reads version {version}.",
                "Update the program, or teach the faces again.",
                path=path,
                found=content["version"],
                version=_VERSION,
            )
        faces = {}
        for face in content["faces"]:
            faces[str(face["label"])] = [_decoded(file.read(name)) for name in face["pictures"]]
        return cls.teach(faces, float(content["aspect"]))


def confusable(likeness: float) -> bool:
    """Whether a picture may not tell two faces apart that are so alike; see `likenesses`."""
    seen = np.array([USUAL_MISFIT], np.float32)
    return not clearly_apart(seen, np.array([1 - likeness], np.float32))[0]


def _decoded(png: bytes) -> Image:
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError("not a picture")
    return np.asarray(image, np.uint8)


def _size(aspect: float, longer: int) -> tuple[int, int]:
    scale = longer / max(aspect, 1.0)
    return max(round(aspect * scale), 1), max(round(scale), 1)


def _straight(label: str, image: Image, aspect: float) -> Image:
    """The teaching picture in three channels, in the face's aspect and of bounded size."""
    channels = image.shape[2] if image.ndim == 3 else 1
    if image.dtype != np.uint8 or channels not in (3, 4) or min(image.shape[:2]) < 8:
        raise UnreadableError(
            "A picture of the face {label} is no colour picture of at least 8 x 8 pixels.",
            "Give a PNG or JPEG of the whole face.",
            label=repr(label),
        )
    height, width = image.shape[:2]
    miss = width / height / aspect
    if not 1 / ASPECT_SLACK <= miss <= ASPECT_SLACK:
        raise UnreadableError(
            "A picture of the face {label} is {width} x {height} pixels, but the faces are "
            "{aspect} times as wide as high.",
            "Cut the picture to the edges of the piece, or give the aspect as width:height.",
            label=repr(label),
            width=width,
            height=height,
            aspect=f"{aspect:.3g}",
        )
    if image.shape[2] == 4:
        opaque = image[:, :, 3:].astype(np.float32) / 255
        image = np.rint(image[:, :, :3] * opaque + 255 * (1 - opaque)).astype(np.uint8)
    size = _size(aspect, min(KEPT_PX, max(width, height)))
    if size == (width, height):
        return image.copy()
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
