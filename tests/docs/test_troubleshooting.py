"""Everything that the appliance may complain about has its line in the troubleshooting page."""

import re
from pathlib import Path

import pytest

from appliance.alerts import Alert
from appliance.diagnostics import base, camera, machine, pins, scoreboard, sound
from appliance.screens import trouble
from appliance.service import installation as calibrated_tray
from calibration.problems import Problem
from tests.paths import ROOT

DOCS = ROOT / "docs"
PAGE = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text under a heading."""
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def entries(title: str) -> dict[str, str]:
    """The list under a heading: what is in bold before a colon, without commas, and the advice."""
    found: dict[str, str] = {}
    for item in section(title).split("\n- ")[1:]:
        parts = re.match(r"((?:\*\*.+?\*\*|[^*:])+):(.+)", item, re.S)
        assert parts, f"expected **what** the board says, a colon and advice, found {item}"
        names = re.findall(r"\*\*(.+?)\*\*", parts[1].replace(",", ""))
        found |= dict.fromkeys(names, parts[2].strip())
    return found


def test_every_alert_has_its_line_and_every_line_its_alert() -> None:
    found = entries("During a game")
    assert sorted(found) == sorted(" ".join(alert.lines) for alert in Alert)
    assert all(found.values())


def test_alerts_stand_in_the_order_of_their_urgency() -> None:
    assert list(entries("During a game")) == [" ".join(alert.lines) for alert in Alert]


def test_every_refusal_of_the_calibration_has_its_line() -> None:
    found = entries("Calibration refuses")
    assert sorted(found) == sorted(problem.value for problem in Problem)
    assert all(found.values())


def test_every_word_of_the_questions_about_dice_is_there() -> None:
    text = section("Questions about dice")
    words = {*trouble._STATE_WORDS.values(), *trouble._CLASH_WORDS.values()}
    source = Path(trouble.__file__).read_text(encoding="utf-8")
    words |= set(re.findall(r'two_lines\("([A-Z][A-Z ]+:?)"', source))
    words |= {"UNSURE", "OUTSIDE", "TURNED", "MISSING", "SAME FACES:"}
    missing = {word for word in words if word not in text and word not in ("THROW AGAIN",)}
    # What follows a question on a second page is explained with it.
    assert missing <= {"OR ENTER IT", "OK: COUNT", "OK: YES"}


@pytest.mark.parametrize("module", [camera, machine, pins, scoreboard, sound])
def test_every_line_of_the_doctor_is_there(module: object) -> None:
    source = Path(str(module.__file__)).read_text(encoding="utf-8")  # type: ignore[attr-defined]
    subjects = set(re.findall(r'Finding\(\s*"([a-z\' ]+)"', source))
    subjects |= set(re.findall(r'^\s*_?(?:subject|[A-Z_]+) = "([a-zA-Z\' ]+)"$', source, re.M))
    known = set(entries("dicetray doctor"))
    named = {subject for subject in subjects if subject.lower() == subject or "USB" in subject}
    assert named, "the pattern finds no subject any more"
    assert named <= known


def test_levels_are_those_of_the_doctor() -> None:
    assert all(level.value in section("dicetray doctor") for level in base.Level)


def test_what_the_scoreboard_says_by_itself_is_there() -> None:
    source = (DOCS.parent / "firmware" / "board.py").read_text(encoding="utf-8")
    screens = re.findall(r'self\._show_words\(\w+, "([A-Z ]+)", (?:"([A-Z]*)"|\w+)\)', source)
    assert len(screens) >= 3
    text = section("The scoreboard is dark, or shows a start-up message")
    for first, second in screens:
        assert f"{first} {second}".strip() in text


def test_every_notice_about_the_profile_is_there() -> None:
    source = Path(calibrated_tray.__file__).read_text(encoding="utf-8")
    notices = re.findall(r'notices\.append\(\("([A-Z ]+)", "([A-Z ?]+)"\)\)', source)
    assert len(notices) >= 3
    assert {" ".join(notice) for notice in notices} <= set(entries("Notices"))
