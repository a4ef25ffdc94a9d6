"""Abilities of a terminal: colours, and characters beyond ASCII."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TextIO

import numpy as np

from vision.frame import Image
from vision.image.arrays import IndexArray

SHADES = " .:-=+*#%@"
"""Shades from dark to bright, where there is no colour."""
_COLOUR_CUBE_LEVELS = np.array((0, 95, 135, 175, 215, 255))
"""The levels of xterm's 6 x 6 x 6 colours (https://invisible-island.net/xterm, 256colres.pl)."""
_FIRST_COLOURS = np.array(
    [
        (0, 0, 0),
        (205, 0, 0),
        (0, 205, 0),
        (205, 205, 0),
        (0, 0, 238),
        (205, 0, 205),
        (0, 205, 205),
        (229, 229, 229),
        (127, 127, 127),
        (255, 0, 0),
        (0, 255, 0),
        (255, 255, 0),
        (92, 92, 255),
        (255, 0, 255),
        (0, 255, 255),
        (255, 255, 255),
    ]
)
"""xterm's first sixteen colours, red, green, blue."""


class Colours(Enum):
    """How many colours a terminal has."""

    NONE = 0
    SIXTEEN = 16
    CUBE = 256
    TRUE = 1 << 24


@dataclass(frozen=True, slots=True)
class Style:
    """How to draw in a terminal: its colours, and whether it has blocks and lines beyond ASCII."""

    colours: Colours = Colours.TRUE
    blocks: bool = True

    @classmethod
    def of(cls, out: TextIO, environment: Mapping[str, str]) -> "Style":
        """The style of a terminal, by the environment variables and the encoding of its output.

        NO_COLOR counts as defined at https://no-color.org, COLORTERM as terminals set it.
        """
        term = environment.get("TERM", "")
        if environment.get("NO_COLOR") or term in ("", "dumb"):
            colours = Colours.NONE
        elif environment.get("COLORTERM") in ("truecolor", "24bit"):
            colours = Colours.TRUE
        elif "256" in term:
            colours = Colours.CUBE
        else:
            colours = Colours.SIXTEEN
        try:
            "▀▄█│─┌┐└┘←→".encode(out.encoding or "ascii")
        except (LookupError, UnicodeEncodeError):
            return cls(colours, blocks=False)
        return cls(colours)

    def picture_lines(
        self, image: Image, words: Mapping[tuple[int, int], str] = MappingProxyType({})
    ) -> list[str]:
        """The lines of a BGR picture, with two rows of pixels per line; black follows an odd one.

        `words` are letters in place of pixels, by column and line.
        """
        image = np.pad(image, ((0, len(image) % 2), (0, 0), (0, 0)))
        upper, lower = image[::2, :, ::-1], image[1::2, :, ::-1]
        if self.colours is Colours.NONE:
            shaded = _shades_as_characters((upper.astype(np.int32) + lower) // 2)
            if not words:
                return shaded
            return [
                "".join(words.get((x, y), shade) for x, shade in enumerate(line))
                for y, line in enumerate(shaded)
            ]
        if not self.blocks:
            upper = lower = ((upper.astype(np.int32) + lower) // 2).astype(np.uint8)
        above, below = self._colour_codes(upper, 30), self._colour_codes(lower, 40)
        half = "▀" if self.blocks else " "
        lines = []
        for y, (tops, bottoms) in enumerate(zip(above, below, strict=True)):
            cells, last = [], ""
            for x, (top, bottom) in enumerate(zip(tops, bottoms, strict=True)):
                letter = words.get((x, y))
                colour = f"\x1b[{top};{bottom}m" if letter is None else "\x1b[97;40m"
                letter = letter or half
                cells.append(letter if colour == last else colour + letter)
                last = colour
            lines.append("".join(cells) + "\x1b[0m")
        return lines

    def _colour_codes(self, pixels: Image, first: int) -> list[list[str]]:
        """The colour of each pixel, RGB, as in an escape sequence (ECMA-48, 8.3.117; ISO 8613-6).

        `first` is 30 for the foreground, 40 for the background.
        """
        if self.colours is Colours.TRUE:
            return [[f"{first + 8};2;{r};{g};{b}" for r, g, b in row] for row in pixels.tolist()]
        if self.colours is Colours.CUBE:
            level = np.abs(pixels[..., None].astype(int) - _COLOUR_CUBE_LEVELS).argmin(axis=-1)
            cube = 16 + 36 * level[..., 0] + 6 * level[..., 1] + level[..., 2]
            return [[f"{first + 8};5;{number}" for number in row] for row in cube.tolist()]
        # The eight bright ones are counted from 90 and 100.
        gaps = pixels[..., None, :].astype(int) - _FIRST_COLOURS
        sixteen = (gaps * gaps).sum(axis=-1).argmin(axis=-1).tolist()
        return [[f"{first + (n if n < 8 else n + 52)}" for n in row] for row in sixteen]

    @property
    def lit(self) -> str:
        """The escape sequence that begins lit lights of the board."""
        return {
            Colours.NONE: "",
            Colours.SIXTEEN: "\x1b[31m",
            Colours.CUBE: "\x1b[38;5;202m",
            Colours.TRUE: "\x1b[38;2;255;64;32m",
        }[self.colours]

    def strong(self, words: str) -> str:
        """Words that stand out; as they are where there are no colours."""
        return words if self.colours is Colours.NONE else f"\x1b[7m{words}\x1b[0m"

    def plain(self, line: str) -> str:
        """A line of blocks and frames, in ASCII where the terminal has nothing else."""
        if self.blocks:
            return line
        return line.translate(_ASCII).encode("ascii", "replace").decode("ascii")


_ASCII = str.maketrans("▀▄█│─┌┐└┘←→", "'.:|-++++<>")


def _shades_as_characters(pixels: IndexArray) -> list[str]:
    """Lines of characters; the brightest pixel becomes the last of the ramp."""
    light = pixels.mean(axis=2)
    least, most = float(light.min()), float(light.max())
    steps = np.rint((light - least) / max(most - least, 1.0) * (len(SHADES) - 1)).astype(int)
    return ["".join(SHADES[step] for step in row) for row in steps.tolist()]
