"""Boards whose modules are not simply mounted one after another."""

from dataclasses import dataclass

from appliance.picture import Picture
from simulator.pico.max7219 import CHIP_COLUMNS, CHIP_COUNT, CHIP_ROWS


@dataclass(frozen=True, slots=True)
class Wiring:
    """How the modules are mounted, seen from the front; by default, as the firmware expects it.

    Attributes:
        snake: whether every second row of the chain runs back.
        start: corner of the first module, such as "top-left".
        strip: modules that the chain passes before it moves to the next row; the strips of one
            column of strips come before those of the next.
        rotation: clockwise rotation of each module, degrees.
        snake_turns: whether modules in rows that run back are turned by 180 degrees more.
        mirrored: whether the segment lines run from right to left on the module.
        places: column, row and quarter turns clockwise of each module in the order of the chain,
            for boards that are none of the above; the other fields except `mirrored` are then
            ignored.
    """

    snake: bool = True
    start: str = "top-right"
    strip: int = CHIP_COLUMNS
    rotation: int = 0
    snake_turns: bool = True
    mirrored: bool = False
    places: tuple[tuple[int, int, int], ...] = ()

    def light(self, chip: int, line: int, segment: int) -> tuple[int, int]:
        """Column and row of a light, for the chip's place in the chain, its line and segment."""
        column, row, turns = self._place(chip)
        x, y = (7 - segment if self.mirrored else segment), line
        for _ in range(turns % 4):
            x, y = 7 - y, x
        return 8 * column + x, 8 * row + y

    def words(self, picture: Picture, line: int) -> bytes:
        """The words to send to the chips for one of their eight lines: the farthest chip first."""
        words = bytearray()
        for chip in reversed(range(CHIP_COUNT)):
            lights = (self.light(chip, line, segment) for segment in range(8))
            lit = sum(0x80 >> segment for segment, at in enumerate(lights) if picture.is_lit(*at))
            words += bytes((line + 1, lit))
        return bytes(words)

    def _place(self, chip: int) -> tuple[int, int, int]:
        if self.places:
            return self.places[chip]
        strip, along = divmod(chip, self.strip)
        stack, row = divmod(strip, CHIP_ROWS)
        back = self.snake and row % 2 == 1
        if back:
            along = self.strip - 1 - along
        column = stack * self.strip + along
        if self.start.endswith("right"):
            column = CHIP_COLUMNS - 1 - column
        if self.start.startswith("bottom"):
            row = CHIP_ROWS - 1 - row
        return column, row, self.rotation // 90 + (2 if back and self.snake_turns else 0)
