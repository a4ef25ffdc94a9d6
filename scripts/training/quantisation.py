"""Writes a network with 8-bit convolutions, which take a third of the time.

Weights are limited to 7 bits, so that no sum of two products overflows 16 bits: processors without
instructions for sums of four compute the same. The first convolution, whose input includes the
slant beside colours, and the last layers, which output subpixel positions, stay as they are.

Sources: Jacob et al., Quantization and training of neural networks for efficient
integer-arithmetic-only inference, CVPR 2018; equalised channel ranges: Nagel et al., Data-free
quantization through weight equalization and bias correction, ICCV 2019, here by measured ranges.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from onnxruntime import InferenceSession
from onnxruntime.quantization import (
    CalibrationDataReader,
    CalibrationMethod,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process

from scripts.campaign.folder import files_of
from vision.classify.posture import posture_input
from vision.image.arrays import Float32Array

MEASURED_FILES = 12
"""Spread over all."""
PATCHES_PER_FILE = 80
"""On these the ranges are measured."""
STEP_PATCHES_PER_FILE = 60
"""On the first of them, the 8-bit steps."""
EQUALISED_SHARE = 0.5
"""How far the channel ranges of a layer are equalised: 0 not at all, 1 fully, in which case weights
of the next layer differ by more than 7 bits can hold."""
MAX_CLIPPED_SHARE = 1e-4
"""Share of a channel's values that may exceed its range."""

File = dict[str, np.ndarray]


def _coloured(file: File) -> Float32Array:
    """Input of the face classifier, or of the heat map."""
    return np.asarray(file["x"][:PATCHES_PER_FILE].transpose(0, 3, 1, 2) / 255 - 0.5, np.float32)


def _slanted(file: File) -> Float32Array:
    """Input of the posture classifier."""
    return posture_input(
        file["x"][:PATCHES_PER_FILE], file["s"][:PATCHES_PER_FILE], file["k"][:PATCHES_PER_FILE]
    )


class _Patches(CalibrationDataReader):  # type: ignore[misc]
    """Patches, batch by batch."""

    def __init__(self, patches: list[Float32Array]) -> None:
        self._left: Iterator[Float32Array] = iter(patches)

    def get_next(self) -> dict[str, Float32Array] | None:
        some = next(self._left, None)
        return None if some is None else {"x": some}


def quantise(args: argparse.Namespace) -> None:
    """Writes a trained network in 8 bits."""
    taken: Callable[[File], Float32Array] = _slanted if args.slants else _coloured
    paths = files_of(args.patches)
    patches = [taken(dict(np.load(path))) for path in paths[:: -(-len(paths) // MEASURED_FILES)]]
    with tempfile.TemporaryDirectory() as folder:
        even, plain = Path(folder) / "even.onnx", str(Path(folder) / "plain.onnx")
        onnx.save(_equalised(onnx.load(args.floats), np.concatenate(patches)), even)
        quant_pre_process(str(even), plain)
        nodes = onnx.load(plain).graph.node
        convolutions = [node.name for node in nodes if node.op_type == "Conv"]
        dense = [node.name for node in nodes if node.op_type == "Gemm"]
        # A heat map has none: there its last convolution outputs positions.
        last = dense or convolutions[-1:]
        quantize_static(
            plain,
            str(args.out),
            _Patches([some[:STEP_PATCHES_PER_FILE] for some in patches]),
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            calibrate_method=CalibrationMethod.Percentile,
            nodes_to_exclude=[convolutions[0], *last],
        )
    print(f"{args.out}: {args.out.stat().st_size} bytes")


def _equalised(model: onnx.ModelProto, patches: Float32Array) -> onnx.ModelProto:
    """An equivalent model with more equal channel ranges by layer: scales pass through ReLU."""
    nodes = model.graph.node
    layers = [node for node in nodes if node.op_type == "Conv"]
    layers += [node for node in nodes if node.op_type == "Gemm"][:1]
    rectified = [node.output[0] for node in nodes if node.op_type == "Relu"][: len(layers) - 1]
    open_model = onnx.ModelProto()
    open_model.CopyFrom(model)
    for name in rectified:
        open_model.graph.output.append(onnx.helper.make_empty_tensor_value_info(name))
    session = InferenceSession(open_model.SerializeToString(), providers=["CPUExecutionProvider"])
    weights = {one.name: one for one in model.graph.initializer}

    def scale(name: str, by: Float32Array) -> None:
        scaled = np.asarray(numpy_helper.to_array(weights[name]) * by, np.float32)
        weights[name].CopyFrom(numpy_helper.from_array(scaled, name))

    for k, seen in enumerate(session.run(rectified, {"x": patches})):
        reach = np.quantile(
            seen.swapaxes(0, 1).reshape(seen.shape[1], -1), 1 - MAX_CLIPPED_SHARE, axis=1
        )
        reach = np.maximum(reach, reach.max() / 100)
        larger = (reach / np.exp(np.log(reach).mean())) ** EQUALISED_SHARE
        _, weight, bias = layers[k].input
        scale(weight, 1 / larger[:, None, None, None])
        scale(bias, 1 / larger)
        following = layers[k + 1]
        spatial = following.op_type == "Conv"
        each = larger[:, None, None] if spatial else np.repeat(larger, seen[0, 0].size)
        scale(following.input[1], each[None])
    return model
