"""The networks' cards: what each shipped file is, as Markdown for docs/seeing.md."""

import hashlib
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

WEIGHTS = Path(__file__).parents[2] / "vision" / "classify" / "weights"
PAGE = Path(__file__).parents[2] / "docs" / "seeing.md"
_MADE = re.compile(r"(<!-- networks -->\n).*?(<!-- end -->)", re.DOTALL)
"""The part of the page that is made."""


@dataclass(frozen=True, slots=True)
class Card:
    """The facts about a network.

    Attributes:
        file: its name.
        sha256: of the file that the figures below were measured with.
        patch: channels, height and width of its input; where it takes pictures of any size, of
            the one that its operations are counted for.
        asks: its input, in words.
        says: its outputs.
        data: what it was trained on.
        figures: on held-out data.
        weak: what it must not be trusted with.
        any_size: whether it takes pictures of any size.
    """

    file: str
    sha256: str
    patch: tuple[int, int, int]
    asks: str
    says: str
    data: str
    figures: str
    weak: str
    any_size: bool = False


CARDS = (
    Card(
        "faces.onnx",
        "68a4e4df74d113ac465195630137bafc581e1d4eb4f089b1246f49dfe36d4ec8",
        (3, 48, 48),
        "a colour patch around a place where a die may be",
        "no die, 1 to 6, a symbol, leaning, covered; the kind of die; where its top lies",
        "150,000 drawn patches (`patches`, seeds 1 to 30), a quarter of them traps, and 33,000 "
        "cut from 11,250 rendered close views (`views`, seed 81), starting from commit 1eefc0b's "
        "weights",
        "of 4,000 held-out patches, traps included, 88 % are classified as drawn (87 % before); "
        "51 % of the dice get more than 0.95, and 22 wrong answers do",
        "sharp-edged casino dice; dice that reflect a lamp; floors unlike ours",
    ),
    Card(
        "postures.onnx",
        "00a6d66ce62b503e5941d3f991b7f3f9f7a13f94b50cdb19ccf94a5128d4d210",
        (5, 64, 64),
        "a colour patch around a die, with the slant of the view and how well that is known",
        "value, posture (flat, leaning, stacked, covered), which way the top faces",
        "the same views, cut twice into lessons, and 80,000 drawn patches, starting from commit "
        "1eefc0b's weights; then 22,500 views with more hands and cards (`views`, seed 91) and "
        "120,000 drawn patches with logos: the weights before and after are averaged (`blend`)",
        "on 4,000 held-out lessons, with geometry, it accepts 2.3 % of the dice that do not lie "
        "flat at a threshold that accepts 98 % of those that do (2.9 % before); 98.2 % of values "
        "are right",
        "views of unknown geometry; floors higher than the tray's",
    ),
    Card(
        "tops.onnx",
        "22d51d2e23e60e48121414e4502c3c0b0f28d24c5797f85e8a1b1342e4a1bc9f",
        (3, 256, 256),
        "a whole colour picture (BGR); each level of a pyramid, for tops of 9 to 25 pixels",
        "for each cell of 4×4 pixels its heat, which says how likely the middle of a die's top is "
        "there; where exactly; the logarithm of the top's edge",
        "56,000 drawn scenes (`scenes`, seeds 1 to 28) without the first 1,000, for 7,000 steps of "
        "32 scenes",
        "in the 1,000 held-out scenes, 91 % of the middles are hotter than 0.2; each of the 2,632 "
        "dice labelled in our test pictures, 371 of them in strangers' photographs, has one of the "
        "hundred hottest places within 0.3 of an edge",
        "dice that fill a small crop; dice under a hand; tweed and weave, which are hot, too",
        any_size=True,
    ),
)


def sha256(path: Path) -> str:
    """The hash of a file, hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def layered(path: Path) -> cv2.dnn.Net:
    """A network whose layers can be asked for, by name, for their weights and outputs.

    In OpenCV 5.0 those of the new engine, which it prefers, have neither, and it takes another
    engine only for a file that it opens itself.
    """
    read: Callable[..., cv2.dnn.Net] = cv2.dnn.readNetFromONNX
    engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    net = read(str(path)) if engine is None else read(str(path), engine=engine)
    net.enableFusion(False)
    return net


def operations(path: Path, patch: tuple[int, int, int]) -> int:
    """Floating-point operations for one input: two for each weight at each position.

    OpenCV's own count treats each channel of a separable convolution as a whole one.
    """
    net = layered(path)
    net.setInput(np.zeros((1, *patch), np.float32))
    names = list(net.getLayerNames())
    return sum(
        2 * weights[0].size * math.prod(output.shape[2:])
        for name, output in zip(names, net.forward(names), strict=True)
        if (weights := net.getLayer(name).blobs)
    )


def made(cards: Sequence[Card] = CARDS) -> str:
    """The cards of all networks, below a table of their files.

    Raises:
        SystemExit: a shipped file is not the one that its card describes.
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
        size = f"{height}×{width}"
        work = f"{operations(path, card.patch) / 1e6:.0f} million"
        if card.any_size:
            size, work = "any size", f"{work} for {size}"
        rows.append(
            f"| `{card.file}` | {path.stat().st_size / 1e6:.1f} MB | {channels}×{size} | {work} | "
            f"`{card.sha256[:16]}…` |"
        )
        parts += [
            f"### {card.file}",
            "",
            f"- **Input**: {card.asks}.",
            f"- **Output**: {card.says}.",
            f"- **Trained on** {card.data}.",
            f"- **Measured**: {card.figures}.",
            f"- **Limits**: {card.weak}.",
            f"- **SHA-256**: `{card.sha256}`",
            "",
        ]
    head = "| file | size | input | operations | SHA-256 |\n|---|---:|---:|---:|---|\n"
    return head + "\n".join(rows) + "\n\n" + "\n".join(parts)


def page(written: str) -> str:
    """The page that was written, with the cards brought up to date.

    Raises:
        SystemExit: as `made` does.
    """
    cards = made()
    return _MADE.sub(lambda found: f"{found[1]}{cards}{found[2]}", written)
