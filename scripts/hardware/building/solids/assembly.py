"""Where everything is when assembled, and in the exploded view.

x runs right, y away from the players, z up from the board under the tray; the tray's middle is 0.
"""

from dataclasses import dataclass

from build123d import Pos, Rot

from scripts.hardware.building import parts, sizes
from scripts.hardware.building.parts import arm_height, column_middle
from scripts.hardware.building.solids import bought, scoreboard, stand, tray
from scripts.hardware.building.solids.catalogue import Part
from scripts.hardware.building.solids.shapes import Solid, block

PRINTED_RGB = (238, 178, 92)
METAL_RGB = (190, 196, 200)
WOOD_RGB = (196, 164, 120)
FELT_RGB = (96, 140, 100)
CIRCUIT_BOARD_RGB = (110, 170, 120)
BUTTON_RGB = (90, 92, 100)
LIGHT_RGB = (250, 246, 214)
LED_MODULE_RGB = (200, 96, 88)
"""Colours, red green blue."""


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A part in its place.

    Attributes:
        solid: in its place when everything is assembled.
        colour: red, green, blue.
        apart: how far it is moved in the exploded view.
        printed: whether it comes from the printer.
    """

    solid: Solid
    colour: tuple[int, int, int]
    apart: tuple[float, float, float]
    printed: bool = False


def board_far() -> float:
    """The far edge of the board in y."""
    return column_middle() + sizes.COLUMN / 2 + sizes.BOARD_EDGE


def on_scoreboard() -> Pos:
    """Maps the scoreboard's coordinates to those of the whole; the column hides none of it."""
    high = parts.front_size()[1]
    return Pos(sizes.COLUMN, board_far() + 10, high - sizes.BOARD) * Rot(-90, 0, 0)


def on_panel() -> Pos:
    """Maps the panel's coordinates to those of the whole."""
    far = -(sizes.OPENING[1] / 2 + sizes.PLATE + sizes.BOARD_EDGE) - 25
    return Pos(-sizes.PANEL[0] / 2, far, sizes.PANEL_DEPTH - sizes.BOARD) * Rot(180, 0, 0)


def on_column() -> Pos:
    """Maps the coordinates of the Pi's plate to those of the whole."""
    middle = (sizes.FOOT_BASE + arm_height()) / 2
    back = column_middle() + sizes.COLUMN / 2
    return Pos(0, back, middle) * Rot(0, 0, 180) * Rot(90, 0, 0)


def _stand() -> dict[str, Item]:
    c, half, under = column_middle(), sizes.COLUMN / 2, arm_height()
    over = Pos(0, 0, under)
    front = c - half
    bracket = block((-half, half), (front - 20, front), (under - 3, under))
    bracket += block((-half, half), (front - 3, front), (under - 20, under))
    return {
        "column": Item(
            bought.profile((-half, half), (c - half, c + half), (sizes.FOOT_BASE, under)),
            METAL_RGB,
            (0, 60, 90),
        ),
        "arm": Item(
            bought.profile((-half, half), (sizes.ARM_START, c + half), (under, under + 2 * half)),
            METAL_RGB,
            (0, 60, 210),
        ),
        "bracket": Item(bracket, METAL_RGB, (0, 20, 140)),
        "lamp": Item(over * bought.lamp(), LIGHT_RGB, (0, 0, 75)),
        "opal": Item(Pos(0, 0, under - sizes.CAMERA_DROP - 3) * stand.opal(), LIGHT_RGB, (0, 0, 0)),
        "camera": Item(over * bought.camera(), CIRCUIT_BOARD_RGB, (0, 0, 115)),
        "pi": Item(on_column() * bought.pi(), CIRCUIT_BOARD_RGB, (0, 150, 60)),
    }


def _scoreboard() -> dict[str, Item]:
    place = on_scoreboard()
    return {
        "modules": Item(place * bought.modules(), LED_MODULE_RGB, (0, 60, 0)),
        "pico": Item(place * bought.pico(), CIRCUIT_BOARD_RGB, (0, 150, 0)),
        "perfboard": Item(place * bought.perfboard(), CIRCUIT_BOARD_RGB, (0, 150, 0)),
    }


_APART = {
    "rim": (0.0, 0.0, 60.0),
    "rail": (0.0, -60.0, 0.0),
    "column-foot": (0.0, 60.0, 30.0),
    "camera-lamp-holder": (0.0, 0.0, 150.0),
    "pi-plate": (0.0, 100.0, 60.0),
    "scoreboard-front": (0.0, 0.0, 0.0),
    "scoreboard-bar": (0.0, 110.0, 0.0),
    "pico-carrier": (0.0, 190.0, 0.0),
    "scoreboard-box": (0.0, 260.0, 0.0),
    "button-panel": (0.0, -150.0, 40.0),
    "button-box": (0.0, -150.0, 0.0),
}


def _place(name: str) -> Pos:
    if name == "column-foot":
        return Pos(0, column_middle(), 0)
    if name == "camera-lamp-holder":
        return Pos(0, 0, arm_height())
    if name == "pi-plate":
        return on_column()
    if name.startswith("button"):
        return on_panel()
    return on_scoreboard() if name.startswith(("scoreboard", "pico")) else Pos(0, 0, 0)


def items(printed: dict[str, Part]) -> dict[str, Item]:
    """Everything by name, printed parts and bought ones."""
    found = {
        "board": Item(tray.board(column_middle(), stand.foot_screws()), WOOD_RGB, (0, 0, -30)),
        "floor": Item(tray.floor_panel(), FELT_RGB, (0, 0, 20)),
        **_stand(),
        **_scoreboard(),
        "buttons": Item(on_panel() * bought.buttons(), BUTTON_RGB, (0, -150, 90)),
    }
    top = sizes.TRAY.base + sizes.RIM
    for n, (x, y) in enumerate(tray.post_screws()):
        side = sizes.PLATE / 2 - 0.5
        square = block((x - side, x + side), (y - side, y + side), (top, top + 1))
        found[f"marker-{n}"] = Item(square, (245, 245, 245), (0, 0, 90))
    for name, part in printed.items():
        apart = next(away for start, away in _APART.items() if name.startswith(start))
        if name == "scoreboard-bar":
            for n, (x, z) in enumerate(scoreboard.bar_places()):
                solid = on_scoreboard() * Pos(x, 0, z) * part.solid
                found[f"{name}-{n}"] = Item(solid, PRINTED_RGB, apart, printed=True)
        else:
            if name.endswith(("left", "right")) and not name.startswith("rail"):
                apart = (apart[0] + (-25 if name.endswith("left") else 25), *apart[1:])
            found[name] = Item(_place(name) * part.solid, PRINTED_RGB, apart, printed=True)
    return found
