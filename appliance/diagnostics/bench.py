"""The first check of a new build, part by part, with somebody who looks, answers and presses.

A step yields findings as other checks do. Fix what ended a step before repeating it.
"""

import math
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from appliance.diagnostics.base import Finding, Level
from appliance.diagnostics.camera import assess_frames, assess_sight, unopened_camera_finding
from appliance.errors import ApplianceError, CameraError, ScoreboardError
from appliance.inputs import HOLD_BUTTONS, Button
from appliance.picture import Picture
from appliance.screens.modules import MODULE_NAMES, modules_picture
from appliance.table.menu.board_modules import BoardModules
from calibration.errors import RefusedError
from calibration.markers.rim import find_rim_markers
from calibration.problems import Verdict
from calibration.quality import focus, light
from vision.files.ordinary import write_all
from vision.frame import Frame, Image

LOOK_INTERVAL_S = 0.02
MAX_CLOSED_LOOKS = 250
"""Looks at a contact after which it should have opened again."""
SETTLING_FRAMES = 30
"""Frames after which automatic exposure has settled."""
JUDGED_FRAMES = 10
"""How many of the last frames are judged."""
WARMING_S = 1800.0
"""Seconds of light after which the holder of lamp and camera has become as warm as it gets.

An estimate: nobody has measured it (docs/building.md).
"""
_TILE_SIZE = (640, 360)
_LIGHTS = "lights"


class Contacts(Protocol):
    """The buttons' contacts, and the lights beside the buttons."""

    def down(self) -> frozenset[Button]:
        """The buttons whose contacts are closed now."""

    def light(self, slots: Collection[int]) -> None:
        """Lights the lamps of these hold slots and no others."""


