"""The matrix of the newest: what fails is named, and what is listed has to fail."""

from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.lab.check_newest import (
    BEGINS,
    ENDS,
    PAGE,
    Result,
    judge,
    listed,
    of_the_camera,
    outcomes,
    pins,
    rows,
)

CASES = """<testsuites><testsuite>
<testcase classname="tests.a" name="one"/>
<testcase classname="tests.b" name="two"><failure message="no such layer"/></testcase>
<testcase classname="tests.c" name="three"><skipped message="no lgpio here: at all"/></testcase>
{more}
</testsuite></testsuites>"""
KNOWN = {
    "fails": [{"tests": ["tests.b"], "part": "OpenCV", "reason": "layers", "since": "2026-11-30"}],
    "skips": [{"message": "no lgpio", "part": "gpiozero", "reason": "no", "since": "2026-11-30"}],
}


def judged(more: str = "") -> Result:
    result = Result(versions={"OpenCV": "5.0", "gpiozero": "2.0", "NumPy": "2.5"})
    judge(outcomes(ElementTree.fromstring(CASES.format(more=more))), KNOWN, result)
    return result


def test_what_fails_and_what_is_skipped_counts_against_a_part() -> None:
    result = judged()
    assert (result.passed, result.unlisted) == (1, [])
    assert rows(result, "30 November 2026").splitlines()[2:] == [
        "| OpenCV | 5.0 | fails: 1 tests: layers (2026-11-30) |",
        "| gpiozero | 2.0 | fails: 1 tests: no (2026-11-30) |",
        "| NumPy | 2.5 | passes |",
    ]


@pytest.mark.parametrize("kind", ["failure", "error", "skipped"])
def test_what_nobody_has_listed_is_told(kind: str) -> None:
    result = judged(f'<testcase classname="tests.d" name="four"><{kind} message="new"/></testcase>')
    assert result.unlisted == [f"tests.d.four: {kind}: new"]


def test_what_is_listed_and_does_not_fail_any_more_is_told() -> None:
    result = Result()
    judge((), KNOWN, result)
    assert result.unlisted == [
        "layers (2026-11-30): is listed, and does not fail",
        "no (2026-11-30): is listed, and does not fail",
    ]


def test_every_pin_below_the_newest_has_its_reason() -> None:
    result = Result()
    pins(listed(), result)
    assert result.unlisted == []
    without = {**listed(), "pins": []}
    pins(without, result)
    assert any("without a reason" in line for line in result.unlisted)


def test_every_entry_says_why_and_since_when() -> None:
    known = listed()
    for kind in ("pins", "skips", "fails"):
        for entry in known[kind]:
            assert entry["reason"]
            assert isinstance(entry["since"], date)


def test_the_checks_of_the_camera_count_as_tests(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("good  busy: 50 tries\nBAD   view: sees a part\npi: a line of its own\n")
    assert list(of_the_camera(log)) == [
        ("check_picamera.busy", "passed", "50 tries"),
        ("check_picamera.view", "failure", "sees a part"),
    ]
    log.write_text("Traceback\n")
    assert [kind for _, kind, _ in of_the_camera(log)] == ["failure"]


def test_the_page_has_a_place_for_the_table() -> None:
    page = PAGE.read_text("utf-8")
    assert page.index(BEGINS) < page.index(ENDS)
