"""How the modules are mounted: as the link's four bytes, and in the file that the Pico keeps.

The bytes are the place of START in STARTS; flags (1: ORDER is "snake", 2: SNAKE_TURNS, 4:
MIRRORED); STRIP; ROTATION in quarter turns. Only what config.py could say as well has a code.
"""

# ruff: noqa: PTH123 - there is no pathlib on the Pico

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

LAYOUT_FILE = "layout.py"
STARTS = ("top-left", "top-right", "bottom-left", "bottom-right")
NO_CODE = b"\xff\xff\xff\xff"
"""Of a layout that the bytes cannot say: ORDER is a list."""

_SNAKE = 1
_SNAKE_TURNS = 2
_MIRRORED = 4


class Mounting:
    """A layout under the names that config.py has for it."""

    def __init__(self, code: "bytes | bytearray | memoryview", columns: int, rows: int) -> None:
        """Takes the four bytes, and the board's size in modules.

        Raises:
            ValueError: they are no layout of such a board.
        """
        if len(code) != len(NO_CODE):
            raise ValueError("a layout has four bytes")
        start, flags, strip, turns = code
        if start >= len(STARTS) or flags >= 8 or turns >= 4:
            raise ValueError("no such layout")
        if strip and (strip > columns or columns % strip):
            raise ValueError("STRIP must divide COLUMNS, or be 0")
        self.COLUMNS = columns
        self.ROWS = rows
        self.START = STARTS[start]
        self.ORDER = "snake" if flags & _SNAKE else "rows"
        self.SNAKE_TURNS = bool(flags & _SNAKE_TURNS)
        self.STRIP = strip
        self.ROTATION = 90 * turns
        self.MIRRORED = bool(flags & _MIRRORED)


def encoded(settings: "Mounting | ModuleType") -> bytes:
    """The four bytes for a layout, given as `Mounting` or config; NO_CODE if there are none."""
    if settings.START not in STARTS or settings.ORDER not in ("rows", "snake"):
        return NO_CODE
    flags = _SNAKE if settings.ORDER == "snake" else 0
    if settings.SNAKE_TURNS:
        flags |= _SNAKE_TURNS
    if settings.MIRRORED:
        flags |= _MIRRORED
    code = STARTS.index(settings.START), flags, settings.STRIP, settings.ROTATION // 90
    return bytes(code)


def store(mounting: Mounting, path: str = LAYOUT_FILE) -> None:
    """Makes this the layout at every start; after a power cut it is the new or the earlier one.

    Raises:
        OSError: the flash cannot be written.
    """
    import os

    lines = ["# Chosen at the board; `dicetray flash --layout NAME` replaces it."]
    for name in ("START", "ORDER", "SNAKE_TURNS", "STRIP", "ROTATION", "MIRRORED"):
        lines.append(name + " = " + repr(getattr(mounting, name)))
    text = "\n".join(lines) + "\n"
    try:
        with open(path) as file:
            if file.read(len(text) + 1) == text:
                return
    except OSError:
        pass
    # littlefs, like POSIX, replaces a file by another in one step.
    new = path + ".new"
    with open(new, "w") as file:
        file.write(text)
    os.rename(new, path)  # noqa: PTH104
