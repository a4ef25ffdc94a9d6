#!/usr/bin/env python3
"""Presses and seconds from a stranger's first command to the first throw that counts.

    .venv/bin/python scripts/bench_first_throw.py [--tree DIR]... [--throws 3] [--seed 0]

A person in a terminal of its own has a webcam over a lid: rendered, with the lens of a C920 and
black dice straight below it, then with each other set of `tests/rigs/webcam_lenses.py`, each other
lens, each other angle. Dice lie in the lid while they look; then they are thrown once. The program
is the real one; only `cv2.VideoCapture` and the list of cameras are replaced, so that there is one.

A tree whose `scripts/play` offers a camera is played through it: C, whatever the first line says
(a printed marker is laid down for a moment if the camera leans), Enter. An older one, as its own
`docs/laptop.md` says, by `dicetray run --camera v4l2:0 --board terminal --buttons keyboard`.

Presses are keys; a command that is typed counts as one. Enter answers every question about a die,
and `by itself` says how many throws counted without one. Seconds are those of the program, from the
command to the count, without the time that hands take: two seconds for a throw, which are waited
for, are left out.
"""

import argparse
import os
import re
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[1]
SCENES = ("lying", "marker", "floor", "rolling", "thrown")
FPS = 30.0
MOST_NOISES = 4
COLUMNS, ROWS = 160, 50
GIVE_UP_S = 12.0
"""Seconds after a throw in which it counts, or never does."""
ADVICE_S = 4.0
"""Seconds for which advice that is not PLAY is looked at before somebody plays all the same."""
READING_S = 1.0
"""Seconds for which somebody reads a line before a key is pressed."""
PICK_UP_S, ROLL_S = 1.2, 0.8
_GLANCE_S = 0.05
BASE = ("black", 1, 0)
"""Set, lens and angle that the others are compared with."""


def child(folder: Path, tree: Path, arguments: list[str]) -> int:
    """Runs the program of a tree with one webcam, which shows what a file in the folder says."""
    sys.path[:0] = [str(tree)]
    import cv2
    import numpy as np

    class Webcam:
        """The part of `cv2.VideoCapture` that the product uses."""

        def __init__(self, *_: object) -> None:
            self._pictures = {name: np.load(folder / f"{name}.npy") for name in SCENES}
            self._number = 0
            self._due_s = time.monotonic() + 0.6
            self._values = {
                cv2.CAP_PROP_EXPOSURE: 166.0,
                cv2.CAP_PROP_GAIN: 20.0,
                cv2.CAP_PROP_FOCUS: -1.0,
            }

        def isOpened(self) -> bool:  # noqa: N802
            return True

        def set(self, propId: int, value: float) -> bool:  # noqa: N803
            self._values[propId] = value
            return True

        def get(self, propId: int) -> float:  # noqa: N803
            return self._values.get(propId, -1.0)

        def grab(self) -> bool:
            now_s = time.monotonic()
            time.sleep(max(0.0, self._due_s - now_s))
            self._due_s = max(self._due_s, now_s - 1 / FPS) + 1 / FPS
            self._number += 1
            return True

        def retrieve(self) -> tuple[bool, Any]:
            name = (folder / "scene").read_text()
            pictures = self._pictures[name if name in SCENES else "thrown"]
            return True, pictures[self._number % len(pictures)].copy()

        def read(self) -> tuple[bool, Any]:
            self.grab()
            return self.retrieve()

        def release(self) -> None:
            pass

    setattr(cv2, "VideoCapture", Webcam)  # noqa: B010
    with suppress(ImportError):
        from appliance.devices.camera import listing

        there = listing.ListedCamera(f"v4l2:{folder / 'video0'}", "HD Pro Webcam C920")
        setattr(listing, "list_cameras", lambda: (there,))  # noqa: B010
        setattr(listing, "usb_id_of", lambda _: (folder / "usb").read_text())  # noqa: B010
        setattr(listing, "can_capture", lambda _: True)  # noqa: B010
    from appliance.cli.main import main

    return main(arguments)


@dataclass
class Result:
    """How a first throw went.

    Attributes:
        presses: keys and commands.
        seconds: of the program.
        asked: questions about dice.
        faces: those that counted; empty if it never did.
        wanted: those that lie there.
        story: what was done, when, and what the last lines of the screen said then.
    """

    presses: int = 0
    seconds: float = 0.0
    asked: int = 0
    faces: list[int] = field(default_factory=list)
    wanted: list[int] = field(default_factory=list)
    story: list[str] = field(default_factory=list)


