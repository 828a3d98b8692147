"""Compares `palm.onnx` with the file that it was made of, on pictures of noise and of hands.

`python -m models.palm.parity WHEEL ONNX [PICTURE …]`; needs the package `ai-edge-litert`, which
runs the original.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
from ai_edge_litert.interpreter import (  # type: ignore[import-not-found,unused-ignore]
    Interpreter,
)

from models.palm.convert import SIDE, tflite_file
from vision.camera import load_image


def main() -> None:
    """Prints the greatest difference of scores and of boxes (in pixels of the square)."""
    parser = argparse.ArgumentParser(prog="python -m models.palm.parity", description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("onnx", type=Path)
    parser.add_argument("pictures", type=Path, nargs="*")
    args = parser.parse_args()
    original = Interpreter(model_content=tflite_file(args.wheel))
    original.allocate_tensors()
    ours = onnxruntime.InferenceSession(str(args.onnx))
    rng = np.random.default_rng(0)
    inputs = [rng.uniform(0, 1, (SIDE, SIDE, 3)).astype(np.float32) for _ in range(4)]
    for file in args.pictures:
        picture = cv2.resize(load_image(file), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        inputs.append(picture[..., ::-1].astype(np.float32) / np.float32(255))
    worst_score = worst_box = best = 0.0
    for rgb in inputs:
        original.set_tensor(original.get_input_details()[0]["index"], rgb[None])
        original.invoke()
        boxes, logits = (original.get_tensor(o["index"]) for o in original.get_output_details())
        scores = 1 / (1 + np.exp(-logits.astype(np.float64)))
        found, places = ours.run(None, {"rgb": rgb.transpose(2, 0, 1)[None]})
        worst_score = max(worst_score, float(np.abs(found - scores).max()))
        worst_box = max(worst_box, float(np.abs(places - boxes).max()))
        best = max(best, float(scores.max()))
    print(f"{len(inputs)} pictures, best score {best:.3f}")
    print(f"scores differ by at most {worst_score:.2g}, boxes by {worst_box:.2g} pixels")


if __name__ == "__main__":
    main()
