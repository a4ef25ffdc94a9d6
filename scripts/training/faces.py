"""Trains the face classifier on drawn patches."""

import argparse

import torch
from torch import nn
from torch.nn import functional

from scripts.training.drawn.patches import CLASSES, SIDE
from scripts.training.fitting import (
    BATCH_SIZE,
    HELD_OUT_PATCHES,
    answers,
    begin,
    block,
    end,
    fit,
    load,
    recoloured,
    sharpen,
    started,
    taught,
    write,
)
from vision.image.arrays import Float32Array

KINDS = 6
POSE = 5

TEACHERS_WEIGHT = 1.0
"""Of the loss against the teachers' outputs, relative to that against the truth."""
SHARPER = 1.15
"""Factor on the logits: trained on soft targets, a network is right more often than it says."""


def _network() -> nn.Sequential:
    return nn.Sequential(
        block(3, 16, 2),
        block(16, 24, 1),
        block(24, 40, 2),
        block(40, 48, 1),
        block(48, 64, 2),
        block(64, 64, 1),
        *end(64 * (SIDE // 8) ** 2, CLASSES + KINDS + POSE),
    )


def faces(args: argparse.Namespace) -> None:
    """Trains the face classifier, with teachers as in `scripts.training.postures.postures`."""
    begin(args.threads, args.seed)
    network = _network() if args.start is None else started(args.start)
    xs, ys, ks, ps = load(args.patches, "xykp")

    def picture(x: torch.Tensor) -> torch.Tensor:
        return x.permute(0, 3, 1, 2).float() / 255 - 0.5

    def seen(some: slice) -> list[Float32Array]:
        # A face shows the same when rotated or mirrored.
        x = picture(xs[some]).cpu().numpy()
        return [x, x[:, :, :, ::-1], x[:, :, ::-1, ::-1], x.transpose(0, 1, 3, 2)]

    says = answers(args.teachers, seen, len(xs)) if args.teachers else None

    def loss_of() -> torch.Tensor:
        pick = torch.randint(HELD_OUT_PATCHES, len(xs), (BATCH_SIZE,))
        x, y, k, p = picture(xs[pick]), ys[pick], ks[pick], ps[pick].clone()
        # Mirroring and quarter turns keep values and kinds; the pose changes with them.
        if torch.rand(1) < 0.5:
            x = x.flip(3)
            p[:, 0] *= -1
            p[:, 4] *= -1
        for _ in range(int(torch.randint(0, 4, (1,)))):
            x = torch.rot90(x, 1, (2, 3))
            p = torch.stack([p[:, 1], -p[:, 0], p[:, 2], p[:, 3], p[:, 4]], 1)
        if torch.rand(1) < 0.25:  # cut at the border of a picture
            left, right = (int(v) for v in torch.randint(1, 15, (2,)))
            x[: BATCH_SIZE // 4, :, :, :left] = x[: BATCH_SIZE // 4, :, :, left : left + 1]
            some = slice(BATCH_SIZE // 8, BATCH_SIZE // 8 * 3)
            x[some, :, :, -right:] = x[some, :, :, -right - 1 : -right]
        x = (x + 0.5) * torch.exp(torch.randn(BATCH_SIZE, 1, 1, 1) * 0.12) - 0.5
        x, other = recoloured(x)
        out = network(x.contiguous(memory_format=torch.channels_last)).float()
        loss = functional.cross_entropy(out[:, :CLASSES], y, label_smoothing=0.01)
        face = y > 0
        # Of a die in a photograph that the reader does not find, only the value is known.
        placed = face & ~p[:, 0].isnan()
        loss = loss + 2 * functional.smooth_l1_loss(out[placed, -POSE:-2], p[placed, :3], beta=0.1)
        # For dice cut out of views and photographs, neither kind nor turn is known.
        known = face & (k >= 0)
        if says is not None and not other:
            loss = loss + TEACHERS_WEIGHT * taught(out[:, :CLASSES], says[pick][:, :CLASSES], y)
        loss = loss + 0.3 * functional.smooth_l1_loss(out[known, -2:], p[known, 3:])
        if other:
            return loss
        return loss + 0.5 * functional.cross_entropy(out[known, CLASSES:-POSE], k[known])

    def report(mean: nn.Module) -> str:
        out = torch.cat(
            [mean(picture(xs[i : i + 500])).float() for i in range(0, HELD_OUT_PATCHES, 500)]
        )
        chance, best = out[:, :CLASSES].softmax(1).max(1)
        right = best == ys[:HELD_OUT_PATCHES]
        sure = (chance > 0.95) & (best > 0)
        return (
            f"right {right.float().mean():.4f} sure {sure.float().mean():.3f} "
            f"of it wrong {int((sure & ~right).sum())}"
        )

    fit(network, args, loss_of, report)
    if says is not None:
        sharpen(network, slice(CLASSES), SHARPER)
    write(network, (3, SIDE, SIDE), args.out)
