"""The twenty steps of assembly: what is added, what is said, and the picture's viewpoint."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Attributes:
        says: what to do.
        adds: names of the items that it adds, or prefixes of them.
        shows: what is drawn of the items so far, likewise; all if empty.
        turn: of the picture, degrees.
        lift: of the picture, degrees.
        takes: screws, nuts and washers, and how many of each.
    """

    says: str
    adds: tuple[str, ...]
    shows: tuple[str, ...] = ()
    turn: float = -32.0
    lift: float = 30.0
    takes: Mapping[str, int] = field(default_factory=dict)


PARTS: tuple[tuple[str, int], ...] = (
    ("rim-left", 1),
    ("rim-right", 1),
    ("rail", 1),
    ("column-foot", 1),
    ("camera-lamp-holder", 1),
    ("pi-plate", 1),
    ("scoreboard-front-left", 1),
    ("scoreboard-front-right", 1),
    ("scoreboard-box-left", 1),
    ("scoreboard-box-right", 1),
    ("scoreboard-bar", 4),
    ("pico-carrier", 1),
    ("button-panel", 1),
    ("button-box", 1),
)
"""Printed parts for the present tray: file, how many."""

_HOLDER = ("camera-lamp-holder", "camera", "lamp", "opal")
_FRONT = ("scoreboard-front", "modules", "scoreboard-bar")
_BOX = ("scoreboard-box", "pico", "perfboard")

STEPS: tuple[Step, ...] = (
    Step("Cut the board and drill it, using board.svg as a template.", ("board",)),
    Step(
        "Slide the pieces of the rim into each other from above, with a drop of glue in each "
        "joint.",
        ("rim",),
        shows=("rim",),
    ),
    Step(
        "Screw the rim to the board through its shelves: four wood screws 3.5×35.",
        (),
        takes={"wood screws 3.5×35": 4},
    ),
    Step("Glue the felt onto the floor panel and put it into the rim.", ("floor",)),
    Step(
        "Screw the rail for kept dice to the board: four wood screws 3.5×12.",
        ("rail",),
        takes={"wood screws 3.5×12": 4},
    ),
    Step(
        "Bolt the column's foot to the board: four M4×25 with washers and nuts.",
        ("column-foot",),
        takes={"M4×25": 4, "M4 washers": 4, "M4 nuts": 4},
    ),
    Step(
        "Stand the column in its foot and clamp it with three M4×10 and slot nuts.",
        ("column",),
        takes={"M4×10": 3, "M4 slot nuts": 3},
    ),
    Step(
        "Put the arm on the column, flush with its back, and fix it with the corner bracket.",
        ("arm", "bracket"),
    ),
    Step(
        "Plug the ribbon cable into the camera, run it up through the slot, and screw the "
        "camera to its spacers: four M2×6. The picture shows the holder from below.",
        ("camera-lamp-holder", "camera"),
        takes={"M2×6": 4},
        shows=_HOLDER,
        lift=-48,
    ),
    Step(
        "Put the LED ring into the channel, with its wires through the notch, and tie it down in "
        "four places.",
        ("lamp",),
        shows=_HOLDER,
        lift=-48,
    ),
    Step(
        "Screw the opal ring below it: four M3×12.",
        ("opal",),
        shows=_HOLDER,
        lift=-48,
        takes={"M3×12": 4},
    ),
    Step(
        "Screw the holder under the arm with two M4×8 and slot nuts. Run the camera's cable up "
        "in front of the arm's end and along its top.",
        (),
        takes={"M4×8": 2, "M4 slot nuts": 2},
    ),
    Step(
        "Screw the Pi's plate to the back of the column, halfway up: two M4×8 and slot nuts.",
        ("pi-plate",),
        takes={"M4×8": 2, "M4 slot nuts": 2},
        turn=148,
    ),
    Step(
        "Screw the Pi to its plate with four M2.5×6, and plug in the camera's cable.",
        ("pi",),
        takes={"M2.5×6": 4},
        turn=148,
    ),
    Step(
        "Put the film and the LED modules into the front, face down, with the halves side by "
        "side. Press them down with the bars: eight M3×12, two to a bar, and strips of foam "
        "underneath.",
        _FRONT,
        takes={"M3×12": 8},
        shows=_FRONT,
        turn=148,
        lift=28,
    ),
    Step(
        "Screw the Pico and the circuit board with the level shifter to their carrier: eight M2×6.",
        ("pico", "perfboard"),
        takes={"M2×6": 8},
        shows=("pico", "perfboard"),
        turn=-20,
        lift=20,
    ),
    Step(
        "Bolt the halves of the box together with two M3×12 and nuts, fit the 5 V "
        "socket, if any, and screw in the carrier: four M3×8. The Pico's USB socket lines up with "
        "its opening.",
        ("scoreboard-box",),
        takes={"M3×12": 2, "M3 nuts": 2, "M3×8": 4},
        shows=_BOX,
        turn=-28,
        lift=34,
    ),
    Step(
        "Wire modules, level shifter and Pico ([every wire](#wiring)), then screw the front onto "
        "the box: eight M3×16.",
        (),
        takes={"M3×16": 8},
        shows=("scoreboard", "modules", "pico", "perfboard"),
    ),
    Step(
        "Fit buttons and LEDs into the panel, wire them ([every wire](#wiring)), lead the wires "
        "out at the back and screw the panel onto its box: four M3×16.",
        ("button", "buttons"),
        takes={"M3×16": 4},
        shows=("button", "buttons"),
    ),
    Step(
        "Glue the four markers onto their shelves, the inner corners touching the tray's opening. "
        "Stand the scoreboard behind the tray, next to the column, and the button panel in front "
        "of the tray.",
        ("marker",),
    ),
)


def rows() -> list[list[str]]:
    """The steps as a table: two to a row, each under its picture."""
    cells = [
        f"![{n}](pictures/step-{n:02}.png)<br>**{n}.** {step.says}"
        for n, step in enumerate(STEPS, 1)
    ]
    return [cells[n : n + 2] for n in range(0, len(cells), 2)]


def screw_list() -> str:
    """All screws, nuts and washers of the steps, summed."""
    counted: Counter[str] = Counter()
    for step in STEPS:
        counted.update(step.takes)
    return (
        "Screws, in all: "
        + ", ".join(f"{many} {what}" for what, many in sorted(counted.items()))
        + "."
    )
