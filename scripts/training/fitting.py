"""Common parts of the networks: their blocks, the training loop, the export."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from scripts.campaign.folder import files_of
from vision.image.arrays import Float32Array

BATCH_SIZE = 256
AVERAGE_DECAY = 0.999
"""Decay of the moving average of the weights, per step."""
HELD_OUT_PATCHES = 4000
"""The first patches are held out: the figures printed are for patches never trained on."""


def begin(threads: int, seed: int) -> None:
    """Prepares PyTorch: everything made from now on is on a GPU, if there is one."""
    torch.set_num_threads(threads)
    if torch.cuda.is_available():
        torch.set_default_device("cuda")
    torch.manual_seed(seed)


def load(folders: Sequence[Path], names: str) -> list[torch.Tensor]:
    """The named arrays from all files of some folders, concatenated."""
    files = [np.load(path) for folder in folders for path in files_of(folder)]
    here = torch.get_default_device()
    ends = np.cumsum([len(file[names[-1]]) for file in files])
    arrays = []
    for name in names:
        first = files[0][name]
        # Not concatenated by NumPy, which would hold everything twice.
        whole = np.empty((ends[-1], *first.shape[1:]), first.dtype)
        for stop, file in zip(ends, files, strict=True):
            part = file[name]
            whole[stop - len(part) : stop] = part
        arrays.append(torch.from_numpy(whole).to(here))
    return arrays


def block(before: int, after: int, stride: int) -> nn.Sequential:
    """A 3x3 convolution with batch normalisation and ReLU."""
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


def end(features: int, outputs: int) -> list[nn.Module]:
    """The last layers: from the features of all places to a network's outputs."""
    return [
        nn.Flatten(),
        nn.Linear(features, 96),
        nn.ReLU(inplace=True),
        nn.Dropout(0.1),
        nn.Linear(96, outputs),
    ]


def sharpen(network: nn.Sequential, part: slice, times: float) -> None:
    """Multiplies some of the logits.

    Source: Guo et al., On calibration of modern neural networks, ICML 2017.
    """
    with torch.no_grad():
        for weights in network[-1].parameters():
            weights[part] *= times


def started(path: Path) -> nn.Sequential:
    """Loads a network from a file for further training; an 8-bit one works, too."""
    model = onnx.load(path)
    arrays = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    layers: list[nn.Module] = []
    for node in model.graph.node:
        if node.op_type == "DequantizeLinear":
            if node.input[0] in arrays:
                arrays[node.output[0]] = _dequantised(*(arrays[name] for name in node.input))
        elif node.op_type in ("Relu", "QuantizeLinear"):
            # Quantisation absorbs a ReLU: no value below its zero is left.
            if not isinstance(layers[-1], nn.ReLU):
                layers.append(nn.ReLU(inplace=True))
        elif node.op_type == "Flatten":
            layers.append(nn.Flatten())
        else:
            weight, bias = (torch.from_numpy(arrays[name].copy()) for name in node.input[1:])
            outputs, inputs = weight.shape[:2]
            strides = [one.ints[0] for one in node.attribute if one.name == "strides"]
            layer: nn.Module = nn.Linear(inputs, outputs)
            if strides:
                layer = nn.Conv2d(inputs, outputs, 3, strides[0], 1)
            layer.load_state_dict({"weight": weight, "bias": bias})
            layers.append(layer)
    return nn.Sequential(*layers)


def _dequantised(steps: np.ndarray, size: np.ndarray, zero: np.ndarray) -> Float32Array:
    """Dequantises weights that have a step size and a zero point for each output."""
    each = (-1, *[1] * (steps.ndim - 1))
    from_zero = steps.astype(np.float32) - zero.astype(np.float32).reshape(each)
    return np.asarray(from_zero * size.reshape(each), np.float32)