class Person:
    """Somebody at a terminal with the program in it."""

    def __init__(self, terminal: Any, folder: Path) -> None:
        self._terminal, self._folder = terminal, folder
        self.result = Result(presses=1)
        self._hands_s = 0.0
        self._begun_s = time.monotonic()

    def says(self) -> str:
        """The words on the screen."""
        return " ".join(" ".join(self._terminal.screen).split())

    def _tell(self, what: str) -> None:
        lines = [line for line in self._terminal.screen if line.strip()][-3:]
        at_s = time.monotonic() - self._begun_s
        self.result.story.append(f"{at_s:.1f} s, {what}: {' | '.join(lines)}")

    def press(self, key: bytes) -> None:
        """Presses a key, and waits until what it does is drawn."""
        self._tell(repr(key))
        self._terminal.press(key)
        self.result.presses += 1
        self.wait(0.5)

    def wait(self, seconds: float) -> None:
        """Looks on for a while."""
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s and self._terminal.read(_GLANCE_S):
            pass

    def sees(self, pattern: str, seconds: float) -> str:
        """Waits for words; empty if they never come."""
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s:
            if re.search(pattern, said := self.says()):
                return said
            if not self._terminal.read(_GLANCE_S):
                break
        return ""

    def lays(self, scene: str, seconds: float) -> None:
        """Puts something below the camera, which takes hands so long."""
        self._tell(scene)
        (self._folder / "scene.new").write_text(scene)
        (self._folder / "scene.new").replace(self._folder / "scene")
        self._hands_s += seconds
        self.wait(seconds)

    def looks(self) -> None:
        """Tries the camera as the first line says, and begins a game."""
        while b"Q? " not in self._terminal.latest:
            self._terminal.read(_GLANCE_S)
        self.press(b"c")
        self.sees(r"READ: PLAY|LOOK STRAIGHT|[A-Z]{4,}.*?:", GIVE_UP_S)
        self.sees(r"READ: PLAY|LOOK STRAIGHT", ADVICE_S)
        if "LOOK STRAIGHT" in self.says():
            self.lays("marker", 0.0)
            self.sees("angle known", GIVE_UP_S)
            self.lays("lying", 0.0)
            self.sees("READ: PLAY", ADVICE_S)
        self.press(b"\r")

    def throws(self) -> None:
        """Answers menus until a throw is asked for, throws, and waits until it counts."""
        self.sees(r"throw 5 dice|MENU|ENTER yes", GIVE_UP_S)
        for _ in range(12):
            if self.sees(r"throw 5 dice", READING_S):
                break
            self.press(b"\r")
        self.wait(READING_S)
        self.lays("floor", PICK_UP_S)
        self.lays("rolling", ROLL_S)
        self.lays("thrown", 0.0)
        end_s = time.monotonic() + GIVE_UP_S
        while time.monotonic() < end_s:
            said = self.sees(r"1-5 hold|is it|which number|count as it lies", 0.2)
            if "which number" in said:
                self.press(b"\x1b[C")
            elif "is it" in said or "count as it" in said:
                self.result.asked += 1
                self.press(b"\r")
            elif counted(self._folder / "state"):
                break
        self._tell("end")
        self.result.seconds = time.monotonic() - self._begun_s - self._hands_s


def once(tree: Path, folder: Path) -> Result:
    """One person's first throw with the program of a tree."""
    from tests.rigs.by_hand.terminal import Stuck, Terminal

    state = folder / "state"
    (folder / "scene").write_text("lying")
    camera = f"v4l2:{folder / 'video0'}"
    offers = (tree / "appliance" / "cli" / "look.py").exists()
    run = ("run", "--camera", camera, "--board", "terminal", "--buttons", "keyboard")
    words = ("play",) if offers else run
    program = (sys.executable, __file__, "--child", str(folder), str(tree), *words)
    hidden = ("DISPLAY", "WAYLAND_DISPLAY")
    environment = {k: v for k, v in os.environ.items() if k not in hidden}
    environment |= {"XDG_STATE_HOME": str(state), "TERM": "xterm-256color"}
    with Terminal(program, environment, (COLUMNS, ROWS)) as terminal:
        person = Person(terminal, folder)
        with suppress(Stuck):
            if offers:
                person.looks()
            person.throws()
        terminal.press(b"q")
        with suppress(Stuck):
            terminal.ended()
    person.result.faces = counted(state)
    return person.result


