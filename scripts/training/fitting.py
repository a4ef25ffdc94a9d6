"""What both networks share: their blocks, the loop that fits them, how they are written."""

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import torch
from torch import nn

BATCH = 256
HELD = 4000
"""The first patches are kept back: the figures printed are of patches never trained on."""


def load(folder: Path, names: str) -> list[torch.Tensor]:
    """The arrays of some names out of all files of a folder, one after the other."""
    files = [np.load(path) for path in sorted(folder.glob("*.npz"))]
    if not files:
        sys.exit(f"{folder}: holds no patches; make some first")
    return [torch.from_numpy(np.concatenate([file[name] for file in files])) for name in names]


def block(before: int, after: int, stride: int) -> nn.Sequential:
    """A convolution of 3x3, normalised and rectified."""
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


def asker(network: nn.Module) -> Callable[[torch.Tensor], torch.Tensor]:
    """The network in 16 bits where that does: twice as fast on processors that know them."""

    def ask(x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            out: torch.Tensor = network(x.contiguous(memory_format=torch.channels_last))
        return out.float()

    return ask


def fit(
    network: nn.Module,
    args: argparse.Namespace,
    loss_of: Callable[[], torch.Tensor],
    report: Callable[[], str],
) -> None:
    """Steps of AdamW under a cosine schedule."""
    network.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), lr=args.rate, weight_decay=1e-3)
    losses = []
    for step in range(args.steps):
        for group in optimiser.param_groups:
            warm = min(1.0, step / 100)
            group["lr"] = args.rate * warm * 0.5 * (1 + np.cos(np.pi * step / args.steps)) + 1e-5
        network.train()
        loss = loss_of()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
        if (step + 1) % args.every == 0 or step + 1 == args.steps:
            network.eval()
            with torch.no_grad():
                text = report()
            print(f"step {step + 1} loss {np.mean(losses[-args.every :]):.3f} {text}", flush=True)
    network.eval()


def write(network: nn.Module, shape: Iterable[int], path: Path) -> None:
    """Writes a network as ONNX for any number of patches of a shape."""
    network.to(memory_format=torch.contiguous_format)
    torch.onnx.export(
        network,
        torch.zeros(1, *shape),
        str(path),
        input_names=["x"],
        output_names=["y"],
        dynamic_axes={"x": {0: "n"}, "y": {0: "n"}},
        dynamo=False,
    )
    print(f"{path}: {path.stat().st_size} bytes")
