"""Dice in the holders beside the tray are held: the same dice, not thrown, not surplus."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.watch.test_tracker import A, B, C, die, started
from vision.errors import ProfileError
from vision.geometry.profile import Profile
from vision.reading import Candidate, DieReading, DieState, Kind
from vision.watch.tracker import Tracker

HOLDERS = np.array(((100.0, -60.0), (140.0, -60.0), (140.0, 60.0), (100.0, 60.0)))


def held(x: float, y: float, value: int, kind: Kind = Kind.RED) -> DieReading:
    return replace(die(x, y, value, kind), held=True)


def profile() -> Profile:
    return Profile(
        size=(640, 360),
        camera=np.array(((500.0, 0, 320), (0, 500.0, 180), (0, 0, 1))),
        distortion=np.zeros(4),
        rotation=np.eye(3),
        translation=np.array((0.0, 0.0, 400.0)),
        tray=np.array(((-105.0, -70.0), (105.0, -70.0), (105.0, 70.0), (-105.0, 70.0))),
        holders=HOLDERS,
    )


def test_a_die_put_into_the_holders_keeps_its_slot_and_was_not_thrown() -> None:
    tracker = started(A, B, C)
    now = tracker.compare([A, C, held(600, 40, 2)])
    assert [(d.track_id, d.reading.value) for d in now.dice] == [(0, 1), (1, 2), (2, 3)]
    assert [d.track_id for d in now.moved] == [1]
    assert (now.thrown, now.gone) == ((), ())
    assert now.dice[1].reading.held


def test_it_stays_while_the_others_are_thrown() -> None:
    tracker = started(A, B, C)
    in_holder = held(600, 40, 2)
    tracker.compare([A, C, in_holder])
    tracker.compare([in_holder])
    now = tracker.compare([in_holder, die(120, 90, 6), die(250, 80, 5)])
    assert [d.reading.value for d in now.thrown] == [6, 5]
    assert [(d.track_id, d.reading.value) for d in now.dice if not d.thrown] == [(1, 2)]


def test_holding_and_throwing_in_one_go_is_told_apart() -> None:
    tracker = started(A, B, C)
    now = tracker.compare([held(600, 40, 1), held(600, 70, 3), die(250, 90, 2)])
    assert [(d.track_id, d.reading.value, d.thrown) for d in now.dice] == [
        (0, 1, False),
        (1, 2, True),
        (2, 3, False),
    ]


def test_a_die_that_is_carried_for_a_while_is_known_again_in_the_holders() -> None:
    tracker = started(A, B, C)
    assert tracker.compare([A, C]).gone == (1,)
    now = tracker.compare([A, C, held(600, 40, 2)])
    assert [d.track_id for d in now.moved] == [1]
    assert len(now.dice) == 3


def test_what_was_picked_up_before_the_last_throw_is_forgotten() -> None:
    tracker = started(A, B, C)
    tracker.compare([A, C])
    tracker.compare([A, C, die(500, 90, 6)])
    assert len(tracker.compare([A, C, die(500, 90, 6), held(600, 40, 2)]).dice) == 3


@pytest.mark.parametrize("other", [held(600, 40, 4), held(600, 40, 2, Kind.WHITE)])
def test_other_dice_in_the_holders_are_none_of_the_games(other: DieReading) -> None:
    tracker = started(A, B, C)
    now = tracker.compare([A, B, C, other])
    assert len(now.dice) == 3
    assert (now.moved, now.thrown, now.gone) == ((), (), ())
    assert len(Tracker().found([A, other])) == 1


def test_a_doubt_in_the_holders_changes_nothing_of_what_was_seen() -> None:
    tracker = started(A, B, C)
    first = held(600, 40, 2)
    tracker.compare([A, C, first])
    doubt = replace(first, value=5, state=DieState.UNSURE, candidates=(Candidate(5, 0.6),))
    for seen in (doubt, replace(doubt, center=(604.0, 52.0)), replace(first, value=6)):
        now = tracker.compare([A, C, seen])
        assert [d.reading.value for d in now.dice] == [1, 2, 3]
        assert now.thrown == ()


def test_a_die_thrown_beside_the_holders_is_not_the_one_that_stood_there() -> None:
    tracker = started(A, B, C)
    tracker.compare([A, B, held(340, 40, 3)])
    now = tracker.compare([A, B, die(310, 40, 3)])
    assert [d.reading.value for d in now.thrown] == [3]


def test_places_in_the_holders_are_given_by_the_profile() -> None:
    tray = profile()
    assert tray.held(np.array((120.0, 0.0)))
    # Where the zone reaches over the wall, a die in the tray is in the tray.
    assert not tray.held(np.array((102.0, 0.0)))
    assert not tray.held(np.array((120.0, 65.0)))
    assert not replace(tray, holders=None).held(np.array((120.0, 0.0)))
    right = max(x for x, _ in tray.dice_pixels())
    assert right == pytest.approx(320 + 500 * 140 / (400 - 16), abs=0.1)
    assert replace(tray, holders=None).dice_pixels() == tray.tray_pixels()
    assert tray.region(0.0)[2] > replace(tray, holders=None).region(0.0)[2]


def test_a_zone_needs_corners() -> None:
    with pytest.raises(ProfileError, match="holders"):
        replace(profile(), holders=HOLDERS[:2])
