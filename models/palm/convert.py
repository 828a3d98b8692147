"""Makes `palm.onnx` from the palm detector inside the wheel of mediapipe 0.10.21 (Apache-2.0).

`pip download --no-deps mediapipe==0.10.21`, then `python -m models.palm.convert WHEEL --out DIR`.
Needs the packages `onnx` and `tflite` (which reads the file's format). The graph is taken over as
it is: the channels move before rows and columns, the weights stay half floats.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import tflite  # type: ignore[import-not-found,import-untyped,unused-ignore]
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from models.wheels import mediapipe_file
from vision.errors import UnreadableError

#: The detector's place in the wheel, and its hash: the same in the wheels for all systems.
INSIDE = "mediapipe/modules/palm_detection/palm_detection_full.tflite"
SHA256 = "1b14e9422c6ad006cde6581a46c8b90dd573c07ab7f3934b5589e7cea3f89a54"
#: Side of the square picture that it takes, and how many places it answers for.
SIDE, PLACES = 192, 2016
_OPSET = 17


def tflite_file(wheel: Path) -> bytes:
    """The detector out of the wheel; raises UnreadableError if it is another one, or none."""
    return mediapipe_file(wheel, INSIDE, SHA256, "palm detector")


class _Conversion:
    """One graph, operator by operator."""

    def __init__(self, data: bytes) -> None:
        self._model = tflite.Model.GetRootAs(data, 0)
        self._graph = self._model.Subgraphs(0)
        self._names = {v: k for k, v in vars(tflite.BuiltinOperator).items() if isinstance(v, int)}
        self._nodes: list[Any] = []
        self._weights: dict[str, Any] = {}
        #: Half-float constants by the tensor that they are widened into.
        self._widened: dict[int, int] = {}

    def model(self) -> Any:
        """The finished ONNX model."""
        for index in range(self._graph.OperatorsLength()):
            self._convert(self._graph.Operators(index))
        boxes, scores = (self._name(i) for i in self._graph.OutputsAsNumpy())
        self._nodes.append(helper.make_node("Sigmoid", [scores], ["scores"]))
        self._nodes.append(helper.make_node("Identity", [boxes], ["boxes"]))
        graph = helper.make_graph(
            self._nodes,
            "palm",
            [helper.make_tensor_value_info("rgb", TensorProto.FLOAT, ["n", 3, SIDE, SIDE])],
            [
                helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", PLACES, 1]),
                helper.make_tensor_value_info("boxes", TensorProto.FLOAT, ["n", PLACES, 18]),
            ],
            list(self._weights.values()),
        )
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)])
        made.ir_version = 8
        onnx.checker.check_model(made, full_check=True)
        return made

    def _convert(self, operator: Any) -> None:
        kind = self._names[self._model.OperatorCodes(operator.OpcodeIndex()).BuiltinCode()]
        inputs = [int(i) for i in operator.InputsAsNumpy()]
        (output,) = (int(i) for i in operator.OutputsAsNumpy())
        if kind == "DEQUANTIZE":
            self._widened[output] = inputs[0]
            return
        out, first = self._name(output), self._name(inputs[0])
        if kind in ("CONV_2D", "DEPTHWISE_CONV_2D"):
            self._convolution(kind, operator, inputs, out)
        elif kind == "PRELU":
            slope = self._constant(inputs[1]).reshape(-1, 1, 1)
            self._add("PRelu", [first, self._weight(inputs[1], slope)], out)
        elif kind == "ADD":
            self._add("Add", [first, self._name(inputs[1])], out)
        elif kind == "MAX_POOL_2D":
            self._add("MaxPool", [first], out, kernel_shape=[2, 2], strides=[2, 2])
        elif kind == "PAD":
            before, after = self._constant(inputs[1])[[0, 3, 1, 2]].T
            pads = np.concatenate([before, after]).astype(np.int64)
            self._add("Pad", [first, self._weight(inputs[1], pads)], out)
        elif kind == "RESIZE_BILINEAR":
            self._resize(operator, first, inputs[0], output)
        elif kind == "RESHAPE":
            width = self._shape(output)[-1]
            rows = f"{out}/rows"
            self._add("Transpose", [first], rows, perm=[0, 2, 3, 1])
            shape = np.array([0, -1, width], np.int64)
            self._add("Reshape", [rows, self._weight(inputs[1], shape, out)], out)
        elif kind == "CONCATENATION":
            self._add("Concat", [self._name(i) for i in inputs], out, axis=1)
        else:
            raise UnreadableError(
                f"The palm detector has an operator {kind}.", "Use the named wheel."
            )

    def _convolution(self, kind: str, operator: Any, inputs: list[int], out: str) -> None:
        weights = self._constant(inputs[1])
        deep = kind != "CONV_2D"
        options = tflite.DepthwiseConv2DOptions() if deep else tflite.Conv2DOptions()
        table = operator.BuiltinOptions()
        options.Init(table.Bytes, table.Pos)
        step, size = options.StrideH(), weights.shape[1]
        rows, seen = self._shape(inputs[0])[1], self._shape(self._outputs(operator))[1]
        # "Same" padding: what is over goes to the end.
        total = max((seen - 1) * step + size - rows, 0)
        before, after = total // 2, total - total // 2
        # Depthwise kernels are (1, h, w, n), all others (n, h, w, channels).
        order = (3, 0, 1, 2) if deep else (0, 3, 1, 2)
        names = [
            self._name(inputs[0]),
            self._weight(inputs[1], weights.transpose(order)),
            self._weight(inputs[2], self._constant(inputs[2])),
        ]
        activation = options.FusedActivationFunction()
        if activation != tflite.ActivationFunctionType.NONE:
            raise UnreadableError(
                "The palm detector has a fused activation.", "Use the named wheel."
            )
        self._add(
            "Conv",
            names,
            out,
            kernel_shape=[size, size],
            strides=[step, step],
            pads=[before, before, after, after],
            group=weights.shape[3] if deep else 1,
        )

    def _resize(self, operator: Any, first: str, source: int, output: int) -> None:
        options = tflite.ResizeBilinearOptions()
        table = operator.BuiltinOptions()
        options.Init(table.Bytes, table.Pos)
        mode = "asymmetric"
        if options.HalfPixelCenters():
            mode = "half_pixel"
        elif options.AlignCorners():
            mode = "align_corners"
        (rows, columns), (high, wide) = self._shape(source)[1:3], self._shape(output)[1:3]
        scales = np.array([1, 1, high / rows, wide / columns], np.float32)
        out = self._name(output)
        self._add(
            "Resize",
            [first, "", self._weight(output, scales, f"{out}/scales")],
            out,
            mode="linear",
            coordinate_transformation_mode=mode,
        )

    def _outputs(self, operator: Any) -> int:
        return int(operator.OutputsAsNumpy()[0])

    def _add(self, kind: str, inputs: list[str], output: str, **options: Any) -> None:
        self._nodes.append(helper.make_node(kind, inputs, [output], **options))

    def _name(self, tensor: int) -> str:
        return "rgb" if tensor == self._graph.Inputs(0) else f"t{tensor}"

    def _shape(self, tensor: int) -> list[int]:
        return [int(n) for n in self._graph.Tensors(tensor).ShapeAsNumpy()]

    def _constant(self, tensor: int) -> NDArray[Any]:
        tensor = self._widened.get(tensor, tensor)
        entry = self._graph.Tensors(tensor)
        kinds = {
            tflite.TensorType.FLOAT16: np.float16,
            tflite.TensorType.FLOAT32: np.float32,
            tflite.TensorType.INT32: np.int32,
        }
        raw = self._model.Buffers(entry.Buffer()).DataAsNumpy()
        return np.frombuffer(raw.tobytes(), kinds[entry.Type()]).reshape(self._shape(tensor))

    def _weight(self, tensor: int, values: NDArray[Any], name: str = "") -> str:
        """A constant's name; half floats are widened by a node, so that the file stays small."""
        name = f"{name or f't{tensor}'}/constant"
        if name not in self._weights:
            values = np.ascontiguousarray(values)
            self._weights[name] = numpy_helper.from_array(values, name)
            if values.dtype == np.float16:
                self._add("Cast", [name], f"{name}/wide", to=TensorProto.FLOAT)
        return f"{name}/wide" if values.dtype == np.float16 else name


def main() -> None:
    """Reads the wheel and writes `palm.onnx`."""
    parser = argparse.ArgumentParser(prog="python -m models.palm.convert", description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--out", type=Path, default=Path("build/palm"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    file = args.out / "palm.onnx"
    onnx.save(_Conversion(tflite_file(args.wheel)).model(), str(file))
    print(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file}")


if __name__ == "__main__":
    main()
