"""Two proportional pixel fonts: 7 rows for what matters, 5 rows where more must fit.

A third one has the letters of the small font with the wide ones narrowed, for lines that would not
fit otherwise, such as a name of eight M's beside a long number.
"""

from collections.abc import Iterator
from dataclasses import dataclass

_TALL = """
A .##. #..# #..# #### #..# #..# #..#
B ###. #..# #..# ###. #..# #..# ###.
C .##. #..# #... #... #... #..# .##.
D ###. #..# #..# #..# #..# #..# ###.
E #### #... #... ###. #... #... ####
F #### #... #... ###. #... #... #...
G .##. #..# #... #.## #..# #..# .##.
H #..# #..# #..# #### #..# #..# #..#
I ### .#. .#. .#. .#. .#. ###
J ..## ...# ...# ...# ...# #..# .##.
K #..# #.#. ##.. #... ##.. #.#. #..#
L #... #... #... #... #... #... ####
M #...# ##.## #.#.# #.#.# #...# #...# #...#
N #..# ##.# ##.# #.## #.## #..# #..#
O .##. #..# #..# #..# #..# #..# .##.
P ###. #..# #..# ###. #... #... #...
Q .##. #..# #..# #..# #..# #.#. .#.#
R ###. #..# #..# ###. ##.. #.#. #..#
S .### #... #... .##. ...# ...# ###.
T ##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#..
U #..# #..# #..# #..# #..# #..# .##.
V #...# #...# #...# #...# .#.#. .#.#. ..#..
W #...# #...# #...# #.#.# #.#.# ##.## #...#
X #...# #...# .#.#. ..#.. .#.#. #...# #...#
Y #...# #...# .#.#. ..#.. ..#.. ..#.. ..#..
Z #### ...# ..#. .#.. #... #... ####
0 .#. #.# #.# #.# #.# #.# .#.
1 .#. ##. .#. .#. .#. .#. ###
2 .##. #..# ...# ..#. .#.. #... ####
3 .##. #..# ...# .##. ...# #..# .##.
4 ..#. .##. #.#. #.#. #### ..#. ..#.
5 #### #... ###. ...# ...# #..# .##.
6 .##. #... #... ###. #..# #..# .##.
7 #### ...# ...# ..#. .#.. .#.. .#..
8 .##. #..# #..# .##. #..# #..# .##.
9 .##. #..# #..# .### ...# ...# .##.
. . . . . . . #
, .. .. .. .. .. .# #.
: . . # . # . .
! # # # # # . #
? .##. #..# ...# ..#. .#.. .... .#..
' # # . . . . .
+ ... ... .#. ### .#. ... ...
- ... ... ... ### ... ... ...
= ... ... ### ... ### ... ...
/ ..# ..# ..# .#. #.. #.. #..
( .# #. #. #. #. #. .#
) #. .# .# .# .# .# #.
% #..# ...# ..#. .##. .#.. #... #..#
& .##.. #..#. #.#.. .#... #.#.# #..#. .##.#
# .#.#. .#.#. ##### .#.#. ##### .#.#. .#.#.
< ..# ..# .#. #.. .#. ..# ..#
> #.. #.. .#. ..# .#. #.. #..
* ..... #.#.# .###. ##### .###. #.#.# .....
"""

_SMALL = """
A .#. #.# ### #.# #.#
B ##. #.# ##. #.# ##.
C .## #.. #.. #.. .##
D ##. #.# #.# #.# ##.
E ### #.. ##. #.. ###
F ### #.. ##. #.. #..
G .## #.. #.# #.# .##
H #.# #.# ### #.# #.#
I ### .#. .#. .#. ###
J ..# ..# ..# #.# .#.
K #.# #.# ##. #.# #.#
L #.. #.. #.. #.. ###
M #...# ##.## #.#.# #...# #...#
N #...# ##..# #.#.# #..## #...#
O ### #.# #.# #.# ###
P ##. #.# ##. #.. #..
Q ### #.# #.# ### ..#
R ##. #.# ##. #.# #.#
S .## #.. .#. ..# ##.
T ### .#. .#. .#. .#.
U #.# #.# #.# #.# ###
V #.# #.# #.# #.# .#.
W #...# #...# #.#.# ##.## #...#
X #.# #.# .#. #.# #.#
Y #.# #.# .#. .#. .#.
Z ### ..# .#. #.. ###
0 .#. #.# #.# #.# .#.
1 .#. ##. .#. .#. ###
2 ##. ..# .#. #.. ###
3 ##. ..# .#. ..# ##.
4 #.# #.# ### ..# ..#
5 ### #.. ##. ..# ##.
6 .## #.. ### #.# ###
7 ### ..# .#. .#. .#.
8 ### #.# ### #.# ###
9 ### #.# ### ..# ##.
. . . . . #
, .. .. .. .# #.
: . # . # .
! # # # . #
? ##. ..# .#. ... .#.
' # # . . .
+ ... .#. ### .#. ...
- ... ... ### ... ...
= ... ### ... ### ...
/ ..# ..# .#. #.. #..
( .# #. #. #. .#
) #. .# .# .# #.
% #.# ..# .#. #.. #.#
& .#. #.# .#. #.# .##
# #.# ### #.# ### #.#
< ..# .#. #.. .#. ..#
> #.. .#. ..# .#. #..
* ... #.# .#. #.# ...
"""

_NARROW = """
M #.# ### ### #.# #.#
N ##. #.# #.# #.# #.#
W #.# #.# ### ### #.#
"""


@dataclass(frozen=True, slots=True)
class Font:
    """A proportional font.

    Attributes:
        height: rows of every glyph.
        space: columns of a blank.
        glyphs: rows of each character, top to bottom; `#` is a light that is on.
    """

    height: int
    space: int
    glyphs: dict[str, tuple[str, ...]]

    def glyph(self, character: str) -> tuple[str, ...]:
        """The rows of a character; lower case is shown as capitals, unknown ones as `?`."""
        if character == " ":
            return (" " * self.space,) * self.height
        return self.glyphs.get(character.upper(), self.glyphs["?"])

    def width(self, text: str) -> int:
        """Columns that a text takes, with one free column between characters."""
        return sum(len(self.glyph(c)[0]) + 1 for c in text) - 1 if text else 0

    def place(self, text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Column and rows of each character of a text."""
        x = 0
        for character in text:
            rows = self.glyph(character)
            yield x, rows
            x += len(rows[0]) + 1


def _parse(source: str, height: int, space: int, base: Font | None = None) -> Font:
    glyphs: dict[str, tuple[str, ...]] = {}
    for line in source.strip().splitlines():
        character, *rows = line.split(" ")
        if len(rows) != height or len({len(row) for row in rows}) != 1:
            raise ValueError(f"glyph {character!r}: expected {height} rows of equal width")
        glyphs[character] = tuple(rows)
    return Font(height, space, {**base.glyphs, **glyphs} if base is not None else glyphs)


TALL = _parse(_TALL, height=7, space=2)
SMALL = _parse(_SMALL, height=5, space=2)
NARROW = _parse(_NARROW, height=5, space=1, base=SMALL)
