"""Trains the posture classifier on lessons cut from rendered views and drawn."""

import argparse

import torch
from torch import nn
from torch.nn import functional

from scripts.training.fitting import (
    BATCH,
    HELD,
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
from vision.classify.posture import FLAT, KNOWN, LEAN, POSTURES, SIDE, UNKNOWN, VALUES, blob
from vision.image.arrays import Float32Array

TAUGHT = 2.0
"""Weight of the teachers' outputs relative to the truth."""
SHARPER = ((slice(VALUES), 1.15), (slice(VALUES, LEAN), 1.15))
"""Factors on the logits, as for the face classifier."""
GRAINY, GRAIN = 0.3, 0.03
"""Share of the patches with added noise, and its largest amount, relative to full white."""


def _wide() -> nn.Sequential:
    return nn.Sequential(
        block(5, 20, 2),
        block(20, 28, 1),
        block(28, 44, 2),
        block(44, 56, 1),
        block(56, 80, 2),
        block(80, 80, 1),
        block(80, 96, 2),
        *end(96 * (SIDE // 16) ** 2, VALUES + POSTURES + 2),
    )


def _narrow() -> nn.Sequential:
    return nn.Sequential(
        block(5, 20, 2),
        block(20, 36, 2),
        block(36, 40, 1),
        block(40, 64, 2),
        block(64, 64, 1),
        block(64, 88, 2),
        *end(88 * (SIDE // 16) ** 2, VALUES + POSTURES + 2),
    )


def postures(args: argparse.Namespace) -> None:
    """Trains the posture classifier, or a narrow one, which is another teacher.

    With teachers it learns the truth and also their outputs for each lesson: how confident to be.

    Source: Hinton, Vinyals and Dean, Distilling the knowledge in a neural network,
    arXiv:1503.02531.
    """
    begin(args.threads, args.seed)
    own = _narrow() if args.narrow else _wide()
    network = own if args.start is None else started(args.start)
    xs, ss, ks, vs, ps, ts = load(args.lessons, "xskvpt")

    def seen(some: slice) -> list[Float32Array]:
        lessons = blob(*(one[some].cpu().numpy() for one in (xs, ss, ks)))
        return [lessons, lessons[:, :, :, ::-1]]

    def alike(said: Float32Array) -> None:
        said[:, LEAN] *= -1

    says = answers(args.teachers, seen, len(xs), alike) if args.teachers else None

    def planes(x: torch.Tensor, s: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
        flat = torch.stack([s.clamp(0, 1.2), k], 1)[:, :, None, None]
        return torch.cat(
            [x.permute(0, 3, 1, 2).float() / 255 - 0.5, flat.expand(-1, -1, SIDE, SIDE)], 1
        )

    def loss_of() -> torch.Tensor:
        pick = torch.randint(HELD, len(xs), (BATCH,))
        v, p, t = vs[pick], ps[pick], ts[pick].clone()
        x = planes(xs[pick], ss[pick], ks[pick])
        # What points outwards must stay up, so only mirroring is possible.
        flipped = bool(torch.rand(1) < 0.5)
        if flipped:
            x = x.flip(3)
            t[:, 0] *= -1
        x[:, :3] = (x[:, :3] + 0.5) * torch.exp(torch.randn(BATCH, 3, 1, 1) * 0.06) - 0.5
        if torch.rand(1) < GRAINY:
            x[:, :3] += torch.randn(BATCH, 3, SIDE, SIDE) * torch.rand(BATCH, 1, 1, 1) * GRAIN
        x, other = recoloured(x)
        out = network(x.contiguous(memory_format=torch.channels_last)).float()
        loss = functional.cross_entropy(out[:, :VALUES], v, ignore_index=-1, label_smoothing=0.01)
        loss = loss + 1.5 * functional.cross_entropy(out[:, VALUES:LEAN], p, ignore_index=-1)
        labelled = ~t.isnan().any(1)
        loss = loss + 3 * functional.smooth_l1_loss(out[labelled, LEAN:], t[labelled], beta=0.1)
        # For other colours, the teachers' outputs would differ.
        if says is None or other:
            return loss
        told = says[pick].clone()
        if flipped:
            told[:, LEAN] *= -1
        for part, truth, weight in ((slice(VALUES), v, 1.0), (slice(VALUES, LEAN), p, 1.5)):
            loss = loss + TAUGHT * weight * taught(out[:, part], told[:, part], truth)
        return loss + TAUGHT * functional.smooth_l1_loss(out[:, LEAN:], told[:, LEAN:], beta=0.1)

    def report(mean: nn.Module) -> str:
        out = torch.cat(
            [
                mean(planes(xs[i : i + 500], ss[i : i + 500], ks[i : i + 500])).float()
                for i in range(0, HELD, 500)
            ]
        )
        v, p, k, t = vs[:HELD], ps[:HELD], ks[:HELD], ts[:HELD]
        value = (out[:, :VALUES].argmax(1) == v)[v >= 0].float().mean()
        flat = out[:, VALUES:LEAN].softmax(1)[:, FLAT]
        labelled = (k == KNOWN) & ~t.isnan().any(1)
        parts = [f"lean off {float((out[labelled, LEAN:] - t[labelled]).norm(dim=1).mean()):.3f}"]
        for certainty in (KNOWN, 0.5, UNKNOWN):
            good = flat[(k == certainty) & (p == FLAT)].sort().values
            bad = flat[(k == certainty) & (p > FLAT)]
            if len(good) and len(bad):
                low = good[len(good) // 50]
                parts.append(f"at 98% flat {float((bad >= low).float().mean()):.4f} of others")
        return f"value {value:.4f} " + ", ".join(parts)

    fit(network, args, loss_of, report)
    if says is not None:
        for part, sharper in SHARPER:
            sharpen(network, part, sharper)
    write(network, (5, SIDE, SIDE), args.out)
