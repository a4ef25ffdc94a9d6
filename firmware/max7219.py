"""A chain of MAX7219 chips that shows one picture.

Registers, bit order and currents: Maxim, MAX7219/MAX7221 data sheet, 19-4452 Rev 4, tables 2 to 10.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from machine import SPI, Pin
    from mounting import Mounting

_DIGIT_0 = 0x01
_DECODE_MODE = 0x09
_INTENSITY = 0x0A
_SCAN_LIMIT = 0x0B
_SHUTDOWN = 0x0C
_DISPLAY_TEST = 0x0F


def chain_places(config: "ModuleType | Mounting") -> "list[tuple[int, int, int]]":
    """The modules in the order of the chain, from the Pico on.

    Returns:
        column, row and quarter turns clockwise of each module.

    Raises:
        ValueError: the wiring is not one that config.py describes.
    """
    columns = config.COLUMNS
    rows = config.ROWS
    if not isinstance(config.ORDER, str):
        places = [(c, r, turns % 4) for c, r, turns in config.ORDER]
        if sorted((r, c) for c, r, _ in places) != [
            (r, c) for r in range(rows) for c in range(columns)
        ]:
            raise ValueError("ORDER must name every module once")
        return places
    if config.ORDER not in ("rows", "snake"):
        raise ValueError("ORDER is 'rows', 'snake' or a list, not " + config.ORDER)
    if config.START not in ("top-left", "top-right", "bottom-left", "bottom-right"):
        raise ValueError("START is a corner such as 'top-left', not " + config.START)
    if config.ROTATION not in (0, 90, 180, 270):
        raise ValueError("ROTATION is 0, 90, 180 or 270")
    strip = config.STRIP or columns
    if strip < 0 or columns % strip:
        raise ValueError("STRIP must divide COLUMNS, or be 0")
    vertical, horizontal = config.START.split("-")
    places = []
    for first in range(0, columns, strip):
        for r in range(rows):
            back = config.ORDER == "snake" and r % 2 == 1
            turns = config.ROTATION // 90 + (2 if back and config.SNAKE_TURNS else 0)
            for c in range(strip):
                column = first + (strip - 1 - c if back else c)
                if horizontal == "right":
                    column = columns - 1 - column
                row = rows - 1 - r if vertical == "bottom" else r
                places.append((column, row, turns % 4))
    return places


def _reversed_bits(value: int) -> int:
    result = 0
    for i in range(8):
        if value & (1 << i):
            result |= 0x80 >> i
    return result


def load_upright(
    lines: bytearray,
    place: int,
    step: int,
    picture: "bytes | bytearray | memoryview",
    k: int,
    stride: int,
    table: bytes,
    ones: bytes,
) -> int:
    """Copies the eight rows of one module, each mapped through `table`.

    Returns:
        how many lights are on.
    """
    lit = 0
    for _ in range(8):
        value = picture[k]
        lit += ones[value]
        lines[place] = table[value]
        place += step
        k += stride
    return lit


_load_upright = load_upright
if sys.implementation.name == "micropython":
    # A SyntaxError means that this MicroPython cannot emit machine code.
    try:
        import fast  # type: ignore[import-not-found, unused-ignore]

        _load_upright = fast.load_upright
    except (ImportError, SyntaxError):
        pass


class Chain:
    """The modules of a board behind one SPI bus; nothing here allocates after construction."""

    def __init__(self, spi: "SPI", cs: "Pin", config: "ModuleType") -> None:
        """Takes the bus, the chip-select pin (idle high) and the module with the wiring."""
        self._spi = spi
        self._cs = cs
        self._width = config.COLUMNS
        self._count = config.COLUMNS * config.ROWS
        self._origin: list[int] = []
        self._turn = b""
        self._mirrored = False
        self.mount(config)
        self._reverse_bits = bytes(_reversed_bits(i) for i in range(256))
        self._ones = bytes(sum((i >> k) & 1 for k in range(8)) for i in range(256))
        self._unchanged_bits = bytes(range(256))
        # The eight lines of all modules, one after the other.
        step = 2 * self._count
        self._all_lines = bytearray(8 * step)
        self._lines = [memoryview(self._all_lines)[d * step : (d + 1) * step] for d in range(8)]
        for d in range(8):
            for i in range(self._count):
                self._lines[d][2 * i] = _DIGIT_0 + d
        self._control = bytearray(2 * self._count)
        self._sideways_block = bytearray(8)
        self.intensity = 0
        self.lit = 0

    def mount(self, config: "ModuleType | Mounting") -> None:
        """Takes another layout for the pictures from now on; this allocates.

        Raises:
            ValueError: the wiring is not one that config.py describes.
        """
        places = chain_places(config)
        # The word that is sent first travels to the end of the chain.
        places.reverse()
        self._origin = [row * 8 * self._width + column for column, row, _ in places]
        self._turn = bytes([turns for _, _, turns in places])
        self._mirrored = config.MIRRORED

    def load(self, picture: "bytes | bytearray | memoryview") -> None:
        """Takes the picture that `show` will show; `lit` then says how many lights are on."""
        lit = 0
        ones = self._ones
        lines = self._all_lines
        step = 2 * self._count
        mirrored = self._mirrored
        for i in range(self._count):
            k = self._origin[i]
            turn = self._turn[i]
            place = 2 * i + 1
            if turn & 1:
                lit += self._load_sideways(picture, k, place, turn)
                continue
            # An upside-down module gets its rows from the bottom up, read backwards.
            table = self._reverse_bits if (turn == 2) != mirrored else self._unchanged_bits
            if turn == 2:
                lit += _load_upright(
                    lines, place + 7 * step, -step, picture, k, self._width, table, ones
                )
            else:
                lit += _load_upright(lines, place, step, picture, k, self._width, table, ones)
        self.lit = lit

    def _load_sideways(
        self, picture: "bytes | bytearray | memoryview", k: int, place: int, turn: int
    ) -> int:
        block = self._sideways_block
        for d in range(8):
            block[d] = 0
        lit = 0
        for y in range(8):
            value = picture[k]
            k += self._width
            if not value:
                continue
            lit += self._ones[value]
            # If turned by 90 degrees, the module's first line shows the picture's right column.
            for x in range(8):
                if value & (0x80 >> x):
                    if turn == 1:
                        block[7 - x] |= 0x80 >> y
                    else:
                        block[x] |= 1 << y
        for d in range(8):
            value = block[d]
            self._lines[d][place] = self._reverse_bits[value] if self._mirrored else value
        return lit

    def _write_and_latch(self, data: "bytearray | memoryview") -> None:
        self._cs(0)
        self._spi.write(data)
        self._cs(1)

    def _write_all(self, register: int, value: int) -> None:
        control = self._control
        for i in range(0, len(control), 2):
            control[i] = register
            control[i + 1] = value
        self._write_and_latch(control)

    def show(self) -> None:
        """Writes the lights of all modules."""
        for line in self._lines:
            self._write_and_latch(line)

    def set_intensity(self, value: int) -> None:
        """Sets the brightness, 0 to 15, of all modules."""
        self.intensity = value
        self._write_all(_INTENSITY, value)

    def refresh(self) -> None:
        """Writes everything: the chips forget their control registers when the supply dips.

        The lights are written before the shutdown ends, so that a chip that has lost its memory
        never shows garbage.
        """
        self._write_all(_DISPLAY_TEST, 0)
        self._write_all(_DECODE_MODE, 0)
        self._write_all(_SCAN_LIMIT, 7)
        self._write_all(_INTENSITY, self.intensity)
        self.show()
        self._write_all(_SHUTDOWN, 1)
