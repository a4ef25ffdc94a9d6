"""The networks' cards: what each shipped file is, as Markdown for docs/networks.md."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

WEIGHTS = Path(__file__).parents[2] / "vision" / "classify" / "weights"
PAGE = Path(__file__).parents[2] / "docs" / "networks.md"


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a network.

    Attributes:
        file: its name.
        sha256: of the file that the figures below were taken with.
        patch: channels, height and width of what it looks at.
        asks: what it looks at, for people.
        says: its outputs.
        data: what it learnt from.
        figures: on what was kept back.
        weak: what it must not be trusted with.
    """

    file: str
    sha256: str
    patch: tuple[int, int, int]
    asks: str
    says: str
    data: str
    figures: str
    weak: str


CARDS = (
    Card(
        "faces.onnx",
        "32524fb7b30f8d24c37ec5419a12453786d3c9b98819820ac15f81bd53df6bae",
        (3, 48, 48),
        "a patch round a place where a die may be, in colour",
        "no die, 1 to 6, a symbol, leaning, covered; the kind of die; where its top lies",
        "200,000 drawn patches (`patches`, seeds 1 to 40), a quarter of them traps",
        "of 4,000 patches kept back, traps among them, 91 % are named as drawn; of the 34 % that "
        "it gives more than 0.95, 15 are wrong; in 8 bits as many",
        "dice that mirror a lamp; sharp casino dice; anything that lies on none of our floors",
    ),
    Card(
        "postures.onnx",
        "8ba8b6ef09925394ef9265ccf12b51d067238650db95e4d480be97e47eea6c9a",
        (5, 64, 64),
        "a patch round a die, in colour, with the slant of the view and how sure that is",
        "value, posture (flat, leaning, stacked, covered), which way the top faces",
        "22,500 rendered close views of 4,500 installations (`views`, seeds 71 and 72), cut into "
        "lessons, and 120,000 drawn patches",
        "of 4,000 lessons kept back, with geometry, it passes 2.4 % of the dice that do not lie "
        "flat where it passes 98 % of those that do; of 4,000 newer ones 2.7 %, in 8 bits 2.6 %",
        "views of which the geometry is not known; floors higher than the tray's",
    ),
)

# What was run, in this order; {work} is a folder for what is made on the way.
RECIPE = (
    "patches --out {work}/patches",
    "faces --patches {work}/patches --out {work}/faces-floats.onnx",
    "quantise --floats {work}/faces-floats.onnx --patches {work}/patches --out {work}/faces.onnx",
    "views --out {work}/views --seed 71",
    "lessons --views {work}/views --out {work}/lessons",
    "postures --lessons {work}/lessons --out {work}/first.onnx",
    "postures --lessons {work}/lessons --start {work}/first.pt --rate 1e-3 --steps 3000 --seed 1"
    " --out {work}/second.onnx",
    "views --out {work}/more --seed 72 --shards 42 --stacked 3",
    "lessons --views {work}/views {work}/more --drawn 120000 --out {work}/lessons-again",
    "postures --lessons {work}/lessons-again --start {work}/second.pt --rate 1e-3 --steps 3000"
    " --seed 2 --out {work}/third.onnx",
    "average --weights {work}/first.pt {work}/second.pt {work}/third.pt"
    " --out {work}/postures-floats.onnx",
    "quantise --slants --floats {work}/postures-floats.onnx --patches {work}/lessons-again"
    " --out {work}/postures.onnx",
)


def sha256(path: Path) -> str:
    """The hash of a file, hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def operations(path: Path, patch: tuple[int, int, int]) -> int:
    """Floating-point operations for one patch: two for each weight at each place.

    OpenCV's own count takes each channel of a separable convolution for a whole one.
    """
    net = cv2.dnn.readNetFromONNX(str(path))
    numbers, _, outputs = net.getLayersShapes((1, *patch))
    total = 0
    for number, shapes in zip(np.ravel(numbers), outputs, strict=True):
        weights = net.getLayer(int(number)).blobs
        if weights:
            total += 2 * weights[0].size * math.prod(int(v) for v in shapes[0][2:])
    return total


def page(cards: Sequence[Card] = CARDS) -> str:
    """The page about all networks.

    Raises:
        SystemExit: a shipped file is not the one that its card is about.
    """
    rows, parts = [], []
    for card in cards:
        path = WEIGHTS / card.file
        if (found := sha256(path)) != card.sha256:
            raise SystemExit(
                f"{path}: expected the file of its card, {card.sha256[:12]}, found {found[:12]}; "
                "measure it, and write hash and figures into scripts/training/card.py"
            )
        channels, height, width = card.patch
        million = operations(path, card.patch) / 1e6
        rows.append(
            f"| `{card.file}` | {path.stat().st_size / 1e6:.1f} MB | {channels}×{height}×{width} | "
            f"{million:.0f} million | `{card.sha256[:16]}…` |"
        )
        parts += [
            f"## {card.file}",
            "",
            f"- **Looks at** {card.asks}.",
            f"- **Says** {card.says}.",
            f"- **Learnt from** {card.data}. No photograph.",
            f"- **Measured:** {card.figures}.",
            f"- **Not to be trusted with** {card.weak}.",
            f"- **SHA-256** `{card.sha256}`",
            "",
        ]
    head = """# The networks

Two small networks look at patches of a picture; [how a picture is read](vision.md) says when.
Neither decides alone: both, and the pips counted one by one, must agree before a value is claimed.
They are trained on drawings and renderings only, from fixed seeds, in some hours of two cores. This
page is made by `scripts/train_faces.py card`, and a test compares it with the files that are
shipped. Their convolutions are computed in 8 bits: that takes a third of the time, and gives the
same on all processors.

| file | size | patch | operations a patch | SHA-256 |
|---|---:|---:|---:|---|
"""
    tail = """## Making them again

In an environment with PyTorch (the head of the script says which):

    PYTHONPATH=. python scripts/train_faces.py all --work DIR

draws, renders, trains, averages and quantises, step by step. It can be stopped at any time: what is
finished is kept in DIR and not done again; what other settings or code made is refused. The same
seeds draw and render the same pictures; weights differ a little with PyTorch's version and the
processor, so new ones are measured (`dicetray bench vision`) before they take the place of these.
"""
    return head + "\n".join(rows) + "\n\n" + "\n".join(parts) + "\n" + tail
