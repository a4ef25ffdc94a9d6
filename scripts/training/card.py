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
        "68a4e4df74d113ac465195630137bafc581e1d4eb4f089b1246f49dfe36d4ec8",
        (3, 48, 48),
        "a patch round a place where a die may be, in colour",
        "no die, 1 to 6, a symbol, leaning, covered; the kind of die; where its top lies",
        "150,000 drawn patches (`patches`, seeds 1 to 30), a quarter of them traps, and 33,000 cut "
        "out of 11,250 rendered close views (`views`, seed 81), after those of commit 1eefc0b",
        "of 4,000 patches kept back, traps among them, 88 % are named as drawn (87 % before); 22 "
        "are given more than 0.95 wrongly, with 51 % of the dice",
        "sharp casino dice; dice that mirror a lamp; anything that lies on none of our floors",
    ),
    Card(
        "postures.onnx",
        "00a6d66ce62b503e5941d3f991b7f3f9f7a13f94b50cdb19ccf94a5128d4d210",
        (5, 64, 64),
        "a patch round a die, in colour, with the slant of the view and how sure that is",
        "value, posture (flat, leaning, stacked, covered), which way the top faces",
        "the same views, cut twice into lessons, and 80,000 drawn patches, after those of commit "
        "1eefc0b; then 22,500 views with more hands and cards (`views`, seed 91) and 120,000 drawn "
        "patches with logos: the mean (`blend`) of before and after",
        "of 4,000 lessons kept back, with geometry, it passes 2.3 % of the dice that do not lie "
        "flat where it passes 98 % of those that do (2.9 % before), and names 98.2 % of values",
        "views of which the geometry is not known; floors higher than the tray's",
    ),
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
            f"- **Learnt from** {card.data}.",
            f"- **Measured:** {card.figures}.",
            f"- **Not to be trusted with** {card.weak}.",
            f"- **SHA-256** `{card.sha256}`",
            "",
        ]
    head = """# The networks

Two small networks look at patches of a picture; [how a picture is read](vision.md) says when.
Neither decides alone: both, and the pips counted one by one, must agree before a value is claimed.
They are trained on drawings and renderings only, from fixed seeds. This page is made by
`scripts/train_faces.py card`, and a test compares it with the shipped files. Convolutions are
computed in 8 bits: in a third of the time, alike on all processors.

| file | size | patch | operations a patch | SHA-256 |
|---|---:|---:|---:|---|
"""
    tail = """## Making them again

With PyTorch (the head of the script says which):

    PYTHONPATH=. python scripts/train_faces.py all --work DIR

renders, draws, trains and quantises, in six hours of two cores, with 12 GB of memory, or on a GPU.
It can be stopped and gone on with; other settings or code are refused. Weights differ with
PyTorch's version and the processor. One run's, with certainty and limits refitted, claimed 109,855
fresh dice, two wrongly (these 109,438, one), and 1,004 in photographs (1,000), but 14 of 15 red
dice on tables: these stay.
"""
    return head + "\n".join(rows) + "\n\n" + "\n".join(parts) + "\n" + tail
