"""All printed and cut parts by name: how each lies on the printer's bed, how many are wanted."""

from collections.abc import Callable
from dataclasses import dataclass

from build123d import Pos, Rot

from scripts.hardware.building import parts
from scripts.hardware.building.solids import panel, scoreboard, stand, tray
from scripts.hardware.building.solids.shapes import Solid

_UPSIDE_DOWN = Rot(180, 0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part as it is assembled.

    Attributes:
        solid: in the coordinates of its module.
        turned: how it is turned to be printed or cut.
        many: how many are wanted.
    """

    solid: Solid
    turned: Rot
    many: int = 1

    def laid(self) -> Solid:
        """The part as it lies on the bed: its middle at 0, its lowest point at z 0."""
        lying = self.turned * self.solid
        box = lying.bounding_box()
        middle = box.center()
        return Pos(-middle.X, -middle.Y, -box.min.Z) * lying


def _same(made: dict[str, Solid], turned: Rot) -> dict[str, Part]:
    return {name: Part(solid, turned) for name, solid in made.items()}


_UPRIGHT = Rot(0, 0, 0)
_PRINTED: tuple[Callable[[], dict[str, Part]], ...] = (
    lambda: _same(tray.rim(), _UPRIGHT),
    lambda: _same(tray.rail(), _UPRIGHT),
    lambda: {"column-foot": Part(stand.foot(), _UPRIGHT)},
    lambda: {"camera-lamp-holder": Part(stand.holder(), _UPSIDE_DOWN)},
    lambda: {"pi-plate": Part(stand.pi_plate(), _UPRIGHT)},
    lambda: {
        f"scoreboard-{name}": Part(solid, _UPRIGHT) for name, solid in scoreboard.front().items()
    },
    lambda: {
        f"scoreboard-{name}": Part(solid, _UPSIDE_DOWN) for name, solid in scoreboard.box().items()
    },
    lambda: {
        "scoreboard-bar": Part(scoreboard.bar(), _UPRIGHT, len(scoreboard.bar_places())),
        "pico-carrier": Part(scoreboard.carrier(), _UPSIDE_DOWN),
    },
    lambda: {
        "button-panel": Part(panel.panel(), _UPRIGHT),
        "button-box": Part(panel.box(), _UPSIDE_DOWN),
    },
)


def printed() -> dict[str, Part]:
    """Parts for the printer."""
    return {name: part for make in _PRINTED for name, part in make().items()}


def cut() -> dict[str, Part]:
    """Sheets to be cut and drilled; panel and front too, for those without a printer."""
    front = scoreboard.front()
    whole = front["front-left"] + front["front-right"]
    return {
        "board": Part(tray.board(parts.column_middle(), stand.foot_screws()), _UPRIGHT),
        "tray-floor": Part(tray.floor_panel(), _UPRIGHT),
        "opal-ring": Part(stand.opal(), _UPRIGHT),
        "button-panel": Part(panel.panel(), _UPSIDE_DOWN),
        "scoreboard-front": Part(whole, _UPSIDE_DOWN),
    }
