"""Slots from rest to rest."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import reading
from vision.events import TrackId
from vision.reading import Candidate, DieReading, DieState, Kind
from vision.watch.tracker import Tracker, claims_match, edge_of, pair_nearest, typical_edge

EDGE = 20.0


def die(
    x: float,
    y: float,
    value: int,
    kind: Kind = Kind.RED,
    state: DieState = DieState.OK,
    also: int | None = None,
) -> DieReading:
    faces = [value] if also is None else [value, also]
    likely = [Candidate(face, 0.9 / len(faces)) for face in faces]
    return reading(value, (x, y), kind=kind, state=state, candidates=likely, edge=EDGE)


A, B, C = die(100, 50, 1), die(200, 60, 2), die(300, 40, 3)


def started(*dice: DieReading) -> Tracker:
    tracker = Tracker()
    tracker.compare(dice)
    return tracker


def test_thrown_dice_get_slots_from_left_to_right_then_from_top() -> None:
    tracker = Tracker()
    below = die(100, 90, 6)
    now = tracker.compare([C, below, A, B])
    assert [(d.track_id, d.reading.value) for d in now.dice] == [(0, 1), (1, 6), (2, 2), (3, 3)]
    assert now.thrown == now.dice
    assert now.gone == ()


def test_dice_found_at_the_start_were_not_thrown() -> None:
    tracker = Tracker()
    assert [d.thrown for d in tracker.found([B, A])] == [False, False]
    assert tracker.compare([A, B]).thrown == ()


def test_nothing_changed() -> None:
    now = started(A, B, C).compare([C, B, A])
    assert (now.gone, now.moved, now.thrown) == ((), (), ())


def test_gone_slots_are_free_for_the_next_throw() -> None:
    tracker = started(A, B, C)
    assert tracker.compare([B]).gone == (0, 2)
    now = tracker.compare([B, die(20, 20, 5), die(400, 20, 6)])
    assert [(d.track_id, d.thrown) for d in now.dice] == [(0, True), (1, False), (2, True)]


def test_a_sixth_die_gets_a_new_slot() -> None:
    now = started(A, B).compare([A, B, die(10, 10, 4)])
    assert [(d.track_id, d.reading.value) for d in now.thrown] == [(2, 4)]


def test_a_near_die_of_the_same_kind_was_knocked() -> None:
    now = started(A, B).compare([A, die(222, 66, 5)])
    assert [(d.track_id, d.reading.value) for d in now.moved] == [(1, 5)]
    assert now.thrown == ()
    assert now.gone == ()


def test_a_die_that_shows_its_value_may_have_slid_farther() -> None:
    now = started(A, B).compare([A, die(238, 70, 2)])
    assert [(d.track_id, d.reading.value) for d in now.moved] == [(1, 2)]
    now = started(A, B).compare([A, die(238, 70, 5)])
    assert now.moved == ()
    assert [d.track_id for d in now.thrown] == [1]


def test_a_die_turned_in_place_moved() -> None:
    now = started(A, B).compare([A, die(200, 60, 6)])
    assert [(d.track_id, d.reading.value) for d in now.moved] == [(1, 6)]


def test_a_near_die_of_another_kind_is_another_die() -> None:
    now = started(A, B).compare([A, die(222, 66, 2, Kind.BLACK)])
    assert [d.track_id for d in now.thrown] == [1]
    assert now.gone == (1,)
    assert now.moved == ()


def test_a_far_die_was_thrown() -> None:
    now = started(A, B).compare([A, die(260, 60, 2)])
    assert [d.track_id for d in now.thrown] == [1]


def test_thrown_in_one_go_a_near_die_with_another_value_was_thrown_too() -> None:
    now = started(A, B, C).compare([die(120, 60, 6), die(400, 90, 4), C])
    assert {d.reading.value for d in now.thrown} == {6, 4}
    assert now.moved == ()


def test_after_a_pick_up_a_near_die_was_held_and_knocked() -> None:
    tracker = started(A, B, C)
    tracker.compare([B, C])
    now = tracker.compare([die(210, 70, 6), C, die(400, 90, 4)])
    assert [(d.track_id, d.reading.value) for d in now.moved] == [(1, 6)]
    assert [(d.track_id, d.reading.value) for d in now.thrown] == [(0, 4)]


def test_what_the_picture_shows_unchanged_is_kept_whatever_the_reader_says() -> None:
    tracker = started(A, B)
    now = tracker.compare([die(100, 50, 6)], unchanged=[TrackId(0), TrackId(1)])
    assert [(d.track_id, d.reading.value) for d in now.dice] == [(0, 1), (1, 2)]
    assert (now.gone, now.moved, now.thrown) == ((), (), ())


def test_covered_dice_stay() -> None:
    now = started(A, B).compare([A], covered=[TrackId(1)])
    assert [d.track_id for d in now.dice] == [0, 1]
    assert now.gone == ()


def test_a_claim_is_not_given_up_for_a_doubt() -> None:
    doubt = die(100, 50, 4, state=DieState.UNSURE, also=1)
    now = started(A).compare([doubt])
    assert now.dice[0].reading.value == 1
    assert now.dice[0].reading.sure


@pytest.mark.parametrize("others", [(), (B, C)])
def test_a_doubt_that_is_cleared_is_reported(others: tuple[DieReading, ...]) -> None:
    tracker = started(replace(A, state=DieState.UNSURE), *others)
    now = tracker.compare([A, *others])
    assert [(d.track_id, d.reading.sure, d.thrown) for d in now.moved] == [(0, True, False)]
    assert (now.gone, now.thrown) == ((), ())
    assert tracker.compare([A, *others]).moved == ()


def test_a_doubt_that_stays_one_is_not_reported_as_cleared() -> None:
    doubt = replace(A, state=DieState.UNSURE)
    assert started(doubt, B).compare([doubt, B]).moved == ()


@pytest.mark.parametrize("state", [DieState.STACKED, DieState.LEANING])
def test_what_is_left_where_a_die_stood_on_another_is_no_doubt_cleared(state: DieState) -> None:
    tracker = started(replace(A, state=state, value=None, candidates=()), B)
    assert tracker.compare([A, B]).moved == ()


def test_with_a_throw_no_doubt_is_reported_as_cleared() -> None:
    tracker = started(replace(A, state=DieState.UNSURE), B)
    now = tracker.compare([A, B, C])
    assert now.moved == ()
    assert [d.track_id for d in now.thrown] == [2]


def test_of_many_dice_none_gives_up_what_was_claimed_of_it() -> None:
    tracker = started(A, B, C)
    doubt = replace(die(101, 51, 1), state=DieState.UNSURE)
    now = tracker.compare([doubt, B, C])
    assert [d.reading.sure for d in now.dice] == [True, True, True]
    assert now.dice[0].reading.center == doubt.center
    assert now.moved == ()


def test_a_doubt_that_excludes_the_old_value_is_a_turned_die() -> None:
    now = started(A).compare([die(100, 50, 4, state=DieState.UNSURE, also=5)])
    assert [d.track_id for d in now.moved] == [0]


@pytest.mark.parametrize("shift", [(70.0, 0.0), (-30.0, 25.0), (3.0, -4.0)])
def test_dice_that_all_moved_alike_were_not_touched(shift: tuple[float, float]) -> None:
    moved = [
        die(d.center[0] + shift[0], d.center[1] + shift[1], int(d.value or 0)) for d in (A, B, C)
    ]
    now = started(A, B, C).compare(moved)
    assert [(d.track_id, d.reading.value) for d in now.dice] == [(0, 1), (1, 2), (2, 3)]
    assert (now.gone, now.moved, now.thrown) == ((), (), ())


def test_the_same_arrangement_with_another_value_was_thrown() -> None:
    moved = [die(d.center[0] + 70, d.center[1], 6) for d in (A, B, C)]
    assert len(started(A, B, C).compare(moved).thrown) == 3


def test_after_the_tray_is_clear_slots_begin_anew() -> None:
    tracker = started(A, B, C)
    assert tracker.compare([]).gone == (0, 1, 2)
    assert tracker.dice == ()
    assert [d.track_id for d in tracker.compare([C]).dice] == [0]


def test_pairs_are_nearest_first_and_disjoint() -> None:
    old = [die(0, 0, 1), die(30, 0, 1)]
    new = [die(28, 0, 1), die(12, 0, 1)]
    assert pair_nearest(old, new, 1.5) == [(1, 0), (0, 1)]
    assert pair_nearest(old, new, 0.2) == [(1, 0)]


def test_edges_come_from_the_outline() -> None:
    assert edge_of(A) == pytest.approx(EDGE)
    assert edge_of(replace(A, outline=())) == 1.0
    assert typical_edge([]) is None
    assert typical_edge([A, B]) == pytest.approx(EDGE)


def test_likeness() -> None:
    assert claims_match(A, A)
    assert not claims_match(A, die(100, 50, 1, Kind.BLACK))
    assert claims_match(A, replace(A, value=None, candidates=(), state=DieState.UNSURE))
    assert not claims_match(A, replace(A, value=2, candidates=(), state=DieState.UNSURE))


PLACES = [(60.0 * column + 40, 60.0 * row + 40) for row in range(3) for column in range(5)]


@given(
    st.lists(
        st.lists(st.tuples(st.sampled_from(PLACES), st.integers(1, 6)), max_size=7),
        max_size=6,
    )
)
def test_slots_are_distinct_and_dense_enough(
    rests: list[list[tuple[tuple[float, float], int]]],
) -> None:
    tracker = Tracker()
    for rest in rests:
        readings = [die(x, y, value) for (x, y), value in dict(rest).items()]
        before = tracker.dice
        now = tracker.compare(readings)
        slots = [d.track_id for d in now.dice]
        assert slots == sorted(set(slots))
        assert len(slots) == len(readings)
        assert {d.reading.center for d in now.dice} == {d.center for d in readings}
        # A free slot is never passed over while a higher one is newly assigned.
        old = {d.track_id for d in before} - set(now.gone)
        given_now = [d.track_id for d in now.thrown]
        free = [slot for slot in range(20) if slot not in old]
        assert given_now == free[: len(given_now)]


def turned(reading: DieReading, degrees: float) -> DieReading:
    """The die in place, its top turned."""
    (x, y), angle = reading.center, np.radians(degrees)
    c, s = np.cos(angle), np.sin(angle)
    outline = tuple(
        (x + c * (px - x) - s * (py - y), y + s * (px - x) + c * (py - y))
        for px, py in reading.outline
    )
    return replace(reading, outline=outline)


@pytest.mark.parametrize(
    ("now", "kept"),
    [
        # Put back, or glare has appeared: it lies as it lay.
        (die(102, 51, 1, state=DieState.UNSURE, also=6), True),
        (turned(die(100, 50, 1, state=DieState.UNSURE, also=6), 5), True),
        # Another die came to rest nearby and cannot be read.
        (die(108, 50, 1, state=DieState.UNSURE, also=6), False),
        (turned(die(100, 50, 1, state=DieState.UNSURE, also=6), 30), False),
    ],
)
def test_a_doubt_takes_the_value_of_a_die_only_where_it_lies_as_that_one_lay(
    now: DieReading, kept: bool
) -> None:
    tracker = started(die(100, 50, 6), B, C)
    # A hand picks up and throws in one go: the dice were never seen gone.
    after = tracker.compare([now, die(40, 90, 5), die(340, 90, 4)])
    first = next(d for d in after.dice if d.reading.center == now.center or not d.thrown)
    assert first.thrown is not kept
    assert (first.reading.value, first.reading.sure) == ((6, True) if kept else (1, False))


def test_a_value_that_a_doubt_hardly_holds_possible_is_not_taken_for_it() -> None:
    hardly = replace(
        die(101, 50, 1, state=DieState.UNSURE),
        candidates=(Candidate(1, 0.9), Candidate(6, 0.03)),
    )
    assert not claims_match(die(100, 50, 6), hardly)
    tracker = started(die(100, 50, 6), B, C)
    after = tracker.compare([hardly, die(40, 90, 5), die(340, 90, 4)])
    assert [d.reading.value for d in after.thrown] == [5, 1, 4]


def test_a_die_of_unclear_kind_for_once_is_what_it_was() -> None:
    tracker = started(die(100, 50, 6, Kind.YELLOW), B)
    now = tracker.compare([die(102, 50, 6, Kind.OTHER), B])
    assert (now.thrown, now.gone, now.moved) == ((), (), ())
    assert now.dice[0].reading.kind is Kind.YELLOW
    pushed = tracker.compare([die(120, 50, 6, Kind.OTHER), B])
    assert [d.track_id for d in pushed.moved] == [0]
