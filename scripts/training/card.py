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


def operations(path: Path, patch: tuple[int, int, int]) -> int:
    """Floating-point operations for one input: two for each weight at each position.

    OpenCV's own count treats each channel of a separable convolution as a whole one.
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
            f"## {card.file}",
            "",
            f"- **Input**: {card.asks}.",
            f"- **Output**: {card.says}.",
            f"- **Trained on** {card.data}.",
            f"- **Measured**: {card.figures}.",
            f"- **Limits**: {card.weak}.",
            f"- **SHA-256**: `{card.sha256}`",
            "",
        ]
    head = """# The networks

Three small networks read a picture; [how it is read](vision.md) says when. One, the heat map, looks
at the whole of it for places where dice may be, the others look at patches around these places.
None decides alone: both that look at patches, and the pips counted one by one, must agree before a
value is claimed. All are trained on drawings and renderings only, from fixed seeds. This page is
made by `scripts/training/train_faces.py card`, and a test compares it with the shipped files.
Convolutions, but for the first of each network and the heat map's last, are computed in 8 bits: in
a third of the time, the heat map in 0.6 of it, with the same result on all processors.

| file | size | input | operations | SHA-256 |
|---|---:|---:|---:|---|
"""
    tail = """## Making them again

With PyTorch (the head of the script says which):

    PYTHONPATH=. python scripts/training/train_faces.py all --work DIR

renders, draws, trains and quantises, in six hours on two cores, with 12 GB of memory, or on a GPU.
It resumes after an interruption and refuses other settings or code. The heat map alone takes 20
minutes: 12 to draw its scenes (`scenes`), 8 to train it (`tops`). Weights differ with PyTorch's
version and the processor. Those of one run of the other two, with certainty and limits refitted,
claimed 109,855 fresh dice, two wrongly (the shipped ones 109,438, one), and 1,004 in photographs
(1,000), but only 14 of 15 red dice on tables: so the shipped ones stay.

Since then the drawings have gained what more makers do: rows of a 6 as close as 0.45 of the
distance in a square, pips of 8 to 26 % of the edge, a 1 that is large or red, rims, rings, engraved
pips, bodies of ivory and wood, speckled and swirled ones; floors of carpet, denim, leather and
cardboard, hard shadows in the sun, and panes of glass. Of the shipped networks, only the heat map
has seen these. Trained further on 48,000 of them and 2,000 patches of views, for 1,500 steps, the
face network takes 68 % of drawn sixes with narrow rows for sixes (46 % before), and 1,605 of 1,687
dice in photographs are read (1,590). But in three of eleven sources fewer are, and a reflection in
a tray's black rim is claimed as a 1. With pips cut out as large as dice among the traps, and 400
more steps, 1,608 are read, fewer in two sources, and the reflection is still claimed: neither is
shipped.

Photographs whose licence allows it can join the training; `--without SOURCE` leaves one to judge:

    PYTHONPATH=. python scripts/training/train_faces.py photographs --data DIR --out FOLDER

cuts dice at their labels and, where the shipped network is tempted, what is no die. The last of
these networks was trained further on 6,208 such patches among 38,000 drawn and rendered ones, for
500 steps, and on 4,700 to 5,000 with one source left out. Dice read of each source
(`scripts/bench_world.py --data DIR --folder table_photos`, and so on):

| source | dice | shipped | before | with photographs | with all but this source |
|---|---:|---:|---:|---:|---:|
| NikitaMensh/DiceWatcher (table_photos, MIT) | 1,059 | 992 | 1,007 | 979 | 1,005 |
| chaseelliottpatterson/dice-reader (felt_crops, MIT) | 140 | 133 | 132 | 134 | 130 |
| DamianTab/DiceDetection (Apache-2.0) | 117 | 113 | 113 | 111 | 113 |
| eight sources never trained with | 371 | 352 | 356 | 355 | |

On sources left out they read no more than before, the reflection is still claimed, and now a tuft
of carpet as a 1 as well (not so after 400 steps on drawings alone: 1,604 read). Trained from the
shipped network on, for 400 steps, they claim neither, but read no more of the source left out:
989, 133 and 113. So the shipped network stays. Those trained with table photographs see less where
nothing is, even in dark corners, but without such large false dice the reader takes the view for
one from straight above, and asks whether dice lie on others.

For crops that a die fills, the heat map was trained twice more, with scenes cropped closely around
a die. From scratch, with 15 % of the scenes cropped (and 24 % drawn from the side, 16 % before), it
lets the reader have 65 of 70 dice in such crops (64 with the shipped one), but 355 of 371 in
strangers' photographs (360). Trained further for 2,400 steps on both sets of scenes, it gets 64 of
70, 315 of 340 in photographs of tables (312) and 359 of 371, but the weave of a tweed cloth is hot,
as if of sixes: neither is shipped.
"""
    return head + "\n".join(rows) + "\n\n" + "\n".join(parts) + "\n" + tail
