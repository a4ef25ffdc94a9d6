"""Trains the posture classifier on lessons cut from rendered views and drawn."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

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
from vision.classify.posture import (
    FLAT,
    LEAN_OUTPUT_START,
    POSTURE_CLASSES,
    POSTURE_PATCH_SIDE_PX,
    SLANT_KNOWN,
    SLANT_UNKNOWN,
    VALUE_CLASSES,
    posture_input,
)
from vision.image.arrays import Float32Array

TEACHERS_WEIGHT = 2.0
"""Of the loss against the teachers' outputs, relative to that against the truth."""
POSTURE_WEIGHT = 1.5
"""Of the loss of the posture, relative to that of the value."""
SHARPER = ((slice(VALUE_CLASSES), 1.15), (slice(VALUE_CLASSES, LEAN_OUTPUT_START), 1.15))
"""Factors on the logits, as for the face classifier."""
SHARE_WITH_NOISE = 0.3
"""Of the batches."""
MAX_NOISE = 0.03
"""Relative to full white."""


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


@dataclass(frozen=True, slots=True)
class Lessons:
    """Patches and what is true of them, the held-out ones first.

    Attributes:
        patches: (n, side, side, 3) their pixels.
        sizes: (n,) of their dice, relative to the expected one.
        slant_known: (n,) how certain the direction of view is.
        values: (n,) classes, -1 where not known.
        postures: (n,) classes, -1 where not known.
        leans: (n, 2), not a number where not known.
    """

    patches: torch.Tensor
    sizes: torch.Tensor
    slant_known: torch.Tensor
    values: torch.Tensor
    postures: torch.Tensor
    leans: torch.Tensor

    def planes(self, some: slice | torch.Tensor) -> torch.Tensor:
        """(n, 5, side, side) some of them as input of the network."""
        sizes = self.sizes[some].clamp(0, 1.2)
        flat = torch.stack([sizes, self.slant_known[some]], 1)[:, :, None, None]
        return torch.cat(
            [
                self.patches[some].permute(0, 3, 1, 2).float() / 255 - 0.5,
                flat.expand(-1, -1, POSTURE_PATCH_SIDE_PX, POSTURE_PATCH_SIDE_PX),
            ],
            1,
        )

    def teachers_say(self, teachers: Sequence[Path]) -> torch.Tensor:
        """(n, outputs) the mean output of these networks, for patches and mirrored patches."""

        def seen(some: slice) -> list[Float32Array]:
            told = (self.patches, self.sizes, self.slant_known)
            lessons = posture_input(*(one[some].cpu().numpy() for one in told))
            return [lessons, lessons[:, :, :, ::-1]]

        def unmirror(said: Float32Array) -> None:
            said[:, LEAN_OUTPUT_START] *= -1

        return answers(teachers, seen, len(self.patches), unmirror)


def _vary_light_and_grain(x: torch.Tensor) -> None:
    """Gives patches other brightness by colour channel and, now and then, noise; in place."""
    x[:, :3] = (x[:, :3] + 0.5) * torch.exp(torch.randn(BATCH_SIZE, 3, 1, 1) * 0.06) - 0.5
    if torch.rand(1) < SHARE_WITH_NOISE:
        x[:, :3] += (
            torch.randn(BATCH_SIZE, 3, POSTURE_PATCH_SIDE_PX, POSTURE_PATCH_SIDE_PX)
            * torch.rand(BATCH_SIZE, 1, 1, 1)
            * MAX_NOISE
        )


def _loss_against_truth(
    out: torch.Tensor, values: torch.Tensor, postures: torch.Tensor, leans: torch.Tensor
) -> torch.Tensor:
    loss = functional.cross_entropy(
        out[:, :VALUE_CLASSES], values, ignore_index=-1, label_smoothing=0.01
    )
    loss = loss + POSTURE_WEIGHT * functional.cross_entropy(
        out[:, VALUE_CLASSES:LEAN_OUTPUT_START], postures, ignore_index=-1
    )
    labelled = ~leans.isnan().any(1)
    return loss + 3 * functional.smooth_l1_loss(
        out[labelled, LEAN_OUTPUT_START:], leans[labelled], beta=0.1
    )


