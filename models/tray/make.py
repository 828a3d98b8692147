"""Makes the samples that the network learns from: `python -m models.tray.make --out FOLDER`."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from tqdm import tqdm

from models.tray.data import samples


def main() -> None:
    """Makes a file a tray; those that are there already are kept."""
    parser = argparse.ArgumentParser(prog="python -m models.tray.make", description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=2000, help="so many trays")
    parser.add_argument("--out", type=Path, required=True, help="a folder for .npz files")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for seed in tqdm(range(args.first, args.first + args.count), unit="tray"):
        path = args.out / f"{seed:06}.npz"
        if not path.exists():
            part = path.with_suffix(".part.npz")
            np.savez(part, **vars(next(samples(seed, 1))))
            part.rename(path)


if __name__ == "__main__":
    main()
