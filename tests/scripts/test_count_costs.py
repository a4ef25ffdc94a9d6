"""What counts as growth, and that actions are counted alike each time."""

from collections.abc import Mapping

import pytest

from scripts.count_costs import Counting, Release, is_ours

COSTS = """
[release]
version = "1.0.0"
python = [3, 11]
[cost."press"]
calls = 1000
modules = 4
"""
LINE = """
[grown."press"]
calls = {{ old = {old}, new = {new}, why = "{why}" }}
"""


def faults(now: Mapping[str, int], line: str = "") -> list[str]:
    return list(Release.read(COSTS + line).faults({"press": now}))


def line(old: int = 1000, new: int = 1100, why: str = "it says why") -> str:
    return LINE.format(old=old, new=new, why=why)


@pytest.mark.parametrize("calls", [10, 1000, 1050])
def test_five_hundredths_more_pass_without_a_word(calls: int) -> None:
    assert faults({"calls": calls}) == []


def test_more_needs_a_line() -> None:
    assert faults({"calls": 1051}) == [
        "press, calls: expected a line on why it has grown from 1000 to 1051, found none"
    ]
    assert faults({"calls": 1100}, line()) == []


@pytest.mark.parametrize("told", [line(old=900), line(new=1000), line(why=""), line(new=1040)])
def test_a_line_says_what_is_true(told: str) -> None:
    assert len(faults({"calls": 1100}, told)) == 1


def test_a_line_on_what_has_not_grown_goes() -> None:
    assert "expected no line" in faults({"calls": 1000}, line())[0]


def test_over_fifteen_hundredths_no_line_helps() -> None:
    assert faults({"calls": 1150}, line(new=1150)) == []
    assert "15 % more than 1000 at most" in faults({"calls": 1151}, line(new=1151))[0]


def test_a_few_modules_are_no_growth() -> None:
    assert faults({"modules": 12}) == []
    assert len(faults({"modules": 13})) == 1


def test_what_the_release_did_not_count_is_named() -> None:
    assert faults({"kilobytes": 1}) == ["press: expected kilobytes in the last release, found none"]


def test_calls_of_ours_and_modules_are_counted() -> None:
    counting = Counting()
    with counting.action("nothing"):
        pass
    with counting.action("two"):
        is_ours(__file__)
        faults({})
    nothing, two = counting.costs["nothing"], counting.costs["two"]
    assert (nothing.modules, nothing.calls) == (0, 0)
    # This file's function, and not the script's own.
    assert two.calls == 1


def test_only_files_of_the_checkout_are_ours() -> None:
    assert is_ours(__file__)
    assert not is_ours(pytest.__file__)
