"""Patches cut out of rendered views, and what they teach."""

from dataclasses import replace

import numpy as np
import pytest

from scripts.training.close_views import (
    HIDDEN_TOP_SHARE,
    SLIGHT_LEAN_DEGREES,
    close_views,
    moved,
    seen_close,
    tilted,
)
from scripts.training.drawn.cutting import ANY, View, cut_lessons, cut_patches
from scripts.training.drawn.patches import COVERED, EDGE, LEANING, NONE, SIDE
from scripts.training.making import view_of
from simulator.render.dice_model import FACE_NORMALS, STANDARD_STYLES, flat_die, top_slot
from simulator.render.pinhole import look_down
from simulator.render.scene import Scene
from simulator.render.sensor import Sensor
from vision.classify.posture import SLANT_GUESSED, SLANT_KNOWN, SLANT_UNKNOWN
from vision.frame import Image
from vision.image.arrays import FloatArray
from vision.reading import Kind

SCENE = Scene(camera=look_down((1536, 864), height=330.0), sensor=Sensor(exposure=1.1))
STYLE = STANDARD_STYLES[Kind.RED]


def view(degrees: float = 0.0, hidden: float = 0.0) -> View:
    """A red 5, slightly off the centre of the tray."""
    flat = flat_die(Kind.RED, 5, (0.0, 0.0), 0.4, STYLE)
    die = tilted(np.random.default_rng(2), Kind.RED, STYLE, degrees, 0.0) if degrees else flat
    scene = replace(SCENE, dice=(moved(die, 12.0, 7.0),))
    seen = view_of(seen_close(np.random.default_rng(1), scene))
    dice = tuple(replace(one, hidden=hidden) for one in seen.dice)
    return replace(seen, dice=dice)


def middle_of_red(picture: Image) -> FloatArray:
    """The centre of the plainly red pixels, in pixels."""
    blue, green, red = picture.astype(float).transpose(2, 0, 1)
    ys, xs = np.nonzero(red - np.maximum(blue, green) > 40)
    return np.array([xs.mean(), ys.mean()])


def test_the_pose_says_where_the_top_is() -> None:
    rng = np.random.default_rng(3)
    seen = view()
    patches = [patch for _ in range(20) for patch in cut_patches(rng, seen)]
    tops = [patch for patch in patches if patch.label == 5]
    assert 20 <= len(tops) < len(patches)
    for patch in tops:
        told = patch.pose[:2] * EDGE + (SIDE - 1) / 2
        # A strip of the side faces is visible too.
        assert middle_of_red(patch.picture) == pytest.approx(told, abs=0.25 * EDGE)


def test_a_hand_or_a_card_hides_a_part_of_the_first_die() -> None:
    for seen in close_views(np.random.default_rng(6), "easy", 4, "covered"):
        first = view_of(seen).dice[0]
        assert HIDDEN_TOP_SHARE[0] < first.hidden < HIDDEN_TOP_SHARE[1]
        assert seen.scene.hand is not None or seen.scene.card is not None


def test_a_die_that_faces_the_camera_leans() -> None:
    for seen in close_views(np.random.default_rng(7), "easy", 4, "facing"):
        die = seen.scene.dice[0]
        assert view_of(seen).dice[0].tilt > SLIGHT_LEAN_DEGREES[0] - 0.1
        way = seen.scene.camera.position - np.array(die.position)
        top = die.rotation @ FACE_NORMALS[top_slot(die)[0]]
        # Within 18 degrees of the line of sight.
        assert top @ way > 0.95 * np.linalg.norm(way)


def test_kind_and_turn_are_left_open() -> None:
    for patch in cut_patches(np.random.default_rng(4), view()):
        assert patch.kind == -1
        assert np.isnan(patch.pose[3:]).all()


def test_beside_a_die_there_is_no_face() -> None:
    rng = np.random.default_rng(5)
    patches = [patch for _ in range(40) for patch in cut_patches(rng, view())]
    off = [patch for patch in patches if patch.label == NONE]
    assert 0.1 < len(off) / len(patches) < 0.4
    assert all(np.hypot(*patch.pose[:2]) > 0.3 for patch in off)


@pytest.mark.parametrize(
    ("degrees", "hidden", "label"), [(40.0, 0.0, LEANING), (0.0, 0.5, COVERED), (0.0, 0.9, NONE)]
)
def test_what_cannot_be_read_is_called_so(degrees: float, hidden: float, label: int) -> None:
    rng = np.random.default_rng(6)
    labels = {patch.label for _ in range(10) for patch in cut_patches(rng, view(degrees, hidden))}
    assert labels == {NONE, label}


@pytest.mark.parametrize(("hidden", "values"), [(0.4, {NONE, 5}), (0.6, {NONE, ANY})])
def test_lessons_keep_the_value_until_half_is_hidden(hidden: float, values: set[int]) -> None:
    """A 5 is still a 5, not a 2, by what a hand leaves visible of it."""
    rng = np.random.default_rng(7)
    lessons = [one for _ in range(20) for one in cut_lessons(rng, view(hidden=hidden))]
    assert {lesson.value for lesson in lessons} == values


def test_lessons_without_geometry_are_left_out_where_that_is_wanted() -> None:
    rng, seen = np.random.default_rng(4), view()
    for known, expected in (
        (False, {SLANT_KNOWN, SLANT_GUESSED, SLANT_UNKNOWN}),
        (True, {SLANT_KNOWN}),
    ):
        lessons = [one for _ in range(9) for one in cut_lessons(rng, seen, known)]
        assert {one.certainty for one in lessons} == expected


def test_a_guessed_slant_is_often_far_off() -> None:
    rng, seen = np.random.default_rng(4), view()
    lessons = [one for _ in range(40) for one in cut_lessons(rng, seen)]
    known, guessed = (
        np.array([one.slant for one in lessons if one.certainty == certainty])
        for certainty in (SLANT_KNOWN, SLANT_GUESSED)
    )
    assert known.std() < 0.01
    assert 0.03 < guessed.std() < 0.12
