"""A new build is checked part by part, by somebody who answers questions and presses buttons."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.devices.flash.layouts import LAYOUTS
from appliance.diagnostics import Finding, Level, bench
from appliance.diagnostics.bench import BenchConsole
from appliance.errors import ApplianceError, CameraError, ScoreboardError
from appliance.inputs import Button
from appliance.picture import Picture
from appliance.table.menu.board_modules import BoardModules
from vision.frame import Frame, Image

PINS = {Button.HOLD1: 5, Button.HOLD2: 6, Button.LEFT: 19, Button.OK: 26}
ADVICE = {"dark": "5 V", "place": "ORDER", "turned": "ROTATION", "none": "neighbour"}


def console(*typed: str) -> BenchConsole:
    """Somebody who types these keys one after another and is gone once they are used up."""
    keys = iter(typed)

    def poll() -> list[str]:
        if (key := next(keys, None)) is None:
            pytest.fail("more was asked than is answered")
        return [key] if key else []

    return BenchConsole(poll, lambda _: None)


def levels(findings: Iterator[Finding]) -> list[tuple[str, Level]]:
    return [(finding.subject, finding.level) for finding in findings]


def test_one_yes_is_enough_for_a_board_that_is_right() -> None:
    shown: list[Picture] = []
    (finding,) = bench.check_lights(console("y"), shown.append)
    assert finding.level is Level.OK
    (picture,) = shown
    lit = np.unpackbits(np.frombuffer(picture.data, np.uint8)).reshape(16, 64)
    modules = lit.reshape(2, 8, 8, 8).swapaxes(1, 2).reshape(16, 64)
    assert all(module.any() for module in modules)
    assert len({module.tobytes() for module in modules}) == 16
    for module in modules:
        upright = module.reshape(8, 8)
        turned = [np.rot90(upright, n) for n in (1, 2, 3)] + [upright[:, ::-1], upright[::-1]]
        assert not any(np.array_equal(upright, other) for other in turned)


@pytest.mark.parametrize(
    ("answers", "why"),
    [("y", "dark"), ("ny", "place"), ("nny", "turned"), ("nnn", "none")],
)
def test_a_module_that_is_wrong_is_found_with_what_to_do(answers: str, why: str) -> None:
    shown: list[Picture] = []
    (finding,) = bench.check_lights(console("n", "y", "y", "n", *answers), shown.append)
    assert (finding.level, ADVICE[why] in finding.advice) == (Level.WRONG, True)
    assert "only 3" in finding.text
    assert len(shown) == 4


def test_modules_that_are_right_alone_but_not_together_lack_power() -> None:
    (finding,) = bench.check_lights(console("n", *16 * "y"), lambda _: None)
    assert (finding.level, "both ends" in finding.advice) == (Level.WRONG, True)


class Board:
    """A board that is built for one layout and set to another."""

    def __init__(self, built: str, layout: str = "fc16", *, chosen: bool = False) -> None:
        self.built, self.layout, self.chosen = built, layout, chosen
        self.tried: str | None = None
        self.trouble = ""
        self.fails = False

    def look(self) -> BoardModules:
        trouble = ((self.trouble, ""),) if self.trouble else ()
        return BoardModules("1", tuple(LAYOUTS), self.layout, self.chosen, trouble)

    def check_can_be_stored(self) -> None:
        if self.trouble:
            raise ScoreboardError(self.trouble, "dicetray flash --layout NAME")

    def try_layout(self, name: str | None) -> None:
        self.tried = name

    def store(self, name: str) -> None:
        self.check_can_be_stored()
        if self.fails:
            raise ScoreboardError("its flash is full", "repeat")
        self.layout, self.chosen = name, True

    def answers(self) -> BenchConsole:
        """Somebody who looks at it and says what is so."""
        asked = iter(range(50))

        def typed() -> list[str]:
            first = next(asked) == 1
            return ["y" if first or (self.tried or self.layout) == self.built else "n"]

        return BenchConsole(typed, lambda _: None)


def test_a_board_that_is_right_has_its_layout_stored_once() -> None:
    board = Board("fc16")
    found = list(bench.check_lights(board.answers(), lambda _: None, board))
    assert [f.text for f in found] == ["all 16 modules", "layout fc16, stored on the board"]
    assert board.chosen
    assert len(list(bench.check_lights(board.answers(), lambda _: None, board))) == 1
    for silent in (Board("fc16"), Board("", "")):
        silent.trouble = "x" if silent.built else ""
        assert len(list(bench.check_lights(console("y"), lambda _: None, silent))) == 1


@pytest.mark.parametrize("built", list(LAYOUTS)[1:])
def test_another_layout_is_found_by_looking_and_stored(built: str) -> None:
    board = Board(built)
    (finding,) = bench.check_lights(board.answers(), lambda _: None, board)
    assert (finding.level, finding.text) == (Level.OK, f"layout {built}, stored on the board")
    assert (board.layout, board.tried) == (built, None)


def test_a_layout_that_is_not_found_or_not_stored_says_what_to_do() -> None:
    board = Board("none")
    (finding,) = bench.check_lights(board.answers(), lambda _: None, board)
    assert (finding.level, "own settings" in finding.advice) == (Level.WRONG, True)
    assert (board.chosen, board.tried) == (False, None)
    board = Board("generic")
    board.fails = True
    (finding,) = bench.check_lights(board.answers(), lambda _: None, board)
    assert (finding.level, finding.text) == (Level.WRONG, "its flash is full")
    board.trouble = "this firmware cannot store it"
    (finding,) = bench.check_lights(board.answers(), lambda _: None, board)
    assert (finding.text, "dicetray flash" in finding.advice) == (board.trouble, True)


def test_figures_that_are_missing_are_looked_for_one_by_one() -> None:
    board = Board("fc16")
    (finding,) = bench.check_lights(console("n", "n", "n", "y"), lambda _: None, board)
    assert "5 V" in finding.advice


@dataclass
class Contacts:
    """Contacts that are closed as scripted, one set per look; after that, all are open."""

    looks: list[frozenset[Button]]
    lit: list[Collection[int]] = field(default_factory=list)

    def down(self) -> frozenset[Button]:
        return self.looks.pop(0) if self.looks else frozenset()

    def light(self, slots: Collection[int]) -> None:
        self.lit.append(slots)


def pressed(*buttons: Button) -> list[frozenset[Button]]:
    return [frozenset(buttons), frozenset()]


def pressing(contacts: Contacts, *typed: str, lamps: int = 0) -> list[Finding]:
    asked = console(*typed, *200 * [""])
    return list(bench.check_buttons(asked, contacts, PINS, lamps))


def test_each_button_is_pressed_once_and_each_light_is_asked_about() -> None:
    looks = [frozenset[Button](), *(look for button in PINS for look in pressed(button))]
    contacts = Contacts(looks)
    found = pressing(contacts, *4 * [""], "y", "n", lamps=2)
    assert [f.level for f in found] == [Level.OK, Level.OK, Level.WRONG]
    assert "HOLD 2" in found[2].text
    assert contacts.lit == [{0}, {1}, ()]


def test_a_button_without_a_contact_is_named_with_its_pin() -> None:
    looks = [frozenset[Button](), frozenset[Button](), *pressed(Button.HOLD2)]
    looks += [look for b in (Button.LEFT, Button.OK) for look in pressed(b)]
    found = pressing(Contacts(looks), "n")
    assert [f.level for f in found] == [Level.WRONG]
    assert (found[0].text, "docs/building.md" in found[0].advice) == (
        "HOLD 1: nothing comes from pin 5",
        True,
    )


def test_swapped_buttons_are_tried_again_and_then_named() -> None:
    swapped = (Button.HOLD2, Button.HOLD1, Button.LEFT, Button.OK)
    nothing = frozenset[Button]()
    looks = [nothing, *pressed(swapped[0]), *pressed(swapped[0]), nothing]
    looks += [*pressed(swapped[1]), nothing]
    looks += [look for button in swapped[2:] for look in pressed(button)]
    found = pressing(Contacts(looks), "", "y", "", "n", "", "n")
    assert [f.text for f in found] == ["HOLD 2 came for HOLD 1", "HOLD 1 came for HOLD 2"]
    assert all("swap their wires" in f.advice for f in found)


def test_wires_that_touch_are_told_from_swapped_ones() -> None:
    looks = [frozenset[Button](), *pressed(Button.HOLD1, Button.HOLD2)]
    looks += [look for button in list(PINS)[1:] for look in pressed(button)]
    (finding,) = pressing(Contacts(looks), "", "n")
    assert "touch" in finding.advice


def test_a_button_that_stays_pressed_is_named_once_and_not_asked_for() -> None:
    held = frozenset({Button.HOLD1})
    looks = [held, *(bench.MAX_CLOSED_LOOKS + 1) * [held]]
    looks += [held | look for button in list(PINS)[1:] for look in pressed(button)]
    asked = console("y", *400 * [""])
    found = list(bench.check_buttons(asked, Contacts(looks), PINS, 0))
    assert [f.text for f in found] == ["HOLD 1 stays pressed"]


def test_keys_can_stand_for_the_buttons() -> None:
    keys = [key for button in PINS for key in (button.value, "", "")]
    asked = console("", *keys)
    assert levels(bench.check_buttons(asked, asked, PINS, 0)) == [("buttons", Level.OK)]


def test_a_short_tap_is_enough() -> None:
    """A fingertip closes a contact for a tenth of a second, whenever it wants to."""
    time_s = 0.0

    def wait(seconds: float) -> None:
        nonlocal time_s
        time_s += seconds
        if time_s > 60.0:
            pytest.fail("no tap was seen for a minute")

    class Tapped(Contacts):
        def down(self) -> frozenset[Button]:
            button = list(PINS)[int(time_s / 2) % len(PINS)]
            return frozenset({button} if 1.0 < time_s % 2 < 1.1 else ())

    asked = BenchConsole(list, wait)
    found = bench.check_buttons(asked, Tapped([]), PINS, 0)
    assert levels(found) == [("buttons", Level.OK)]


@pytest.fixture(scope="module")
def tray() -> Image:
    picture, random = np.full((360, 640, 3), 90, np.uint8), np.random.default_rng(0)
    for x, y in random.integers((0, 0), (600, 330), (60, 2)):
        picture[y : y + 25, x : x + 30] = random.integers(20, 230, 3)
    return picture


def frames(*images: Image) -> Iterator[Frame]:
    """Each for a second and a half, then the camera is gone."""
    for number, image in enumerate(image for image in images for _ in range(bench.SETTLING_FRAMES)):
        # A picture that never changes means a camera that hangs.
        noisy = image.copy()
        noisy[::16, ::16] ^= number % 2
        yield Frame(noisy, number / 20, number)
    raise CameraError("no picture came", "look at its cable")


def look(tmp_path: Path, tray: Image, *images: Image, typed: str) -> list[Finding]:
    file = tmp_path / "bench.png"
    asked = console(*typed)
    return list(bench.check_picture(asked, "pi", frames(*images), lambda: tray, file))


def test_a_sharp_picture_passes_and_is_kept_beside_the_wanted_one(
    tmp_path: Path, tray: Image
) -> None:
    found = look(tmp_path, tray, tray, typed="y")
    assert [f.subject for f in found] == ["camera", "brightness", "banding", "focus", "view"]
    assert {f.level for f in found} == {Level.OK}
    kept = cv2.imread(str(tmp_path / "bench.png"))
    assert kept is not None
    assert int(np.ptp(cv2.absdiff(*np.split(kept, 2, axis=1)))) <= 2


def test_the_lens_can_be_turned_until_the_picture_is_sharp(tmp_path: Path, tray: Image) -> None:
    soft = np.asarray(cv2.GaussianBlur(tray, (0, 0), 6), np.uint8)
    found = look(tmp_path, tray, soft, tray, typed="yyyyy")
    assert [f.level for f in found if f.subject == "focus"] == [Level.OK]
    found = look(tmp_path, tray, soft, typed="ny")
    assert [f.level for f in found if f.subject == "focus"] == [Level.WRONG]


def test_a_camera_that_stops_is_a_finding(tmp_path: Path, tray: Image) -> None:
    found = look(tmp_path, tray, typed="")
    assert [(f.subject, f.level) for f in found] == [("camera", Level.WRONG)]
    dark = np.zeros_like(tray)
    assert [f.level for f in look(tmp_path, tray, dark, typed="")] == [Level.WRONG]


def test_a_picture_that_cannot_be_kept_says_so(tray: Image) -> None:
    with pytest.raises(ApplianceError, match="cannot be written"):
        bench.save(tray, Path("/nowhere/bench.png"))


def test_the_lamp_is_judged_by_whoever_looks() -> None:
    assert levels(bench.check_lamp(console("y"))) == [("lamp", Level.OK)]
    assert levels(bench.check_lamp(console("x", "n"))) == [("lamp", Level.WRONG)]


def heat(typed: str, lit_since_s: float | None, *times: float) -> list[Finding]:
    """The findings of somebody who types this, while a clock shows these times, then the last."""
    clock = iter(times)
    last = times[-1]
    return list(bench.check_heat(console(*typed), lit_since_s, lambda: next(clock, last)))


def test_the_holder_is_touched_after_half_an_hour_of_light(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = heat("xxxyy", 100.0, 100.0, 160.0, 1899.0, 1900.0)
    assert [(f.subject, f.level) for f in found] == 2 * [("heat", Level.OK)]
    said = capsys.readouterr().out
    assert "minutes left: 30 (n: skip)" in said
    assert "left: 29 " in said and "left: 1 " in said
    assert said.index("left: 1 ") < said.index("finger on part 5")
    assert "warm as your hand" in said


def test_whoever_has_waited_already_is_asked_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    for passing in ((0.0,), (0.0, 1.0)):
        assert len(heat("yyy", None, *passing)) == 2
        assert "minutes left" not in capsys.readouterr().out
    # The answer no starts the half hour.
    assert len(heat("nxyy", None, 7.0, 8.0, 1807.0)) == 2
    assert "minutes left: 30" in capsys.readouterr().out


def test_the_half_hour_can_be_skipped_and_made_up_for() -> None:
    (finding,) = heat("n", 0.0, 0.0)
    assert finding.level is Level.NOTE
    assert "--bench heat" in finding.advice


@pytest.mark.parametrize("answers", ["yny", "yyn"])
def test_a_holder_that_is_too_hot_or_sags_says_what_to_do(answers: str) -> None:
    found = heat(answers, None, 0.0)
    (wrong,) = (f for f in found if f.level is Level.WRONG)
    assert "switch the lamp off" in wrong.advice and "PETG or ASA" in wrong.advice
