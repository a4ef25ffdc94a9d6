"""Places are looked at while the looks last, and again where it is not plain what lies there."""

import numpy as np
import pytest

from scripts.training.drawn.trays import EDGE, GRID, draw_tray
from simulator.render.pinhole import look_down
from simulator.render.scene import Scene, camera_parameters
from vision.classify import face as face_classifier
from vision.classify.face import FACE_CLASSES, FaceEstimates, Pyramid
from vision.detect.places import Places
from vision.detect.search import Search, places_of
from vision.detect.tops import Tops
from vision.geometry.axes import top_edges
from vision.image.arrays import FloatArray


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


def test_with_geometry_plain_dice_that_lie_where_they_were_sought_are_looked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[list[list[float]]] = []

    def look(_: Pyramid, centers: FloatArray, axes: FloatArray) -> FaceEstimates:
        asked.append(centers.tolist())
        # By the place: a plain die, one that lies elsewhere, one in doubt, none.
        shown = (centers[:, 0] / 60 - 2).round().astype(int)
        faces = np.zeros((len(centers), FACE_CLASSES))
        faces[:, 3] = np.array([0.99, 0.99, 0.9, 0.0])[shown]
        faces[:, 0] = 1 - faces[:, 3]
        shift = np.array([0.04, 0.06, 0.0, 0.0])[shown] * top_edges(axes)
        moved = centers + shift[:, None] * (1.0, 0.0)
        count = len(centers)
        return FaceEstimates(faces, np.full((count, 6), 1 / 6), moved, axes, np.zeros(count))

    monkeypatch.setattr(face_classifier, "classify_faces", look)
    scene = Scene(camera=look_down((400, 300), height=300.0))
    profile = camera_parameters(scene)
    pyramid = Pyramid(np.zeros((300, 400, 3), np.uint8))
    centers = np.array([(120.0, 150.0), (180.0, 150.0), (240.0, 150.0), (300.0, 150.0)])
    places = centers, np.full(4, profile.usual_edge())
    found = Search(pyramid, profile, 1.0, looks=100).look(places)
    assert len(asked[0]) == 4
    assert [round(x / 60 - 2) for x, _ in asked[1]] == [1, 2]
    assert len(asked) == 2
    assert sorted(round(x / 60 - 2) for x in found.centers[:, 0]) == [0, 1, 2]
    asked.clear()
    Search(pyramid, None, 1.0, looks=100).look(places)
    assert [len(looked) for looked in asked] == [4, 3], "elsewhere each die is looked at twice"
