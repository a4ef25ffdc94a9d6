"""`dicetray calibrate` in a terminal: what it says, and what it refuses before opening anything."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.cli import calibrate
from appliance.cli.main import main
from appliance.service.guide import wizard_guidance
from calibration.calibration import Difference
from calibration.problems import Problem, Verdict
from calibration.wizard.advance import advance
from calibration.wizard.pages import Page
from calibration.wizard.prompts import wizard_prompt
from calibration.wizard.state import Seen, Wizard
from tests.calibration.wizard.test_wizard import draft, thrown
from tests.rigs.by_hand.terminal import Terminal


def said(wizard: Wizard) -> str:
    return wizard_guidance(wizard_prompt(wizard)).says


def test_the_terminal_says_all_that_the_boards_pages_say() -> None:
    width = Wizard(Page.WIDTH, floor_mm=(230.0, 160.0))
    assert said(width) == "Floor width: < 230 mm >"
    none = Wizard(Page.TRAY, seen=Seen(Page.TRAY, Verdict(0.1, Problem.NO_MARKERS)))
    assert said(none) == "Tray: 4 markers, all in sight, hands off, no markers, OK: Corners"
    found = replace(draft(), doubt_mm=1.0)
    seen = Seen(Page.CORNERS, Verdict(1.0), draft=found, outline=((0.1, 0.1),) * 4)
    assert said(Wizard(Page.CORNERS, seen=seen, floor_mm=(230.0, 160.0), pointed=found)) == (
        "Corners: Is this it? OK, 230x160 mm, within 1.4 mm, < size again >"
    )
    check = Wizard(Page.CHECK, known=found)
    assert said(check) == "Check dice: Throw dice up to 7"
    assert said(advance(check, thrown(1, 2, 3))) == "check, 3 of 3 dice: 1 2 3"
    assert said(Wizard()) == "1/5 Tray: Not known yet"


def test_what_has_changed_since_the_calibration_before_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lower = replace(draft(), since=Difference(-12.3, 5.0, 0.0, 0.0, 3.0))
    assert calibrate._print_accuracy(lower, tmp_path) == 0
    assert "camera sits 12 mm lower; camera leans 5 deg more" in capsys.readouterr().out
    calibrate._print_accuracy(replace(lower, since=Difference(0, 0, 0, 0, 0)), tmp_path)
    assert "all is as before" in capsys.readouterr().out
    calibrate._print_accuracy(draft(), tmp_path)
    assert "before" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--floor", "abc"], "expected two numbers as in 12x34"),
        (["--floor", "700x200"], "expected a width and a depth of 60 to 600 mm, found 700x200"),
        (["--corners", "1,2", "3,4", "5,6", "7,8"], "--corners needs --floor"),
        (["--corners", "1,2", "3,4", "5,6", "x", "--floor", "216x152"], "two numbers as in 12,34"),
        (["--corners", "1,2", "3,4", "--floor", "216x152"], "four pairs of numbers, found 2"),
    ],
)
@pytest.mark.parametrize("how", [[], ["--simulate"]])
def test_what_is_mistyped_is_said_at_once(
    args: list[str], says: str, how: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", *how, *args]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("corners", [[], ["--corners"]])
def test_corners_are_pointed_at_only_where_the_picture_is_drawn(
    corners: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "--floor", "152x216", *corners]) == 2
    err = capsys.readouterr().err
    assert "expected the floor's four --corners" in err
    assert "leave them out, with --board terminal" in err
    assert err.count("\n") == 1


def test_a_real_tray_needs_no_word_that_it_has_no_markers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["calibrate", "--no-markers"]) == 2
    assert "expected --simulate with --no-markers" in capsys.readouterr().err


@pytest.mark.slow
def test_corners_are_pointed_at_in_a_terminal_and_then_the_wizard_begins(tmp_path: Path) -> None:
    picture, profile = tmp_path / "floor.png", tmp_path / "tray.profile"
    cv2.imwrite(str(picture), np.full((360, 640, 3), 90, np.uint8))
    command = ["calibrate", "--camera", f"file:{picture}?hold=100000", "--profile", str(profile)]
    command += ["--board", "terminal", "--buttons", "keyboard", "--floor", "320x180"]
    environment = {**os.environ, "TERM": "xterm-256color", "XDG_STATE_HOME": str(tmp_path)}
    program = [sys.executable, "-m", "appliance.cli.program", *command]
    with Terminal(program, environment, (100, 30)) as terminal:

        def wait_for(word: str) -> None:
            for _ in range(600):
                if any(word in line for line in terminal.screen):
                    return
                terminal.read()
            raise AssertionError("\n".join(terminal.screen))

        for number in range(1, 5):
            wait_for(f"Corner {number} of 4")
            # Twice closer, then it is taken. The x keeps the Enters apart: a key that is held down
            # counts once.
            terminal.press(b"x\r" * 3)
        wait_for("320x180 mm")
        terminal.press(b"q")
        ended = terminal.ended()
    assert (terminal.status, terminal.unlike) == (1, ""), ended
    assert not profile.exists()
