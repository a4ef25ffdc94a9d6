"""How the scoreboard's modules may be mounted, by names that people search for.

Module types are those of MajicDesigns' library MD_MAX72XX 3.5.1. Its pages "FC-16 Module",
"Generic Module", "ICStation Module" and "Parola Custom Module" draw for each where DIN is, which
way the digits run and where segment DP is; src/MD_MAX72xx.h calls them FC16_HW, GENERIC_HW,
ICSTATION_HW and PAROLA_HW.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType

from appliance.picture import HEIGHT, WIDTH
from firmware import mounting
from firmware.max7219 import chain_places

LAYOUT_FILE = mounting.LAYOUT_FILE
"""The file on the Pico that a layout is written to; the firmware's config.py reads it."""

LAYOUT_SETTINGS = ("START", "ORDER", "SNAKE_TURNS", "STRIP", "ROTATION", "MIRRORED")
"""The names in firmware/config.py that make a layout."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """The arrangement of modules that a board's settings make.

    Attributes:
        places: column, row and quarter turns clockwise of each module, in the order of the chain.
        mirrored: whether segment lines run from right to left on the module.
    """

    places: tuple[tuple[int, int, int], ...]
    mirrored: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """A way to mount the modules.

    Attributes:
        name: for `dicetray flash --layout`.
        title: what it is, in a few words.

    The other fields are settings of firmware/config.py, in small letters.
    """

    name: str
    title: str
    start: str = "top-right"
    order: str = "rows"
    snake_turns: bool = False
    strip: int = 0
    rotation: int = 0
    mirrored: bool = False

    def settings(self) -> dict[str, object]:
        """All of SETTINGS, so that a layout does not depend on the firmware's defaults."""
        return {name: getattr(self, name.lower()) for name in LAYOUT_SETTINGS}

    def file(self) -> bytes:
        """The content of layout.py."""
        lines = [
            f"# {self.title}.",
            f"# Written by `dicetray flash --layout {self.name}`; the next --layout replaces it.",
            "# Your own settings belong in local_config.py.",
            *(f"{name} = {value!r}" for name, value in self.settings().items()),
        ]
        return "\n".join([*lines, ""]).encode()

    def wiring(self) -> Wiring:
        """The wiring that the firmware makes of it."""
        return Wiring(tuple(chain_places(self._config())), self.mirrored)

    def code(self) -> bytes:
        """The layout in the four bytes of the link."""
        return mounting.encoded(self._config())

    def _config(self) -> ModuleType:
        config = ModuleType("config")
        vars(config).update(self.settings(), COLUMNS=WIDTH // 8, ROWS=HEIGHT // 8)
        return config


LAYOUTS: Mapping[str, Layout] = {
    layout.name: layout
    for layout in (
        Layout(
            "fc16",
            "four FC-16 strips in a snake, the lower two upside down",
            order="snake",
            snake_turns=True,
        ),
        Layout("fc16-rows", "four FC-16 strips, all upright, each row from right to left"),
        Layout("generic", "GENERIC_HW modules, IC above, each row from right to left", rotation=90),
        Layout(
            "icstation",
            "ICSTATION_HW modules in a snake, the lower row upside down",
            order="snake",
            snake_turns=True,
            rotation=180,
        ),
        Layout(
            "parola", "PAROLA_HW modules, all upright, each row from right to left", mirrored=True
        ),
        Layout(
            "rows",
            "the default of 0.1.0: all upright, each row from left to right",
            start="top-left",
        ),
    )
}
"""All layouts; the first is the firmware's default."""

DEFAULT_LAYOUT = next(iter(LAYOUTS))
"""The layout of a Pico that was given none."""


def name_of(wiring: Wiring) -> str:
    """The name of the layout that is wired like this; empty if none is."""
    return next((name for name, layout in LAYOUTS.items() if layout.wiring() == wiring), "")


def wiring_of(code: bytes) -> Wiring | None:
    """The firmware's wiring for a layout in the four bytes of the link; None if that is none."""
    try:
        made = mounting.Mounting(code, WIDTH // 8, HEIGHT // 8)
    except ValueError:
        return None
    return Wiring(tuple(chain_places(made)), made.MIRRORED)


def as_list() -> str:
    """All layouts as a list for documents."""
    return "\n".join(f"- `{layout.name}`: {layout.title}" for layout in LAYOUTS.values())
