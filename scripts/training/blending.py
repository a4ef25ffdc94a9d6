"""The mean of a network before and after further training.

It keeps what it learnt from our renderings and loses little of what it knew of other pictures.

Source: Wortsman et al., Robust fine-tuning of zero-shot models, CVPR 2022.
"""

import argparse
import sys

import onnx
import torch

from scripts.training.fitting import started, write


def blend(args: argparse.Namespace) -> None:
    """Writes the mean of a network before and after further training."""
    network, after = started(args.start), started(args.floats)
    shapes = [[weights.shape for weights in one.parameters()] for one in (network, after)]
    if shapes[0] != shapes[1]:
        sys.exit(f"{args.floats}: expected a network with the layers of {args.start}")
    with torch.no_grad():
        for own, learnt in zip(network.parameters(), after.parameters(), strict=True):
            own.mul_(1 - args.share).add_(learnt * args.share)
    taken = onnx.load(args.start).graph.input[0].type.tensor_type.shape.dim
    write(network, [one.dim_value for one in taken[1:]], args.out)