def _losses_against_teachers(
    out: torch.Tensor, told: torch.Tensor, values: torch.Tensor, postures: torch.Tensor
) -> Iterator[torch.Tensor]:
    """Those of the value, of the posture and of the lean."""
    yield taught(out[:, :VALUE_CLASSES], told[:, :VALUE_CLASSES], values)
    some = slice(VALUE_CLASSES, LEAN_OUTPUT_START)
    yield POSTURE_WEIGHT * taught(out[:, some], told[:, some], postures)
    yield functional.smooth_l1_loss(
        out[:, LEAN_OUTPUT_START:], told[:, LEAN_OUTPUT_START:], beta=0.1
    )


def _loss_of_next_batch(
    network: nn.Module, lessons: Lessons, says: torch.Tensor | None
) -> torch.Tensor:
    """The loss of lessons picked at random; `says` is what the teachers say to each of all."""
    pick = torch.randint(HELD_OUT_PATCHES, len(lessons.patches), (BATCH_SIZE,))
    values, postures = lessons.values[pick], lessons.postures[pick]
    leans = lessons.leans[pick].clone()
    x = lessons.planes(pick)
    # What points outwards must stay up, so only mirroring is possible.
    mirrored = bool(torch.rand(1) < 0.5)
    if mirrored:
        x = x.flip(3)
        leans[:, 0] *= -1
    _vary_light_and_grain(x)
    x, has_other_colours = recoloured(x)
    out = network(x.contiguous(memory_format=torch.channels_last)).float()
    loss = _loss_against_truth(out, values, postures, leans)
    # For other colours, the teachers' outputs would differ.
    if says is None or has_other_colours:
        return loss
    told = says[pick].clone()
    if mirrored:
        told[:, LEAN_OUTPUT_START] *= -1
    for part in _losses_against_teachers(out, told, values, postures):
        loss = loss + TEACHERS_WEIGHT * part
    return loss


def _report(mean: nn.Module, lessons: Lessons) -> str:
    """Figures of a network on the held-out lessons."""
    out = torch.cat(
        [mean(lessons.planes(slice(i, i + 500))).float() for i in range(0, HELD_OUT_PATCHES, 500)]
    )
    values, postures = lessons.values[:HELD_OUT_PATCHES], lessons.postures[:HELD_OUT_PATCHES]
    known, leans = lessons.slant_known[:HELD_OUT_PATCHES], lessons.leans[:HELD_OUT_PATCHES]
    right = (out[:, :VALUE_CLASSES].argmax(1) == values)[values >= 0].float().mean()
    flat = out[:, VALUE_CLASSES:LEAN_OUTPUT_START].softmax(1)[:, FLAT]
    labelled = (known == SLANT_KNOWN) & ~leans.isnan().any(1)
    lean_off = (out[labelled, LEAN_OUTPUT_START:] - leans[labelled]).norm(dim=1).mean()
    parts = [f"lean off {float(lean_off):.3f}"]
    for certainty in (SLANT_KNOWN, 0.5, SLANT_UNKNOWN):
        good = flat[(known == certainty) & (postures == FLAT)].sort().values
        bad = flat[(known == certainty) & (postures > FLAT)]
        if len(good) and len(bad):
            low = good[len(good) // 50]
            parts.append(f"at 98% flat {float((bad >= low).float().mean()):.4f} of others")
    return f"value {right:.4f} " + ", ".join(parts)


def postures(args: argparse.Namespace) -> None:
    """Trains the posture classifier, or a narrow one, which is another teacher.

    With teachers it learns the truth and also their outputs for each lesson: how confident to be.

    Source: Hinton, Vinyals and Dean, Distilling the knowledge in a neural network,
    arXiv:1503.02531.
    """
    begin(args.threads, args.seed)
    own = _narrow() if args.narrow else _wide()
    network = own if args.start is None else started(args.start)
    lessons = Lessons(*load(args.lessons, "xskvpt"))
    says = lessons.teachers_say(args.teachers) if args.teachers else None
    fit(
        network,
        args,
        lambda: _loss_of_next_batch(network, lessons, says),
        lambda mean: _report(mean, lessons),
    )
    if says is not None:
        for part, sharper in SHARPER:
            sharpen(network, part, sharper)
    write(network, (5, POSTURE_PATCH_SIDE_PX, POSTURE_PATCH_SIDE_PX), args.out)
