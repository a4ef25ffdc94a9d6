"""Letters of prints, drawn stroke by stroke: the same pixels from every version of OpenCV.

`cv2.putText` of OpenCV 4 draws these very letters; that of OpenCV 5 takes other fonts.

The Hershey Fonts were originally created by Dr. A. V. Hershey while working at the U. S. National
Bureau of Standards. The format of the font data was originally created by James Hurt, Cognition,
Inc., 900 Technology Park Drive, Billerica, MA 01821. Both names must stay with them, says the
licence of Debian's package hershey-fonts-data, where they are from.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.arrays import GreyImage

CAPITAL = 21
"""How high a capital is, in the font's units."""
_BELOW = 9
"""How far the base line is below the middle of a letter, in the font's units."""
_SHIFT = 16
"""Fractional bits of what is handed to OpenCV, the most that it takes."""


@dataclass(frozen=True, slots=True)
class Font:
    """One of Hershey's fonts.

    Attributes:
        bold: how thick a stroke of a print is, in the font's units.
        letters: in Hurt's format: the left and right end of a letter, then pairs of x and y, each
            a character counted from `R`; a blank ends a stroke, and an `R` follows it.
    """

    bold: float
    letters: dict[str, str]


DUPLEX = Font(
    3.4,
    {
        "1": r"H\NJPISFS[ RNJNKPJRHR[S[",
        "2": r"H\LKLJMHNGPFTFVGWHXJXLWNUQL[ RLKMKMJNHPGTGVHWJWLVNTQK[ RLZYZY[ RK[Y[",
        "3": r"H\MFXFQO RMFMGWG RWFPO RQNSNVOXQYTYUXXVZS[P[MZLYKWLW RPOSOVPXS RTOWQXTXUWXTZ "
        "RXVVYSZPZMYLW ROZLX",
        "x": "I[LMW[X[ RLMMMX[ RXMWML[ RXMM[L[",
        "P": r"H\LFL[ RMGM[L[ RLFUFWGXHYJYMXOWPUQMQ RMGUGWHXJXMWOUPMP",
    },
)
COMPLEX = Font(
    2.4,
    {
        "1": r"H\NJPISFS[ RRGR[ RN[W[",
        "2": r"H\LJMKLLKKKJLHMGPFTFWGXHYJYLXNUPPRNSLUKXK[ RTFVGWHXJXLWNTPPR RKYLXNXSZVZXYYX "
        "RNXS[W[XZYXYV",
        "3": r"H\LJMKLLKKKJLHMGPFTFWGXIXLWNTOQO RTFVGWIWLVNTO RTOVPXRYTYWXYWZT[P[MZLYKWKVLUMVLW "
        "RWQXTXWWYVZT[",
        "x": r"H\LMW[ RMMX[ RXML[ RJMPM RTMZM RJ[P[ RT[Z[",
        "P": "G]LFL[ RMFM[ RIFUFXGYHZJZMYOXPUQMQ RUFWGXHYJYMXOWPUQ RI[P[",
    },
)
SIMPLEX = Font(
    3.4,
    {
        "1": r"H\NJPISFS[",
        "2": r"H\LKLJMHNGPFTFVGWHXJXLWNUQK[Y[",
        "3": r"H\MFXFRNUNWOXPYSYUXXVZS[P[MZLYKW",
        "x": "J[MMX[ RXMM[",
        "P": r"G\KFK[ RKFTFWGXHYJYMXOWPTQKQ",
    },
)
TRIPLEX = Font(
    2.4,
    {
        "1": r"H\QHQ[ RRHRZ RSFS[ RSFPINJ RM[W[ RQZO[ RQYP[ RSYT[ RSZU[",
        "2": r"H\LJLKMKMJLJ RLIMINJNKMLLLKKKJLHMGPFTFWGXHYJYLXNUPPRNSLUKXK[ RWHXJXLWN "
        "RTFVGWJWLVNTPPR RKYLXNXSYWYYX RNXSZWZXY RNXS[W[XZYXYV",
        "3": r"H\LJLKMKMJLJ RLIMINJNKMLLLKKKJLHMGPFTFWGXIXLWNTO RVGWIWLVN RSFUGVIVLUNSO "
        "RQOTOVPXRYTYWXYWZT[P[MZLYKWKVLUMUNVNWMXLX RWRXTXWWY RSOUPVQWTWWVZT[ RLVLWMWMVLV",
        "x": r"H\LMV[ RMMW[ RNMX[ RWNMZ RJMQM RTMZM RJ[P[ RS[Z[ RKMMN RPMNN RUMWN RYMWN RMZK[ "
        "RMZO[ RVZT[ RWZY[",
        "P": "G]LFL[ RMGMZ RNFN[ RIFUFXGYHZJZMYOXPUQNQ RXHYJYMXO RUFWGXIXNWPUQ RI[Q[ RJFLG RKFLH "
        "ROFNH RPFNG RLZJ[ RLYK[ RNYO[ RNZP[",
    },
)


def text_size(text: str, font: Font, scale: float, thick: int) -> tuple[int, int]:
    """Width and height of a text, pixels, with strokes `thick` pixels wide.

    Raises:
        KeyError: the fonts lack a letter.
    """
    wide = sum(ord(font.letters[letter][1]) - ord(font.letters[letter][0]) for letter in text)
    return round(wide * scale + thick), round(CAPITAL * scale + (thick + 1) // 2)


def put_text(
    ink: GreyImage,
    text: str,
    origin: tuple[int, int],
    font: Font,
    scale: float,
    value: int,
    thick: int,
) -> None:
    """Draws a text whose base line begins at `origin`, pixels; a unit is `scale` pixels long."""
    unit = round(scale * (1 << _SHIFT))
    x, y = origin[0] << _SHIFT, (origin[1] << _SHIFT) - _BELOW * unit
    for letter in text:
        left, right = (ord(end) - ord("R") for end in font.letters[letter][:2])
        x -= left * unit
        for stroke in _strokes(font.letters[letter]):
            points = (stroke * unit + (x, y)).astype(np.int32)
            cv2.polylines(ink, [points], False, value, thick, cv2.LINE_AA, _SHIFT)
        x += right * unit


def _strokes(letter: str) -> Iterator[NDArray[np.int64]]:
    """The strokes of a letter: points (n, 2) in the font's units."""
    for stroke in letter[2:].split(" R"):
        yield np.array([ord(one) - ord("R") for one in stroke], np.int64).reshape(-1, 2)
