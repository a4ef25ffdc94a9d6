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
from vision.classify.posture import (
    FLAT,
    LEAN_OUTPUT_START,
    POSTURE_CLASSES,
    POSTURE_PATCH_SIDE_PX,
    SLANT_KNOWN,
    SLANT_UNKNOWN,
    VALUE_CLASSES,
    blob,
)
from vision.image.arrays import Float32Array

TAUGHT = 2.0
"""Weight of the teachers' outputs relative to the truth."""
SHARPER = ((slice(VALUE_CLASSES), 1.15), (slice(VALUE_CLASSES, LEAN_OUTPUT_START), 1.15))
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
        *end(96 * (POSTURE_PATCH_SIDE_PX // 16) ** 2, VALUE_CLASSES + POSTURE_CLASSES + 2),
    )


def _narrow() -> nn.Sequential:
    return nn.Sequential(
        block(5, 20, 2),
        block(20, 36, 2),
        block(36, 40, 1),
        block(40, 64, 2),
        block(64, 64, 1),
        block(64, 88, 2),
        *end(88 * (POSTURE_PATCH_SIDE_PX // 16) ** 2, VALUE_CLASSES + POSTURE_CLASSES + 2),
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
        said[:, LEAN_OUTPUT_START] *= -1

    says = answers(args.teachers, seen, len(xs), alike) if args.teachers else None

    def planes(x: torch.Tensor, s: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
        flat = torch.stack([s.clamp(0, 1.2), k], 1)[:, :, None, None]
        return torch.cat(
            [
                x.permute(0, 3, 1, 2).float() / 255 - 0.5,
                flat.expand(-1, -1, POSTURE_PATCH_SIDE_PX, POSTURE_PATCH_SIDE_PX),
            ],
            1,
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
            x[:, :3] += (
                torch.randn(BATCH, 3, POSTURE_PATCH_SIDE_PX, POSTURE_PATCH_SIDE_PX)
                * torch.rand(BATCH, 1, 1, 1)
                * GRAIN
            )
        x, other = recoloured(x)
        out = network(x.contiguous(memory_format=torch.channels_last)).float()
        loss = functional.cross_entropy(
            out[:, :VALUE_CLASSES], v, ignore_index=-1, label_smoothing=0.01
        )
        loss = loss + 1.5 * functional.cross_entropy(
            out[:, VALUE_CLASSES:LEAN_OUTPUT_START], p, ignore_index=-1
        )
        labelled = ~t.isnan().any(1)
        loss = loss + 3 * functional.smooth_l1_loss(
            out[labelled, LEAN_OUTPUT_START:], t[labelled], beta=0.1
        )
        # For other colours, the teachers' outputs would differ.
        if says is None or other:
            return loss
        told = says[pick].clone()
        if flipped:
            told[:, LEAN_OUTPUT_START] *= -1
        for part, truth, weight in (
            (slice(VALUE_CLASSES), v, 1.0),
            (slice(VALUE_CLASSES, LEAN_OUTPUT_START), p, 1.5),
        ):
            loss = loss + TAUGHT * weight * taught(out[:, part], told[:, part], truth)
        return loss + TAUGHT * functional.smooth_l1_loss(
            out[:, LEAN_OUTPUT_START:], told[:, LEAN_OUTPUT_START:], beta=0.1
        )

    def report(mean: nn.Module) -> str:
        out = torch.cat(
            [
                mean(planes(xs[i : i + 500], ss[i : i + 500], ks[i : i + 500])).float()
                for i in range(0, HELD, 500)
            ]
        )
        v, p, k, t = vs[:HELD], ps[:HELD], ks[:HELD], ts[:HELD]
        value = (out[:, :VALUE_CLASSES].argmax(1) == v)[v >= 0].float().mean()
        flat = out[:, VALUE_CLASSES:LEAN_OUTPUT_START].softmax(1)[:, FLAT]
        labelled = (k == SLANT_KNOWN) & ~t.isnan().any(1)
        lean_off = (out[labelled, LEAN_OUTPUT_START:] - t[labelled]).norm(dim=1).mean()
        parts = [f"lean off {float(lean_off):.3f}"]
        for certainty in (SLANT_KNOWN, 0.5, SLANT_UNKNOWN):
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
    write(network, (5, POSTURE_PATCH_SIDE_PX, POSTURE_PATCH_SIDE_PX), args.out)
