"""Trains the network from nothing: `python -m models.pieces.train --seed 0 --out build/pieces`.

Several processes share each batch when started by `torchrun --nproc-per-node N -m ...`: for a
network as small as this they keep the cores busier than threads do.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.distributed
from torch.nn import functional
from tqdm import tqdm

from models.pieces.batches import Batch, batch
from models.pieces.export import export
from models.pieces.net import PieceNet
from models.pieces.quantise import quantise
from models.pieces.store import CHUNK, chunks, load
from models.pieces.tables import ARRANGEMENTS
from models.pieces.trial import trial

#: Seeds of tables to learn from, and of tables to choose thresholds on.
LEARN, TRY = 1400, range(1_000_000, 1_000_060)
#: Seeds of tables that tell how large activations are, of those that are learned from.
SPAN = range(60)
#: What torchrun sets for each of its processes, and what holds for one alone.
_TORCHRUN = {"RANK": "0", "WORLD_SIZE": "1"}
_BATCH = 12
#: From this height of its bell on a pixel is foot: all about a foot's middle is, so that the chance
#: says whether there is a piece, not how exact its place is.
_FOOT = 0.55
#: Tables are drawn while the network learns: in this share of the epochs ever more of them are
#: used, in the others all.
_GROWTH = 0.5
_RATE = 3e-3
_COVER_WEIGHT, _COLOUR_WEIGHT = 0.5, 0.5


def main() -> None:
    """Makes the tables, trains, exports, and says how good it is on tables it never saw."""
    parser = argparse.ArgumentParser(prog="python -m models.pieces.train", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("build/pieces"))
    parser.add_argument("--epochs", type=int, default=32)
    parser.add_argument("--tables", type=int, default=LEARN, help="how many seeds to learn from")
    parser.add_argument("--resume", action="store_true", help="go on after the last epoch done")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="processes that draw tables")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON at the end")
    args = parser.parse_args()
    # The workers that draw tables are forked, which threads of OpenCV would not outlive.
    cv2.setNumThreads(1)
    # One thread each, if torchrun started several.
    team = _Team()
    torch.set_num_threads(args.threads if team.size == 1 else 1)
    torch.manual_seed(args.seed)
    torch.use_deterministic_algorithms(True)
    files = chunks(args.out / "tables", range(args.tables), args.workers)
    epochs = args.epochs
    shares = [min(1.0, (epoch + 1) / (_GROWTH * epochs)) for epoch in range(epochs)]
    wanted = [math.ceil(share * args.tables / CHUNK) for share in shares]
    batches = [min(many * CHUNK, args.tables) * ARRANGEMENTS // _BATCH for many in wanted]
    paths: list[Path] = []
    net = PieceNet().to(memory_format=torch.channels_last)
    steps = sum(batches)
    optimiser = torch.optim.AdamW(net.parameters(), lr=_RATE, weight_decay=1e-4)
    plan = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _rate(step / steps))
    kept, first = args.out / "state.pt", 0
    if args.resume and kept.exists():
        state = torch.load(kept, weights_only=True)
        net.load_state_dict(state["net"])
        optimiser.load_state_dict(state["optimiser"])
        plan.load_state_dict(state["plan"])
        first = int(state["epoch"])
    began = time.monotonic()
    for epoch in range(first, epochs):
        while len(paths) < wanted[epoch]:
            paths.append(next(files))
        learned = load(paths)
        rng = np.random.default_rng((args.seed, epoch))
        order = rng.permutation(len(learned))
        bar = tqdm(
            range(batches[epoch]), desc=f"epoch {epoch + 1} of {epochs}", disable=team.rank > 0
        )
        total = np.zeros(3)
        net.train()
        for step in bar:
            chosen = order[step * _BATCH : (step + 1) * _BATCH]
            part = np.random.default_rng((args.seed, epoch, step, team.rank))
            data = batch(learned, chosen[team.rank :: team.size], part)
            losses = _losses(net, data)
            loss = losses[0] + _COVER_WEIGHT * losses[1] + _COLOUR_WEIGHT * losses[2]
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            team.mean([weight.grad for weight in net.parameters() if weight.grad is not None])
            torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            optimiser.step()
            plan.step()
            total += [part.item() for part in losses]
            if step % 10 == 9:
                bar.set_postfix_str(" ".join(f"{part:.3f}" for part in total / (step + 1)))
        team.mean([part for part in net.buffers() if part.is_floating_point()])
        if team.rank > 0:
            continue
        torch.save(
            {
                "net": net.state_dict(),
                "optimiser": optimiser.state_dict(),
                "plan": plan.state_dict(),
                "epoch": epoch + 1,
            },
            kept,
        )
    if team.rank > 0:
        return
    tried = load(list(chunks(args.out / "tables", TRY, args.workers)))
    export(net, args.out / "pieces-float.onnx")
    spans = load(list(chunks(args.out / "tables", SPAN, args.workers)))
    sha256 = quantise(args.out / "pieces-float.onnx", args.out / "pieces.onnx", spans)
    figures = {
        "tables": args.tables * ARRANGEMENTS,
        "epochs": epochs,
        "minutes": round((time.monotonic() - began) / 60, 1),
        "sha256": sha256,
        **trial(args.out / "pieces.onnx", tried),
    }
    (args.out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures) if args.json else f"Wrote {args.out / 'pieces.onnx'}: {figures}")


class _Team:
    """The processes that train together; one alone if nobody started more."""

    def __init__(self) -> None:
        self.rank, self.size = (int(os.environ.get(k, d)) for k, d in _TORCHRUN.items())
        if self.size > 1:
            torch.distributed.init_process_group("gloo")

    def mean(self, parts: list[torch.Tensor]) -> None:
        """Makes each of the tensors the mean over all processes."""
        if self.size == 1:
            return
        flat = torch.cat([part.reshape(-1) for part in parts])
        torch.distributed.all_reduce(flat)
        flat /= self.size
        at = 0
        for part in parts:
            part.copy_(flat[at : at + part.numel()].view_as(part))
            at += part.numel()


def _rate(share: float) -> float:
    """A short rise, then a cosine down to nothing."""
    return min(1.0, share / 0.05) * 0.5 * (1 + math.cos(math.pi * min(1.0, share)))


def _losses(net: PieceNet, data: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    with torch.autocast("cpu", torch.bfloat16):
        feet, shows, colours = net(data.view, data.taught)
    feet, shows, colours = feet.float()[:, 0], shows.float(), colours.float()
    chance = torch.sigmoid(feet)
    peak = data.bells >= _FOOT
    hit = -((1 - chance) ** 2) * functional.logsigmoid(feet) * peak
    miss = -((1 - data.bells) ** 4) * chance**2 * functional.logsigmoid(-feet) * ~peak
    found = ((hit + miss) * data.asked).sum() / max(1, int(peak.sum()))
    cover = functional.cross_entropy(shows, data.shows)
    n, row, column = data.spots.unbind(1)
    known = torch.cat([data.known, torch.ones_like(data.known[:, :1])], 1)
    said = colours[n, :, row, column].masked_fill(~known[n], -1e4)
    return found, cover, functional.cross_entropy(said, data.colours)


if __name__ == "__main__":
    main()
