"""Several readings of the same dice at rest, and what they say together."""

from dataclasses import replace

from tests.builders import reading
from vision.reading import DieState
from vision.watch.consensus import merge_readings

LEFT, RIGHT = reading(3, (100, 50)), reading(5, (200, 60))


def test_a_single_reading_is_taken_as_it_is_from_left_to_right() -> None:
    assert merge_readings([[RIGHT, LEFT]]) == (LEFT, RIGHT)
    assert merge_readings([[]]) == ()


def test_a_claim_is_believed_if_two_readings_make_it_and_none_another() -> None:
    other = replace(RIGHT, value=6)
    assert merge_readings([[LEFT, RIGHT], [LEFT, RIGHT]]) == (LEFT, RIGHT)
    for readings in ([[LEFT, RIGHT], [LEFT]], [[LEFT, RIGHT], [LEFT, other], [LEFT, RIGHT]]):
        assert merge_readings(readings)[0] == LEFT
    merged = merge_readings([[LEFT, RIGHT], [LEFT, other], [LEFT, RIGHT]])
    assert [die.state for die in merged] == [DieState.OK, DieState.UNSURE]
