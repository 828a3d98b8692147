"""The network: what MediaPipe's person segmentation sees in a picture, and a new answer to it.

`selfie_segmentation_landscape.tflite` in the wheel of mediapipe 0.10.21 (Apache-2.0) was trained
on people in front of webcams. Its graph is run operator by operator and stays as it is; only the
answer, a few convolutions over its features of all sizes, is trained here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import tflite  # type: ignore[import-not-found,import-untyped,unused-ignore]
import torch
from numpy.typing import NDArray
from torch import nn

from models.wheels import mediapipe_file
from vision.errors import UnreadableError

#: The wheel, the file in it and its hash (the same in the wheels for all systems).
WHEEL = "mediapipe-0.10.21-cp311-cp311-manylinux_2_28_x86_64.whl"
INSIDE = "mediapipe/modules/selfie_segmentation/selfie_segmentation_landscape.tflite"
SHA256 = "a77d03f4659b9f6b6c1f5106947bf40e99d7655094b6527f214ea7d451106edd"
#: Tensors whose features the answer is made of, with their step in pixels, and channels in all.
_FEATURES = {26: 4, 49: 8, 94: 16, 117: 16, 140: 16, 163: 16, 201: 8, 228: 4}
_LAST, CHANNELS = 228, 208
#: Step in pixels between two answers.
STEP = 8


#: Operator, its inputs, its output, and (step, size, groups) of a convolution.
_Step = tuple[str, list[int], int, tuple[int, int, int]]


class People(nn.Module):  # type: ignore[misc]
    """BGR levels (n, 3, h, w), h and w multiples of 16, to features (n, CHANNELS, h / 8, w / 8)."""

    def __init__(self, wheel: Path) -> None:
        """Takes the weights from `wheel`; raises UnreadableError if it lacks them."""
        super().__init__()
        graph = _Graph(mediapipe_file(wheel, INSIDE, SHA256, "person segmentation"))
        self._steps = graph.steps
        self._first = graph.first
        self.weights = nn.ParameterDict(
            {
                name: nn.Parameter(torch.from_numpy(values), requires_grad=False)
                for name, values in graph.weights.items()
            }
        )

    def forward(self, levels: torch.Tensor) -> torch.Tensor:
        """The features of all sizes, brought to one."""
        known = {self._first: levels.flip(1) / 255.0}
        for kind, inputs, output, options in self._steps:
            x = known[inputs[0]]
            if kind in ("CONV_2D", "DEPTHWISE_CONV_2D"):
                known[output] = self._convolved(x, inputs, options)
            elif kind in ("ADD", "MUL"):
                other = known[inputs[1]]
                known[output] = x + other if kind == "ADD" else x * other
            elif kind == "MEAN":
                known[output] = x.mean(dim=(2, 3), keepdim=True)
            elif kind == "RESIZE_BILINEAR":
                known[output] = _larger(x)
            else:
                known[output] = _ACTIVATIONS[kind](x)
        return torch.cat([_brought(known[t], step) for t, step in _FEATURES.items()], dim=1)

    def _convolved(
        self, x: torch.Tensor, inputs: list[int], options: tuple[int, int, int]
    ) -> torch.Tensor:
        step, size, groups = options
        # "Same" padding of even sides: what a step of 2 needs goes to the end.
        total = max(size - step, 0)
        before, after = total // 2, total - total // 2
        if total:
            x = nn.functional.pad(x, (before, after, before, after))
        weight, bias = self.weights[f"t{inputs[1]}"], self.weights[f"t{inputs[2]}"]
        return nn.functional.conv2d(x, weight, bias, step, groups=groups)


class Answer(nn.Module):  # type: ignore[misc]
    """Features (n, CHANNELS, h, w) to logits (n, 1, h, w)."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.BatchNorm2d(CHANNELS),
            nn.Conv2d(CHANNELS, 48, 1),
            nn.ReLU(),
            nn.Conv2d(48, 48, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(48, 32, 3, padding=2, dilation=2),
            nn.ReLU(),
            nn.Conv2d(32, 1, 1),
        )
        # Limbs are rare: to begin with "none" saves the first steps.
        nn.init.constant_(self.layers[-1].bias, -3.0)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Logits that a cell of STEP x STEP pixels holds a part of a limb."""
        logits: torch.Tensor = self.layers(features)
        return logits


def _larger(x: torch.Tensor) -> torch.Tensor:
    return nn.functional.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)


def _brought(x: torch.Tensor, step: int) -> torch.Tensor:
    """Features with a step of `step` pixels to those with one of STEP."""
    if step > STEP:
        return _larger(x)
    return nn.functional.avg_pool2d(x, 2) if step < STEP else x


_ACTIVATIONS = {
    "RELU": nn.functional.relu,
    "HARD_SWISH": nn.functional.hardswish,
    "LOGISTIC": torch.sigmoid,
}


class _Graph:
    """The operators of the file up to its features, and their weights."""

    def __init__(self, data: bytes) -> None:
        self._model = tflite.Model.GetRootAs(data, 0)
        self._graph = self._model.Subgraphs(0)
        names = {v: k for k, v in vars(tflite.BuiltinOperator).items() if isinstance(v, int)}
        self.first = int(self._graph.Inputs(0))
        self.steps: list[_Step] = []
        self.weights: dict[str, NDArray[np.float32]] = {}
        halves: dict[int, int] = {}
        for index in range(self._graph.OperatorsLength()):
            operator = self._graph.Operators(index)
            code = self._model.OperatorCodes(operator.OpcodeIndex())
            kind = names[max(code.BuiltinCode(), code.DeprecatedBuiltinCode())]
            inputs = [int(i) for i in operator.InputsAsNumpy()]
            output = int(operator.Outputs(0))
            if kind == "DEQUANTIZE":
                halves[output] = inputs[0]
                continue
            options = (1, 1, 1)
            if kind in ("CONV_2D", "DEPTHWISE_CONV_2D"):
                options = self._convolution(kind, operator, [halves.get(i, i) for i in inputs])
                inputs = [inputs[0], *(halves.get(i, i) for i in inputs[1:])]
            self.steps.append((kind, inputs, output, options))
            if output == _LAST:
                return
        raise UnreadableError("The person segmentation has no such features.", f"Use {WHEEL}.")

    def _convolution(self, kind: str, operator: Any, inputs: list[int]) -> tuple[int, int, int]:
        deep = kind != "CONV_2D"
        table = operator.BuiltinOptions()
        options = tflite.DepthwiseConv2DOptions() if deep else tflite.Conv2DOptions()
        options.Init(table.Bytes, table.Pos)
        weight, bias = self._constant(inputs[1]), self._constant(inputs[2])
        # Depthwise kernels are (1, h, w, n), all others (n, h, w, channels).
        self.weights[f"t{inputs[1]}"] = weight.transpose(
            (3, 0, 1, 2) if deep else (0, 3, 1, 2)
        ).copy()
        self.weights[f"t{inputs[2]}"] = bias
        return int(options.StrideH()), weight.shape[1], weight.shape[3] if deep else 1

    def _constant(self, tensor: int) -> NDArray[np.float32]:
        entry = self._graph.Tensors(tensor)
        half = entry.Type() == tflite.TensorType.FLOAT16
        raw = self._model.Buffers(entry.Buffer()).DataAsNumpy().tobytes()
        values = np.frombuffer(raw, np.float16 if half else np.float32)
        return values.reshape([int(n) for n in entry.ShapeAsNumpy()]).astype(np.float32)
