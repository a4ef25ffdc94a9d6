"""When it is said why markers that are seen cannot be used: after five seconds, and what lasts."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from calibration.errors import RefusedError
from calibration.problems import Problem
from calibration.self_calibration.telling import MIN_SEEN, TELL_AFTER_S, Look, Telling

SOFT_PX, SHARP_PX = 6.0, 1.5


def look(
    time_s: float, problem: Problem | None = None, seen: int = 3, edge_px: float = SHARP_PX
) -> Look:
    refused = None if problem is None else RefusedError(problem, "")
    return Look(time_s, seen, edge_px, refused)


def told(looks: Sequence[Look]) -> list[tuple[float, Problem | None]]:
    """What is to be said, each time that it changes."""
    telling, found = Telling(), [(0.0, None)]
    said: list[tuple[float, Problem | None]] = []
    for one in looks:
        telling.note(one)
        now = None if telling.trouble is None else telling.trouble.problem
        if now is not (said or found)[-1][1]:
            said.append((one.time_s, now))
    return said


def lasting(problem: Problem | None, seconds: float, begin_s: float = 0.0) -> list[Look]:
    return [look(begin_s + 0.5 * k, problem) for k in range(round(2 * seconds))]


def test_what_lasts_is_said_after_five_seconds_and_no_sooner() -> None:
    assert told(lasting(Problem.HIDDEN, 9)) == [(TELL_AFTER_S, Problem.HIDDEN)]
    assert told(lasting(Problem.HIDDEN, 5)) == []


def test_one_marker_beside_dice_is_no_tray() -> None:
    assert MIN_SEEN > 1
    assert told([look(0.5 * k, Problem.HIDDEN, seen=1) for k in range(40)]) == []


def test_what_is_mended_is_not_said_any_more() -> None:
    looks = [*lasting(Problem.HIDDEN, 8), *lasting(None, 3, 8.0)]
    assert told(looks) == [(5.0, Problem.HIDDEN), (8.0, None)]


def test_a_hand_that_passes_is_not_said() -> None:
    passing = [*lasting(None, 1), *lasting(Problem.HIDDEN, 2, 1.0), *lasting(None, 4, 3.0)]
    assert told(passing) == []


def test_a_hand_that_passes_twice_before_a_sharp_and_a_soft_picture_is_not_said() -> None:
    gone = [Look(0.0, 0, None, RefusedError(Problem.HIDDEN, ""))]
    turns = [look(0.0), *gone, *gone, look(0.0), *gone, look(0.0, edge_px=SOFT_PX), look(0.0)]
    looks = [replace(turn, time_s=0.5 * k) for k, turn in enumerate([*turns, *[look(0.0)] * 9])]
    assert told(looks) == []


def test_a_second_fault_is_said_once_the_first_is_mended() -> None:
    looks = [*lasting(Problem.MARKERS_MIXED, 8), *lasting(Problem.HIDDEN, 6, 8.0)]
    (_, first), (second_s, second) = told(looks)
    assert (first, second) == (Problem.MARKERS_MIXED, Problem.HIDDEN)
    assert 8.0 < second_s <= 11.0


def test_markers_that_are_taken_away_leave_nothing_to_say() -> None:
    gone = [Look(8.0 + 0.5 * k, 0) for k in range(14)]
    assert told([*lasting(Problem.HIDDEN, 8), *gone])[-1][1] is None
    telling = Telling()
    for one in (*lasting(Problem.HIDDEN, 8), *gone):
        telling.note(one)
    assert not telling.waits


@pytest.mark.parametrize("seconds", [3.5, 6.0])
def test_of_a_tray_that_is_carried_only_what_lasts_is_said(seconds: float) -> None:
    turns = (
        look(0.0, Problem.NOT_STEADY),
        look(0.0, Problem.BLURRED, edge_px=SOFT_PX),
        look(0.0, Problem.BLURRED, seen=0),
        look(0.0, Problem.HIDDEN, edge_px=SOFT_PX),
    )
    carried = [
        replace(turns[k % 4], time_s=0.5 * k, carried=True) for k in range(round(2 * seconds))
    ]
    assert told([*carried, *lasting(None, 6, seconds)]) == []
    # Once it rests, a picture that is soft all the time is named.
    soft = lasting(Problem.BLURRED, 6, seconds)
    assert [problem for _, problem in told([*carried, *soft])] == [Problem.BLURRED]


def test_a_focus_that_hunts_is_named_whatever_single_pictures_seem_to_show() -> None:
    turns = (
        look(0.0),
        look(0.0, Problem.NOT_STEADY, edge_px=SOFT_PX),
        look(0.0, Problem.BLURRED, seen=0),
        look(0.0, Problem.HIDDEN, edge_px=SOFT_PX),
    )
    looks = [
        Look(0.5 * k, turn.seen, turn.edge_px, turn.refused)
        for k, turn in enumerate(turns[k % 4] for k in range(20))
    ]
    assert {problem for _, problem in told(looks)} == {Problem.BLURRED}
    # At its first look it may have been too far off for anything to be seen.
    assert told(looks)[0][0] <= 4.5
    # Markers that are glued wrongly are so in any focus.
    mixed = [
        look(0.5 * k, Problem.MARKERS_MIXED, edge_px=(SHARP_PX, SOFT_PX)[k % 2]) for k in range(20)
    ]
    assert {problem for _, problem in told(mixed)} == {Problem.MARKERS_MIXED}
