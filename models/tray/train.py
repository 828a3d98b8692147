"""Trains the network that finds cubes in a tray: `python -m models.tray.train --out build/tray`."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from tqdm import tqdm

from models.tray.data import Sample, targets
from models.tray.net import CubeNet

Array = NDArray[np.float32]

#: Side of the pieces that are trained on, in pixels.
_CROP = 120
_BATCH = 8
_RATE = 3e-3


class Trays:
    """All samples in memory, cut and varied by chance."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.patches: list[NDArray[np.uint8]] = []
        self.maps: list[NDArray[np.float16]] = []
        self._known: set[Path] = set()
        self.load()

    def load(self) -> None:
        """Takes in the samples that were made meanwhile, too."""
        for path in sorted(set(self.folder.glob("??????.npz")) - self._known):
            self._known.add(path)
            with np.load(path) as data:
                sample = Sample(**{name: data[name] for name in data.files})
            maps, weights = targets(sample)
            self.patches.append(sample.patch)
            self.maps.append(np.concatenate([maps, weights[None]]).astype(np.float16))

    def batch(self, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        """Pieces (n, 3, s, s) of patches with their maps (n, 6, s/2, s/2)."""
        pieces = [self._piece(int(i), rng) for i in rng.integers(len(self.patches), size=_BATCH)]
        patches = np.stack([piece for piece, _ in pieces]).transpose(0, 3, 1, 2)
        maps = np.stack([maps for _, maps in pieces])
        return torch.from_numpy(patches.copy()), torch.from_numpy(maps)

    def _piece(self, index: int, rng: np.random.Generator) -> tuple[Array, Array]:
        patch, maps = self.patches[index], self.maps[index]
        rows, columns = (max(0, n - _CROP) // 2 for n in patch.shape[:2])
        top, left = int(rng.integers(rows + 1)), int(rng.integers(columns + 1))
        part: Array = patch[2 * top :, 2 * left :][:_CROP, :_CROP].astype(np.float32)
        half = _CROP // 2
        own = maps[:, top : top + half, left : left + half].astype(np.float32)
        down, right = _CROP - part.shape[0], _CROP - part.shape[1]
        part = np.pad(part, ((0, down), (0, right), (0, 0)))
        own = np.pad(own, ((0, 0), (0, down // 2), (0, right // 2)))
        # Other lights, other paints: channels change places.
        gains, offsets = rng.uniform(0.7, 1.2, 3), rng.normal(0, 8, 3)
        part = (part[..., rng.permutation(3)] * gains + offsets).astype(np.float32)
        if rng.random() < 0.5:
            part, own = part[:, ::-1], own[:, :, ::-1].copy()
            own[2] *= -1
        if rng.random() < 0.5:
            part, own = part[::-1], own[:, ::-1].copy()
            own[3] *= -1
        if rng.random() < 0.5:
            part, own = part.transpose(1, 0, 2), own.transpose(0, 2, 1)[[0, 1, 3, 2, 4, 5]]
        grain = rng.normal(0, rng.uniform(0, 3), part.shape)
        return np.clip(part + grain, 0, 255).astype(np.float32), np.ascontiguousarray(own)


def loss(raw: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Focal loss of middles, cross entropy of cubes, ways, and the number of hidden cubes."""
    heat, weights = truth[:, 0], truth[:, 5]
    chance = torch.sigmoid(raw[:, 0])
    hit = (heat > 0.9).float()
    log_yes, log_no = nn.functional.logsigmoid(raw[:, 0]), nn.functional.logsigmoid(-raw[:, 0])
    marks = -(hit * (1 - chance) ** 2 * log_yes)
    marks = marks - (1 - hit) * (1 - heat) ** 4 * chance**2 * log_no
    cubes = hit.sum().clamp(min=1.0)
    middle = (marks * weights).sum() / cubes
    any_cube = nn.functional.binary_cross_entropy_with_logits(raw[:, 1], truth[:, 1])
    inside = truth[:, 1]
    way = (raw[:, 2:4] - truth[:, 2:4]).abs().sum(1)
    way = (way * inside).sum() / inside.sum().clamp(min=1.0)
    # Poisson: the density that tells best where hidden cubes are, and how many.
    density = nn.functional.softplus(raw[:, 4])
    hidden = (density - truth[:, 4] * torch.log(density + 1e-6)).sum() / len(raw)
    return middle + any_cube + way + 0.2 * hidden


def train(args: argparse.Namespace) -> CubeNet:
    """Trains for `args.steps`, going on from the last state if asked to."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    net: CubeNet = CubeNet().to(memory_format=torch.channels_last)
    best = torch.optim.AdamW(net.parameters(), _RATE, weight_decay=1e-4)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, _RATE, args.steps, pct_start=0.1)
    state, first = args.out / "state.pt", 0
    if args.resume and state.exists():
        saved = torch.load(state)
        net.load_state_dict(saved["net"])
        best.load_state_dict(saved["best"])
        plan.load_state_dict(saved["plan"])
        first = saved["step"]
    trays = Trays(args.data)
    bar = tqdm(range(first, args.steps), initial=first, total=args.steps, unit="step")
    mean = 0.0
    for step in bar:
        if step % 50 == 0:
            trays.load()
        patches, maps = trays.batch(np.random.default_rng((args.seed, step)))
        with torch.autocast("cpu", torch.bfloat16):
            raw = net.raw(patches.contiguous(memory_format=torch.channels_last))
        off = loss(raw.float(), maps)
        best.zero_grad()
        off.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        plan.step()
        mean = 0.98 * mean + 0.02 * float(off.detach()) if step else float(off.detach())
        bar.set_postfix(loss=f"{mean:.3f}")
        if (step + 1) % 200 == 0 or step + 1 == args.steps:
            saved = {"net": net.state_dict(), "best": best.state_dict(), "step": step + 1}
            torch.save(saved | {"plan": plan.state_dict()}, state)
    return net


def export(net: CubeNet, path: Path) -> None:
    """Writes the network as ONNX, any number and size of patches."""
    net.eval()
    torch.onnx.export(
        net.to(memory_format=torch.contiguous_format),
        (torch.zeros(1, 3, 64, 64),),
        str(path),
        input_names=["patches"],
        output_names=["maps"],
        dynamic_axes={"patches": {0: "n", 2: "h", 3: "w"}, "maps": {0: "n", 2: "h2", 3: "w2"}},
        opset_version=17,
        dynamo=False,
    )


def main() -> None:
    """Trains, exports, and tells what it took."""
    parser = argparse.ArgumentParser(prog="python -m models.tray.train", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("build/tray/data"), help="samples")
    parser.add_argument("--out", type=Path, default=Path("build/tray"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on from the last state")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    net = train(args)
    export(net, args.out / "tray.onnx")
    figures = {"steps": args.steps, "minutes": round((time.monotonic() - start) / 60, 1)}
    print(json.dumps(figures) if args.json else figures)


if __name__ == "__main__":
    main()
