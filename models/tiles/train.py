"""Trains the network that finds tiles: `python -m models.tiles.train --out build/tiles`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from tqdm import trange

from models.tables.table import SIDES
from models.tiles.export import export
from models.tiles.losses import batch_of, loss
from models.tiles.measure import certainty, judged, measure
from models.tiles.net import TileNet
from models.tiles.quantise import quantise
from models.tiles.shards import SIDE, Pictures, pictures
from models.tiles.targets import Targets, targets
from vision.tiles.cells import STRIDE

#: Pictures in a step, and the share of a weight's mean that each step keeps.
BATCH, KEEP = 16, 0.998
FASTEST = 3e-3
#: Share of the pictures in which pieces of one known size are asked for.
ASKED = 0.6
#: Shards of the seed after the training's own are never trained on.
VALIDATION_SHARDS = 6
#: The first of these are for making whole numbers of values, and probabilities of scores.
CALIBRATION_SHARDS = 3


def main() -> None:
    """Draws the pictures, trains, exports, quantises, measures."""
    parser = argparse.ArgumentParser(prog="python -m models.tiles.train", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True, help="folder for all that is made")
    parser.add_argument("--shards", type=int, default=100, help="of 128 pictures each")
    parser.add_argument("--steps", type=int, default=18000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--start", type=Path, help="weights to start from instead of chance")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    tables = args.out / "tables"
    train = pictures(tables, args.seed, range(args.shards), args.threads)
    net = _train(train, args)
    exact, file = args.out / "exact.onnx", args.out / "tiles.onnx"
    held = [
        pictures(tables, args.seed + 1, shards, args.threads)
        for shards in (range(CALIBRATION_SHARDS), range(CALIBRATION_SHARDS, VALIDATION_SHARDS))
    ]
    export(net, exact)
    quantise(exact, file, held[0])
    export(net, exact, certainty(judged(file, held[0])))
    quantise(exact, file, held[0])
    figures = measure(file, held[1])
    print(json.dumps(figures, indent=1))
    if args.json:
        args.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _train(train: Pictures, args: argparse.Namespace) -> TileNet:
    """Trains from chance or from a checkpoint; the mean of the weights over the last steps."""
    torch.manual_seed(args.seed)
    net = TileNet().to(memory_format=torch.channels_last)
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(KEEP), use_buffers=True
    )
    if args.start:
        net.load_state_dict(torch.load(args.start)["mean"], strict=False)
        mean.module.load_state_dict(net.state_dict())
    optimiser = torch.optim.AdamW(net.parameters(), lr=FASTEST, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, FASTEST, total_steps=args.steps, pct_start=0.08
    )
    checkpoint, first = args.out / "checkpoint.pt", 0
    if args.resume and checkpoint.exists():
        state = torch.load(checkpoint)
        net.load_state_dict(state["net"])
        mean.module.load_state_dict(state["mean"])
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        mean.n_averaged.fill_(state["step"])
        first = state["step"]
    shown: dict[str, float] = {}
    bar = trange(first, args.steps, initial=first, total=args.steps, unit="step")
    for step in bar:
        rng = np.random.default_rng([args.seed, 7, step])
        images, sides, heat, outline = _batch(train, rng)
        with torch.autocast("cpu", torch.bfloat16):
            raw = net(images, sides)
        parts = loss(raw, heat, outline)
        optimiser.zero_grad()
        sum(parts.values(), torch.zeros(())).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        mean.update_parameters(net)
        for name, part in parts.items():
            shown[name] = 0.98 * shown.get(name, float(part)) + 0.02 * float(part)
        if step % 50 == 0:
            bar.set_postfix({name: f"{value:.3f}" for name, value in shown.items()})
        if (step + 1) % 500 == 0 or step + 1 == args.steps:
            state = {"net": net, "mean": mean.module, "optimiser": optimiser, "schedule": schedule}
            saved: dict[str, Any] = {name: part.state_dict() for name, part in state.items()}
            torch.save({**saved, "step": step + 1}, checkpoint)
    trained: TileNet = mean.module
    return trained


def _batch(
    train: Pictures, rng: np.random.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Some pictures, turned, mirrored and in other colours; the sides asked for; the targets."""
    images: list[NDArray[np.uint8]] = []
    wanted: list[Targets] = []
    sides = np.zeros(BATCH, np.float32)
    for at, k in enumerate(rng.integers(len(train), size=BATCH)):
        image, (quads, visible) = train.images[k], train.pieces(int(k))
        turn, flip = int(rng.integers(4)), rng.random() < 0.5
        if flip:
            image, quads = image[:, ::-1], np.array([SIDE - 1, 0]) + quads * np.array([-1, 1])
        for _ in range(turn):  # As np.rot90 does: counterclockwise.
            quads = np.stack([quads[..., 1], SIDE - 1 - quads[..., 0]], axis=-1)
        image = np.rot90(image, turn)
        gain = np.exp(rng.normal(0, 0.12) + rng.normal(0, 0.06, 3))
        if rng.random() < 0.2:
            image = image[..., rng.permutation(3)]
        table = np.clip(np.arange(256)[:, None] * gain, 0, 255).astype(np.uint8)
        images.append(np.asarray(cv2.LUT(np.ascontiguousarray(image), table[None]), np.uint8))
        if rng.random() < ASKED:
            sides[at] = _side(quads, rng)
        cells = (SIDE // STRIDE, SIDE // STRIDE)
        wanted.append(targets(quads.astype(np.float32), visible, cells, float(sides[at])))
    levels = torch.from_numpy(np.stack(images)).permute(0, 3, 1, 2).float()
    levels = levels.contiguous(memory_format=torch.channels_last)
    return levels, torch.from_numpy(sides), *batch_of(wanted)


def _side(quads: NDArray[np.float32], rng: np.random.Generator) -> float:
    """The shorter side of one of the pieces, not quite exactly; any if there are none."""
    if not len(quads):
        return float(np.exp(rng.uniform(*np.log(SIDES))))
    quad = quads[int(rng.integers(len(quads)))]
    lengths = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
    side = min(lengths[0] + lengths[2], lengths[1] + lengths[3]) / 2
    return float(side * np.exp(rng.normal(0, 0.03)))


if __name__ == "__main__":
    main()
