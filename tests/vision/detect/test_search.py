"""Places are looked at while the looks last, and what is plainly a die needs no rival."""

import numpy as np
import pytest

from scripts.training.drawn.trays import EDGE, GRID, draw_tray
from vision.classify.face import COVERED, FACE_CLASSES, LEANING, SYMBOL, FaceEstimates, Pyramid
from vision.detect.places import Places
from vision.detect.search import Search, _places_off_dice, places_of
from vision.detect.tops import Tops


def seen(klass: int, share: float) -> FaceEstimates:
    """One look at (100, 100), at a die of 40 pixels, with the network's output."""
    faces = np.full((1, FACE_CLASSES), (1 - share) / (FACE_CLASSES - 1))
    faces[0, klass] = share
    return FaceEstimates(
        faces,
        np.full((1, 6), 1 / 6),
        np.array([(100.0, 100.0)]),
        40 * np.eye(2)[None],
        np.zeros(1),
    )


@pytest.mark.parametrize(
    ("klass", "share", "looked_at"),
    [
        (4, 0.99, False),
        (SYMBOL, 0.7, False),
        (4, 0.5, True),
        # A patch off the centre of a die looks like a die that leans or is covered.
        (LEANING, 0.99, True),
        (COVERED, 0.99, True),
        (0, 0.99, True),
    ],
)
def test_only_plain_finds_need_no_rival(klass: int, share: float, looked_at: bool) -> None:
    near, far = (110.0, 100.0), (140.0, 100.0)
    centers, edges = _places_off_dice((np.array([near, far]), np.full(2, 40.0)), seen(klass, share))
    assert centers.tolist() == [[*near], [*far]][not looked_at :]
    assert len(edges) == len(centers)


def test_no_places_and_no_finds_are_no_matter() -> None:
    nothing = (np.zeros((0, 2)), np.zeros(0))
    assert len(_places_off_dice(nothing, seen(4, 0.99))[1]) == 0
    some = (np.array([(1.0, 2.0)]), np.ones(1))
    assert len(_places_off_dice(some, seen(4, 0.99).take(np.zeros(1, np.bool_)))[1]) == 1


def laid() -> Places:
    """Where the dice of the drawn tray lie."""
    return np.array(GRID, np.float64), np.full(len(GRID), float(EDGE))


def test_looks_that_run_out_go_to_the_first_places_and_it_says_so() -> None:
    pyramid = Pyramid(draw_tray((1, 2, 3, 4, 5, 6), ("black",) * 6))
    whole, some = Search(pyramid, None, 1.0, looks=1000), Search(pyramid, None, 1.0, looks=7)
    values = whole.look(laid()).faces.argmax(axis=1)
    assert sorted(values.tolist()) == [1, 2, 3, 4, 5, 6]
    assert not whole.ended_early
    # Six first looks leave one for a second: only that die is returned.
    found = some.look(laid())
    assert some.ended_early
    assert some.looks == 0
    assert len(found.faces) == 1
    assert int(found.faces.argmax()) in range(1, 7)


def test_each_top_is_looked_at_in_several_sizes_the_likeliest_first() -> None:
    tops = Tops(
        np.array([(10.0, 20.0), (50.0, 60.0)]), np.array([20.0, 30.0]), np.array([0.9, 0.4])
    )
    centers, edges = places_of(tops)
    assert centers[:2].tolist() == tops.centers.tolist()
    assert edges[:2].tolist() == [20.0, 30.0]
    assert sorted(edges[::2].tolist()) == pytest.approx([17.0, 20.0, 23.6])
