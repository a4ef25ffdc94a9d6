"""MAX7219 chips as a viewer sees them: what was clocked in becomes lights.

Source: Maxim, MAX7219/MAX7221 data sheet, 19-4452 Rev 4: serial format and daisy chain (p. 6),
power-up state (p. 7), registers (tables 2 to 10), Code B font (table 5).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

CHIP_COLUMNS = 8
CHIP_ROWS = 2
CHIP_COUNT = CHIP_COLUMNS * CHIP_ROWS
CHIP_SIDE = 8
"""Lights along a side of what one chip drives."""

# Code B: digits 0 to 9, -, E, H, L, P, blank; bits DP A B C D E F G.
_CODE_B_FONT = bytes.fromhex("7e306d79335b5f707f7b014f370e6700")


@dataclass(slots=True)
class Chip:
    """One MAX7219 with its registers as they are after power-up."""

    digits: bytearray = field(default_factory=lambda: bytearray(8))
    decode: int = 0
    intensity: int = 0
    scan_limit: int = 0
    shutdown: bool = True
    display_test: bool = False

    def latch(self, address: int, data: int) -> None:
        """Takes one 16-bit word; only the low four bits of the address count."""
        match address & 0x0F:
            case 0x9:
                self.decode = data
            case 0xA:
                self.intensity = data & 0x0F
            case 0xB:
                self.scan_limit = data & 0x07
            case 0xC:
                self.shutdown = not data & 1
            case 0xF:
                self.display_test = bool(data & 1)
            case digit if 1 <= digit <= 8:
                self.digits[digit - 1] = data
            case _:
                pass  # 0x0 is the no-op; 0xD and 0xE are not used by the chip

    def lines(self) -> bytes:
        """The eight lines of lights that are on, the first segment in the top bit."""
        if self.display_test:
            return b"\xff" * 8
        if self.shutdown:
            return bytes(8)
        return bytes(
            0
            if i > self.scan_limit
            else (_CODE_B_FONT[value & 0x0F] | value & 0x80)
            if self.decode >> i & 1
            else value
            for i, value in enumerate(self.digits)
        )


@dataclass(frozen=True, slots=True)
class Lights:
    """The lights as a viewer sees them.

    Attributes:
        data: the lights that are on, a bit each as in the payload of a FRAME on the link: row by
            row from the top, the leftmost of eight in the most significant bit.
        intensity: brightness of each chip, 0 to 15, in the order of the chain.
        dark: how many chips are in shutdown.
        testing: how many chips are in their own display test.
        version: grows with every latched word; equal versions mean equal lights.
    """

    data: bytes = bytes(CHIP_COUNT * CHIP_SIDE)
    intensity: tuple[int, ...] = ()
    dark: int = 0
    testing: int = 0
    version: int = 0

    def rows(self) -> tuple[str, ...]:
        """The lights row by row from the top, a sign each: `#` is on."""
        lines = (self.data[i : i + CHIP_COLUMNS] for i in range(0, len(self.data), CHIP_COLUMNS))
        width = 8 * CHIP_COLUMNS
        return tuple(
            f"{int.from_bytes(line):0{width}b}".translate({48: ".", 49: "#"}) for line in lines
        )


def fc16_snake(chip: int, line: int, segment: int) -> tuple[int, int]:
    """Column and row of a light of four FC-16 strips in a snake, seen from the front.

    DIN is at a strip's right, digit 0 is its upper line, segment DP its left light (MajicDesigns,
    MD_MAX72XX 3.5.1, page "FC-16 Module"). The chain begins at the upper right, runs left, and
    comes back through the lower strips, which are upside down.
    """
    row, along = divmod(chip, CHIP_COLUMNS)
    if row == 0:
        return 8 * (CHIP_COLUMNS - 1 - along) + segment, line
    return 8 * along + 7 - segment, 8 * row + 7 - line


class ChipChain:
    """Chips in a chain: each one's data output is the next one's input."""

    def __init__(self, light: Callable[[int, int, int], tuple[int, int]] = fc16_snake) -> None:
        """Takes a function that maps chip, line and segment to a light's column and row."""
        self._chips = [Chip() for _ in range(CHIP_COUNT)]
        self._places = [
            [light(chip, line, segment) for line in range(8) for segment in range(8)]
            for chip in range(CHIP_COUNT)
        ]
        self._shift = bytes(2 * CHIP_COUNT)
        self._version = 0

    @property
    def chips(self) -> Sequence[Chip]:
        """The chips, the one next to the Pico first."""
        return self._chips

    @property
    def shifted(self) -> bytes:
        """The contents of the shift registers: two bytes per chip, the farthest chip first."""
        return self._shift

    def shift(self, data: bytes) -> None:
        """Clocks bytes in, most significant bit first."""
        self._shift = (self._shift + data)[-len(self._shift) :]

    def latch(self) -> None:
        """The rising edge of chip select: each chip takes the word it holds."""
        for i, chip in enumerate(self._chips):
            end = len(self._shift) - 2 * i
            chip.latch(self._shift[end - 2], self._shift[end - 1])
        self._version += 1

    def power_up(self, chips: Sequence[int] | None = None) -> None:
        """All or some chips lose their memory, as after a dip in the supply voltage."""
        for i in range(len(self._chips)) if chips is None else chips:
            self._chips[i] = Chip()
        self._version += 1

    def lights(self) -> Lights:
        """The lights that are on now."""
        data = bytearray(CHIP_COUNT * CHIP_SIDE)
        for chip, places in zip(self._chips, self._places, strict=True):
            lines = chip.lines()
            for i, (x, y) in enumerate(places):
                if lines[i >> 3] & (0x80 >> (i & 7)):
                    data[y * CHIP_COLUMNS + x // 8] |= 0x80 >> x % 8
        return Lights(
            data=bytes(data),
            intensity=tuple(chip.intensity for chip in self._chips),
            dark=sum(chip.shutdown for chip in self._chips),
            testing=sum(chip.display_test for chip in self._chips),
            version=self._version,
        )