def taught(out: torch.Tensor, told: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """The loss against the teachers' outputs, where these do not contradict the truth.

    Args:
        out: logits of the network.
        told: those of the teachers.
        truth: the class of each, or -1 where it is not known.
    """
    right = (truth < 0) | (told.argmax(1) == truth)
    return (functional.cross_entropy(out, told.softmax(1), reduction="none") * right).mean()


def answers(
    teachers: Sequence[Path],
    seen: Callable[[slice], Sequence[Float32Array]],
    count: int,
    alike: Callable[[Float32Array], None] = lambda said: None,
    together: int = 400,
) -> torch.Tensor:
    """The mean output of networks in files for patches, (n, outputs).

    Args:
        teachers: the files.
        seen: returns some of the patches as network input, and rotated or mirrored copies.
        count: how many patches there are.
        alike: turns outputs for mirrored patches into those for unmirrored ones, in place.
        together: batch size.
    """
    own = ["CPUExecutionProvider"]
    sessions = [onnxruntime.InferenceSession(str(path), providers=own) for path in teachers]
    parts = []
    for start in range(0, count, together):
        says = []
        for session in sessions:
            for number, blob in enumerate(seen(slice(start, start + together))):
                said = np.array(session.run(None, {"x": np.ascontiguousarray(blob)})[0])
                if number:
                    alike(said)
                says.append(said)
        parts.append(np.mean(says, axis=0))
    return torch.from_numpy(np.concatenate(parts)).to(torch.get_default_device())


def recoloured(x: torch.Tensor, share: float = 0.3) -> tuple[torch.Tensor, bool]:
    """Patches, now and then with permuted colour channels, and whether they are.

    They then look like dice of other kinds that show the same.
    """
    if torch.rand(1) >= share:
        return x, False
    order = [*torch.randperm(3).tolist(), *range(3, x.shape[1])]
    return x[:, order], True


def fit(
    network: nn.Module,
    args: argparse.Namespace,
    loss_of: Callable[[], torch.Tensor],
    report: Callable[[nn.Module], str],
) -> None:
    """Trains with AdamW on a cosine schedule; a moving average of the weights is kept.

    Args:
        network: ends up with the averaged weights.
        args: of the command line.
        loss_of: returns the loss of the next batch.
        report: figures of a network on the held-out patches.
    """
    network.to(memory_format=torch.channels_last)
    mean = AveragedModel(
        network, multi_avg_fn=get_ema_multi_avg_fn(AVERAGE_DECAY), use_buffers=True
    )
    optimiser = torch.optim.AdamW(network.parameters(), lr=args.rate, weight_decay=1e-3)
    losses = []
    for step in range(args.steps):
        for group in optimiser.param_groups:
            warm = min(1.0, step / 100)
            group["lr"] = args.rate * warm * 0.5 * (1 + np.cos(np.pi * step / args.steps)) + 1e-5
        network.train()
        # Full convolutions take half the time in 16 bits on processors that support them.
        with torch.autocast(torch.get_default_device().type, torch.bfloat16):
            loss = loss_of()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        mean.update_parameters(network)
        losses.append(loss.item())
        if (step + 1) % args.every == 0 or step + 1 == args.steps:
            mean.eval()
            with torch.no_grad():
                text = report(mean)
            print(f"step {step + 1} loss {np.mean(losses[-args.every :]):.3f} {text}", flush=True)
    network.load_state_dict(mean.module.state_dict())
    network.eval()


_FREE = {0: "n", 2: "h", 3: "w"}


def write(network: nn.Sequential, shape: Iterable[int], path: Path) -> None:
    """Writes a network as ONNX for any number of patches of the given shape.

    One without dense layers is written for pictures of any size.
    """
    free = {0: "n"} if isinstance(network[-1], nn.Linear) else _FREE
    network.to(memory_format=torch.contiguous_format)
    torch.onnx.export(
        network,
        torch.zeros(1, *shape),
        str(path),
        input_names=["x"],
        output_names=["y"],
        dynamic_axes={"x": free, "y": free},
        dynamo=False,
    )
    print(f"{path}: {path.stat().st_size} bytes")