def counted(state: Path) -> list[int]:
    """The faces of the first throw in the games on disk; empty without one."""
    for file in state.rglob("*.game"):
        if found := re.search(r"^roll ((?:[1-6] ?)+)", file.read_text("utf-8"), re.MULTILINE):
            return sorted(map(int, found[1].split()))
    return []


def prepare(folder: Path, cell: tuple[str, int, int], seed: int) -> list[int]:
    """Renders what the webcam sees; returns the faces that are thrown."""
    import numpy as np

    from simulator.render.renderer import LIVE_QUALITY, render
    from tests.rigs.rendering.truth import truth
    from tests.rigs.webcam_lenses import LENSES, SETS, over_set, with_marker

    name, which, lean = cell
    lens = LENSES[which]
    lying = over_set(seed, lens, lean, SETS[name])
    # The camera stays where it is, and dice land where none was.
    dice = tuple(
        replace(die, position=(20.0 - y, x + 15.0, z))
        for die in over_set(seed + 500, lens, lean, SETS[name]).dice
        for x, y, z in [die.position]
    )
    thrown = replace(lying, dice=dice)
    moved = [
        replace(die, position=(x + 15.0, y - 12.0, z)) for die in dice for x, y, z in [die.position]
    ]
    pictures = {
        "lying": [lying],
        "marker": [with_marker(lying, seed)],
        "floor": [replace(lying, dice=())],
        "rolling": [replace(lying, dice=tuple(moved)), thrown],
        "thrown": [thrown],
    }
    for scene, parts in pictures.items():
        noisy = []
        for part in parts:
            image = render(part, rng=np.random.default_rng(seed), quality=LIVE_QUALITY)
            for number in range(MOST_NOISES):
                rng = np.random.default_rng(number)
                noise = rng.integers(0, 3, image.shape, np.uint8)
                noisy.append(image + np.minimum(noise, 255 - image))
        np.save(folder / f"{scene}.npy", np.stack(noisy))
    (folder / "video0").touch()
    (folder / "usb").write_text(lens.usb_id)
    return sorted(int(str(die.value)) for die in truth(thrown))


def row(title: str, results: list[Result]) -> str:
    """A line of the table."""
    done = [one for one in results if one.faces]
    right = sum(one.faces == one.wanted for one in done)
    alone = sum(not one.asked for one in done)
    if not done:
        return f"| {title} | never | | 0 of {len(results)} | |"
    presses = statistics.median(one.presses for one in done)
    seconds = statistics.median(one.seconds for one in done)
    shown = f"{presses:g} | {seconds:.0f} s | {len(done)} of {len(results)} | {alone}"
    wrong = len(done) - right
    return f"| {title} | {shown}{f', {wrong} wrong' if wrong else ''} |"


def main() -> int:
    if "--child" in sys.argv[1:2]:
        at, program, *arguments = sys.argv[2:]
        return child(Path(at), Path(program), arguments)
    sys.path.insert(0, str(TOP))
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tree", type=Path, action="append", help="default: this one")
    parser.add_argument("--throws", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", help="cells whose title has this text")
    parser.add_argument("--verbose", action="store_true", help="also what each screen said at last")
    args = parser.parse_args()
    from tests.rigs.webcam_lenses import LENSES, SETS

    cells = {f"{name} dice": (name, *BASE[1:]) for name in SETS}
    cells |= {lens.name: (BASE[0], n, 0) for n, lens in enumerate(LENSES) if n != BASE[1]}
    cells |= {f"leans {lean} degrees": (*BASE[:2], lean) for lean in (5, 10, 15, 20, 30)}
    trees = [tree.resolve() for tree in args.tree or [TOP]]
    found: dict[tuple[Path, str], list[Result]] = {}
    for title, cell in cells.items():
        if args.only and args.only not in title:
            continue
        for throw in range(args.throws):
            with tempfile.TemporaryDirectory() as made:
                folder = Path(made)
                wanted = prepare(folder, cell, args.seed + throw)
                for number, tree in enumerate(trees):
                    result = once(tree, folder)
                    result.wanted = wanted
                    found.setdefault((tree, title), []).append(result)
                    for file in (folder / "state").rglob("*"):
                        if file.is_file():
                            file.unlink()
                    if args.verbose:
                        story = "\n  ".join(result.story)
                        print(f"{title}, tree {number}: {story}", file=sys.stderr, flush=True)
    for tree in trees:
        print(f"\n{tree}\n\n| | presses | seconds | counted | by itself |")
        print("|---|---:|---:|---:|---:|")
        for (of, title), results in found.items():
            if of == tree:
                print(row(title, results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
