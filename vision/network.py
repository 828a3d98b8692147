"""Loads the trained networks that lie in `models/`, and runs them."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.errors import UnreadableError

#: The list of hashes, as `sha256sum` writes it; paths are relative to its folder.
SUMS = "SHA256SUMS"
#: More threads than this make networks of this size no faster.
_MOST_THREADS = 2


class ModelMissingError(UnreadableError):
    """The file of a network is not there: what needs it must do without, and say so."""


class Network:
    """A network in memory; may be run from several threads at once."""

    def __init__(self, path: Path, sha256: str) -> None:
        """Loads the ONNX file `path`, whose SHA-256 must be `sha256`.

        Raises ModelMissingError if there is no such file, UnreadableError if it is damaged.
        """
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise ModelMissingError(
                "The model file {path} is missing.",
                "Install the program again; or train it, see models/README.md.",
                path=path,
            ) from None
        except OSError as error:
            raise UnreadableError(
                "The model file {path} can't be read ({strerror}).",
                "Check that you may open it, or install the program again.",
                path=path,
                strerror=error.strerror,
            ) from None
        found = hashlib.sha256(data).hexdigest()
        if found != sha256:
            raise UnreadableError(
                "The model file {path} is damaged: its SHA-256 is {found}…, {expected}… is "
                "expected.",
                "Install the program again; if you trained it anew, write its hash to {sums}.",
                path=path,
                found=found[:12],
                expected=sha256[:12],
                sums=SUMS,
            )
        self.hash = sha256
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = min(_MOST_THREADS, os.cpu_count() or 1)
        # Threads that spin while they wait take the cores from the camera and the match.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # Memory that a run needed is given back; to keep it saved no time.
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            data, options, providers=["CPUExecutionProvider"]
        )
        self._inputs = [entry.name for entry in self._session.get_inputs()]

    def run(self, *inputs: NDArray[np.generic]) -> list[NDArray[np.float32]]:
        """The outputs for the given inputs, both in the order of the file."""
        feed = dict(zip(self._inputs, inputs, strict=True))
        return [np.asarray(output) for output in self._session.run(None, feed)]


@cache
def network(name: str) -> Network:
    """The network `name`, that is `models/NAME/NAME.onnx`; loaded once.

    Raises ModelMissingError if it is not there or not listed in SHA256SUMS, UnreadableError if it
    is damaged.
    """
    folder = models_folder()
    relative = f"{name}/{name}.onnx"
    sums = _sums(folder)
    if relative not in sums:
        raise ModelMissingError(
            "The model file {path} is not listed in {sums}.",
            "Install the program again; if you trained it, write its hash there.",
            path=folder / relative,
            sums=SUMS,
        )
    return Network(folder / relative, sums[relative])


def listed() -> tuple[str, ...]:
    """Names of the networks in SHA256SUMS, in order; none if there is no such list."""
    return tuple(sorted(path.partition("/")[0] for path in _sums(models_folder())))


def hashes() -> dict[str, str]:
    """The SHA-256 of each network that is there, by name."""
    folder = models_folder()
    return {
        path.partition("/")[0]: sha256
        for path, sha256 in _sums(folder).items()
        if (folder / path).is_file()
    }


def models_hash() -> str:
    """Names the networks that are there: another set of files has another hash."""
    folder = models_folder()
    there = [
        f"{sha256} {path}"
        for path, sha256 in sorted(_sums(folder).items())
        if (folder / path).is_file()
    ]
    return hashlib.sha256("\n".join(there).encode()).hexdigest()[:12]


def models_folder() -> Path:
    """Where the networks lie: inside the installed package, or `models/` of a checkout."""
    installed = Path(__file__).parent / "weights"
    return installed if installed.is_dir() else Path(__file__).parents[1] / "models"


def _sums(folder: Path) -> dict[str, str]:
    """The hashes by file."""
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    return {path: sha256 for sha256, path in (line.split(maxsplit=1) for line in lines if line)}