class BenchConsole:
    """A terminal whose keys answer; those that stand for buttons close contacts for one look.

    `typed` returns the characters, and button names, since the last call; `wait` takes seconds.
    """

    def __init__(
        self, typed: Callable[[], list[str]], wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._typed, self._wait = typed, wait
        self._pressed = frozenset[Button]()

    def _look_at_keys(self) -> list[str]:
        self._wait(LOOK_INTERVAL_S)
        keys = self._typed()
        self._pressed |= {Button(key) for key in keys if key in tuple(Button)}
        return [key.lower() for key in keys]

    def ask(self, question: str) -> bool:
        """Waits for y or n."""
        print(f"{question} {'y/n'} ", end="", flush=True)
        answer = ""
        try:
            while not answer:
                answer = next((key for key in self._look_at_keys() if key in ("y", "n")), "")
        finally:
            # Also where somebody leaves.
            print(answer)
        self._pressed = frozenset()
        return answer == "y"

    def is_denied(self) -> bool:
        """True if n is typed within one look."""
        return "n" in self._look_at_keys()

    def down(self) -> frozenset[Button]:
        """The buttons whose keys were typed since the last look."""
        pressed, self._pressed = self._pressed, frozenset()
        return pressed

    def light(self, slots: Collection[int]) -> None:
        """Stands in for lights."""


class BoardLayouts(Protocol):
    """A board that can be asked for other layouts."""

    def look(self) -> BoardModules | None:
        """The modules as the board reports them; None while it is not linked."""

    def try_layout(self, name: str | None) -> None:
        """Draws pictures for this layout from now on; None for the board's own."""

    def store(self, name: str) -> None:
        """Makes it the board's own; ScoreboardError if that fails."""

    def check_can_be_stored(self) -> None:
        """ScoreboardError if the board would not store a layout, and why."""


def check_lights(
    console: BenchConsole, show: Callable[[Picture], None], layouts: BoardLayouts | None = None
) -> Iterator[Finding]:
    """Checks that each module of the board lights up, in the right place and upright.

    Figures in other places mean the wrong layout: the board tries the others, stores the right one.
    """
    subject, together = _LIGHTS, "Does the board show this, upright and steady?"
    show(modules_picture())
    if console.ask(together):
        yield Finding(subject, Level.OK, "all 16 modules")
        if layouts is not None:
            yield from _keep_unchosen_layout(layouts)
        return
    if layouts is not None and console.ask("Are all its figures there, but not where they belong?"):
        yield _find_layout(console, layouts)
        return
    for name in MODULE_NAMES:
        show(modules_picture(name))
        if not console.ask(text := f"Does it show only {name}, there and upright?"):
            yield _finding_of_no(subject, text, _advice_on_module(console, name))
            return
    advice = "each module works: feed 5 V at both ends of the rows, or lower the brightness"
    yield _finding_of_no(subject, together, advice)


def _keep_unchosen_layout(layouts: BoardLayouts) -> Iterator[Finding]:
    """Stores the layout that is right, if nobody has yet: then the first start need not ask."""
    modules = layouts.look()
    if modules is None or modules.chosen or modules.trouble or not modules.layout:
        return
    yield _finding_of_storing(layouts, modules.layout)


def _find_layout(console: BenchConsole, layouts: BoardLayouts) -> Finding:
    """Has the board try one layout after another until the figures are right."""
    try:
        layouts.check_can_be_stored()
    except ScoreboardError as error:
        return Finding(_LIGHTS, Level.WRONG, error.found, error.advice)
    modules = layouts.look()
    names = () if modules is None else modules.layouts
    now = "" if modules is None else modules.layout
    try:
        for name in (name for name in names if name != now):
            layouts.try_layout(name)
            if console.ask(f"Layout {name}: are they upright and in order now?"):
                return _finding_of_storing(layouts, name)
    finally:
        layouts.try_layout(None)
    text = "no layout shows the figures upright and in order"
    return Finding(_LIGHTS, Level.WRONG, text, "describe it: docs/scoreboard.md, your own settings")


def _finding_of_storing(layouts: BoardLayouts, name: str) -> Finding:
    try:
        layouts.store(name)
    except ScoreboardError as error:
        return Finding(_LIGHTS, Level.WRONG, error.found, error.advice)
    return Finding(_LIGHTS, Level.OK, f"layout {name}, stored on the board")


def _advice_on_module(console: BenchConsole, name: str) -> str:
    if console.ask("Is everything dark?"):
        return "the plug before that module, and its 5 V"
    page = "`dicetray flash --layout NAME`: docs/scoreboard.md, order and rotation"
    if console.ask(f"Is {name} in another place?"):
        return f"{page}: ORDER, STRIP, START"
    if console.ask(f"Is {name} turned or mirrored?"):
        return f"{page}: ROTATION, MIRRORED"
    return "swap that module with its neighbour: if the fault moves with it, replace it"


def check_buttons(
    console: BenchConsole, contacts: Contacts, pins: Mapping[Button, int], lamps: int
) -> Iterator[Finding]:
    """Checks that each button closes only its own contact, and that each light beside one is right.

    `pins` are the buttons' BCM pins; `lamps` how many of the hold buttons have a light.
    """
    subject, stuck, fine = "buttons", contacts.down(), True
    if stuck and console.ask(f"Is somebody pressing {_button_names(stuck)}?"):
        _, stuck = _wait_until_open(console, contacts)
    if stuck:
        yield _stuck_finding(stuck)
    for button, pin in pins.items():
        if button not in stuck and (
            fault := _check_one_button(console, contacts, button, pin, stuck)
        ):
            yield fault
            fine, stuck = False, stuck | contacts.down()
    if fine and not stuck:
        yield Finding(subject, Level.OK, f"{len(pins)} contacts")
    for slot, button in enumerate(HOLD_BUTTONS[:lamps]):
        contacts.light({slot})
        question = f"Is only the light beside {_button_names({button})} on?"
        advice = "long leg to the pin, short leg over the resistor to ground: docs/building.md"
        yield _finding_of_answer(console, subject, question, advice)
    contacts.light(())


def _check_one_button(
    console: BenchConsole, contacts: Contacts, button: Button, pin: int, stuck: frozenset[Button]
) -> Finding | None:
    """Asks for one button to be pressed; returns what is wrong, None if nothing."""
    subject, name = "buttons", _button_names({button})
    print(f"Press {name} (n: nothing happens)", flush=True)
    while not (seen := contacts.down() - stuck):
        if console.is_denied():
            text = f"{name}: nothing comes from pin {pin}"
            advice = "its wires to that pin and to ground: docs/building.md"
            return Finding(subject, Level.WRONG, text, advice)
    seen, left = _wait_until_open(console, contacts, stuck, seen)
    if left or seen == {button}:
        return _stuck_finding(left) if left else None
    came = _button_names(seen)
    if console.ask(f"{came} came, not {name} alone. Try again?"):
        return _check_one_button(console, contacts, button, pin, stuck)
    advice = "swap their wires, or their pins in /etc/dicetray.toml"
    if button in seen:
        advice = "their wires touch, at the buttons or at the header"
    text = f"{came} came for {name}"
    return Finding(subject, Level.WRONG, text, advice)


def _wait_until_open(
    console: BenchConsole,
    contacts: Contacts,
    stuck: frozenset[Button] = frozenset(),
    seen: frozenset[Button] = frozenset(),
) -> tuple[frozenset[Button], frozenset[Button]]:
    """The contacts closed before all were open again, and those that never opened."""
    for _ in range(MAX_CLOSED_LOOKS):
        console.is_denied()
        if not (now := contacts.down() - stuck):
            break
        seen |= now
    return seen, now


def _stuck_finding(buttons: frozenset[Button]) -> Finding:
    text = f"{_button_names(buttons)} stays pressed"
    advice = "the button, or its wire touches ground"
    return Finding("buttons", Level.WRONG, text, advice)


def _button_names(buttons: Collection[Button]) -> str:
    """Their names as on the panel."""
    return ", ".join(b.upper().replace("HOLD", "HOLD ") for b in Button if b in buttons)


def check_lamp(console: BenchConsole) -> Iterator[Finding]:
    """Checks that the lamp above the tray is right, which only eyes can tell."""
    question = "Is the lamp on, the whole tray lit, without shadows or reflections?"
    advice = "its supply, the opal sheet, no other lamp above: docs/building.md"
    yield _finding_of_answer(console, "lamp", question, advice)


def check_heat(
    console: BenchConsole, lit_since_s: float | None, clock: Callable[[], float] = time.monotonic
) -> Iterator[Finding]:
    """Checks that the printed holder of lamp and camera stays cool enough, which a finger can tell.

    Args:
        console: the person who waits, touches it and answers.
        lit_since_s: when the lamp was seen to be on, in seconds of `clock`; None where it was not.
        clock: seconds.
    """
    subject, minutes = "heat", round(WARMING_S / 60)
    if lit_since_s is None:
        warm = console.ask(f"Has the lamp been on for {minutes} minutes?")
        lit_since_s = clock() - (WARMING_S if warm else 0.0)
    if not _waited(console, lit_since_s, clock):
        text = "not checked: the lamp has not been on for long enough"
        advice = "half an hour later: dicetray doctor --bench heat"
        yield Finding(subject, Level.NOTE, text, advice)
        return
    print("Lay a finger on part 5, the holder, beside the lamp, then beside the camera.")
    print("It should be warm as your hand at most.", flush=True)
    advice = (
        "switch the lamp off; a ring of at most 5 W, part 5 in PETG or ASA, or an aluminium strip "
        "behind the ring: docs/building.md"
    )
    question = "Can you keep your finger there for ten seconds?"
    yield _finding_of_answer(console, subject, question, advice)
    question = "Is the holder as straight and the camera as firm as before?"
    yield _finding_of_answer(console, subject, question, advice)


def _waited(console: BenchConsole, since_s: float, clock: Callable[[], float]) -> bool:
    """Waits until the lamp has been on for long enough; whether nobody skipped that."""
    said: int | None = None
    while (left_s := since_s + WARMING_S - clock()) > 0:
        if (minutes := math.ceil(left_s / 60)) != said:
            print(f"Leave the lamp on; minutes left: {minutes} (n: skip)", flush=True)
            said = minutes
        if console.is_denied():
            return False
    return True


def check_picture(
    console: BenchConsole,
    source: str,
    frames: Iterator[Frame],
    wanted: Callable[[], Image],
    file: Path,
) -> Iterator[Finding]:
    """Checks that pictures arrive, bright enough, free of banding, sharp, and of the whole tray.

    `wanted` draws what should be seen; a picture of both is kept in `file`.
    """
    try:
        seen = list(islice(frames, SETTLING_FRAMES))[-JUDGED_FRAMES:]
        yield (first := assess_frames(source, seen))
        if first.level is Level.WRONG:
            return
        yield from assess_sight(seen[-1])
        yield _finding_of_verdict("brightness", light.whole_picture(seen[-1].image))
        yield _finding_of_verdict("banding", light.flicker(seen))
        model = wanted()
        while True:
            sharp = sharpness(image := seen[-1].image)
            save(picture_beside_expected(model, image), file)
            print(f"{file}: on the left as it should be, on the right your camera")
            text = f"sharpness {round(100 * sharp.quality)} of 100"
            question = "Turn or wipe the lens; measure again?"
            if sharp.good or not console.ask(f"{text}. {question}"):
                break
            seen = list(islice(frames, JUDGED_FRAMES)) or seen
    except CameraError as error:
        yield unopened_camera_finding(error)
        return
    yield _finding_of_verdict("focus", sharp, text)
    advice = "turn the camera, or raise it: docs/building.md"
    yield _finding_of_answer(
        console, "view", "Is the whole tray on the right, as on the left?", advice
    )


def sharpness(image: Image) -> Verdict:
    """How sharp it is: by the four markers, or where they are not seen, by its strongest edges."""
    try:
        return focus.sharpness(find_rim_markers(image))
    except RefusedError:
        return focus.whole_picture(image)


def _finding_of_verdict(subject: str, verdict: Verdict, text: str = "") -> Finding:
    if verdict.problem is None:
        return Finding(subject, Level.OK, text or "good")
    advice = f"docs/troubleshooting.md: {verdict.problem}"
    return Finding(subject, Level.WRONG, text or verdict.problem, advice)


def _finding_of_answer(console: BenchConsole, subject: str, question: str, advice: str) -> Finding:
    if console.ask(question):
        return Finding(subject, Level.OK, "good")
    return _finding_of_no(subject, question, advice)


def _finding_of_no(subject: str, question: str, advice: str) -> Finding:
    return Finding(subject, Level.WRONG, f"no to: {question}", advice)


def picture_beside_expected(wanted: Image, seen: Image) -> Image:
    """The picture to be seen beside the one seen; below them the upper left of each, enlarged."""
    rows = []
    for part in (1, 3):
        tiles = (
            cv2.resize(image[: image.shape[0] // part, : image.shape[1] // part], _TILE_SIZE)
            for image in (wanted, seen)
        )
        rows.append(np.hstack([np.pad(tile, ((4, 4), (4, 4), (0, 0))) for tile in tiles]))
    return np.vstack(rows)


def save(picture: Image, file: Path) -> None:
    """Writes a picture as PNG; ApplianceError if it cannot be written."""
    try:
        write_all(file, cv2.imencode(".png", picture)[1].tobytes())
    except OSError as error:
        raise ApplianceError(f"{file}: cannot be written: {error.strerror}") from error
