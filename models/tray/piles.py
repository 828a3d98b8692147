"""Lets cubes fall into trays until they rest, and writes how they lie to a file.

The simulation (MuJoCo) is needed only here: what draws trays takes the resting cubes from the file.
Lengths are in sides of a cube, x right, y down and z up from the middle of the tray's floor.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

Array = NDArray[np.float64]

#: Seconds for a cube to fall its own side are about 0.4: a step is a small part of it.
_STEP = 0.006
_FALL_S, _REST_S = 0.12, 4.0
#: A cube that still moves faster than this (sides a second) makes the pile be dropped again.
_STILL = 0.05
_MOST = 40


def settled(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """One tray at rest: its size (width, height), places (n, 3) and quaternions (n, 4; w first)."""
    while True:
        size = rng.uniform((8.0, 7.0), (20.0, 15.0))
        # Few cubes are the commonest throw; many, and all on one spot, the hardest.
        count = int(rng.integers(1, _MOST + 1) if rng.random() < 0.6 else rng.integers(1, 16))
        model = mujoco.MjModel.from_xml_string(_xml(size, count))
        data = mujoco.MjData(model)
        _drop(model, data, size, count, rng)
        moving = np.abs(data.qvel).max()
        places = data.qpos.reshape(count, 7)
        inside = (np.abs(places[:, :2]) < size / 2).all()
        if moving < _STILL and inside:
            order = np.argsort(places[:, 2], kind="stable")
            return size, places[order, :3].copy(), places[order, 3:].copy()


def _xml(size: Array, count: int) -> str:
    wide, high = size / 2
    # Walls without end: no cube jumps out.
    fence = "".join(
        f'<geom type="plane" pos="{x} {y} 0" zaxis="{-np.sign(x)} {-np.sign(y)} 0" size="1 1 1"/>'
        for x, y in ((wide, 0), (-wide, 0), (0, high), (0, -high))
    )
    cubes = "".join(
        '<body pos="0 0 0"><freejoint/><geom type="box" size=".5 .5 .5" mass="1"/></body>'
        for _ in range(count)
    )
    return f"""<mujoco>
      <option timestep="{_STEP}" gravity="0 0 -12" cone="elliptic" impratio="5"/>
      <default><geom friction="0.45 0.005 0.001" solref="0.02 1"/></default>
      <worldbody><geom type="plane" size="1 1 1"/>{fence}{cubes}</worldbody></mujoco>"""


def _drop(
    model: mujoco.MjModel, data: mujoco.MjData, size: Array, count: int, rng: np.random.Generator
) -> None:
    """The cubes fall one after the other out of a mouth, with some speed along the tray."""
    mouth = rng.uniform(-0.4, 0.4, 2) * size
    spread = rng.uniform(0.3, 4.0)
    push = rng.normal(0.0, 6.0, 2)
    poses = data.qpos.reshape(count, 7)
    # Those that wait lie high up, apart from each other, and are held there.
    waiting = np.array([(0.0, 0.0, 1000.0 + 3.0 * i) for i in range(count)])
    velocities = data.qvel.reshape(count, 6)
    falling = max(1, round(_FALL_S / _STEP))
    for step in range(falling * count + round(_REST_S / _STEP)):
        due = min(count, step // falling + 1)
        if step % falling == 0 and step // falling < count:
            i = step // falling
            limit = size / 2 - 0.9
            spot = np.clip(mouth + rng.normal(0.0, spread, 2), -limit, limit)
            poses[i, :3] = (*spot, rng.uniform(5.0, 8.0))
            turn = rng.normal(size=4)
            poses[i, 3:] = turn / np.linalg.norm(turn)
            velocities[i, :3] = (*(push + rng.normal(0.0, 2.0, 2)), -6.0)
            velocities[i, 3:] = rng.normal(0.0, 4.0, 3)
        poses[due:, :3] = waiting[due:]
        velocities[due:] = 0.0
        mujoco.mj_step(model, data)


def main() -> None:
    """Makes the file."""
    parser = argparse.ArgumentParser(prog="python -m models.tray.piles", description=__doc__)
    parser.add_argument("--count", type=int, default=420, help="so many trays")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True, help="an .npz file")
    args = parser.parse_args()
    piles = [
        settled(np.random.default_rng((args.seed, i))) for i in tqdm(range(args.count), unit="tray")
    ]
    np.savez_compressed(
        args.out,
        sizes=np.array([size for size, _, _ in piles], np.float16),
        counts=np.array([len(places) for _, places, _ in piles], np.int16),
        places=np.concatenate([places for _, places, _ in piles]).astype(np.float16),
        turns=np.concatenate([turns for _, _, turns in piles]).astype(np.float16),
    )


if __name__ == "__main__":
    main()
