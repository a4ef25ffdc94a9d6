from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.render.artwork import (
    FACE_SIDE_PX,
    PIP_PLACES,
    face_atlas,
    pip_places,
    power_face,
)
from simulator.render.dice_model import (
    EDGE_MM,
    FACE_DOWN,
    FACE_NORMALS,
    FACE_RIGHT,
    STANDARD_STYLES,
    DieStyle,
    PowerArt,
    as_quaternion,
    cube_rotations,
    face_up,
    flat_die,
    rotation_matrix,
    slot_of,
    top_slot,
)
from vision.reading import POWER_FACES, Face, Kind


def test_opposite_faces_add_up_to_seven() -> None:
    for value in range(1, 7):
        opposite = [v for v in range(1, 7) if FACE_NORMALS[v - 1] @ FACE_NORMALS[value - 1] == -1]
        assert opposite == [7 - value]


def test_one_two_three_run_counter_clockwise_round_their_corner() -> None:
    """Seen from outside: the western orientation. A mirrored die would have the sign reversed."""
    corner = FACE_NORMALS[0] + FACE_NORMALS[1] + FACE_NORMALS[2]
    turning = np.cross(FACE_NORMALS[0], FACE_NORMALS[1])
    assert turning @ FACE_NORMALS[2] > 0 and turning @ corner > 0


def test_print_is_not_mirrored() -> None:
    """Right, down and into the face make a right-handed frame, as in a picture."""
    for slot in range(6):
        into = np.cross(FACE_RIGHT[slot], FACE_DOWN[slot])
        assert np.allclose(into, -FACE_NORMALS[slot])


def test_there_are_24_proper_rotations() -> None:
    turns = cube_rotations()
    assert len({m.tobytes() for m in turns}) == 24
    assert all(np.isclose(np.linalg.det(m), 1) for m in turns)


@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(lambda q: sum(map(abs, q)) > 0.1))
def test_quaternion_and_matrix_agree(values: list[float]) -> None:
    w, x, y, z = np.array(values) / np.linalg.norm(values)
    m = rotation_matrix((w, x, y, z))
    assert np.allclose(m @ m.T, np.eye(3), atol=1e-9)
    assert np.allclose(rotation_matrix(as_quaternion(m)), m, atol=1e-7)


@pytest.mark.parametrize("kind", [Kind.BLACK, Kind.RED, Kind.WHITE, Kind.YELLOW, Kind.POWER])
def test_lying_die_shows_its_face_and_stands_on_the_floor(kind: Kind) -> None:
    faces: tuple[Face, ...] = POWER_FACES if kind is Kind.POWER else (1, 2, 3, 4, 5, 6)
    for face in faces:
        for yaw in (0.0, 0.7, -2.5):
            die = flat_die(kind, face, (12.0, -7.0), yaw)
            assert face_up(die) == face
            slot, tilt = top_slot(die)
            assert slot == slot_of(kind, face) and tilt < 1e-3
            assert die.position == (12.0, -7.0, -EDGE_MM / 2)
            right = die.rotation @ FACE_RIGHT[slot]
            assert np.allclose(right, (np.cos(yaw), np.sin(yaw), 0), atol=1e-6)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: slot_of(Kind.BLACK, 7),
        lambda: slot_of(Kind.POWER, 3),
        lambda: slot_of(Kind.RED, "double"),
    ],
)
def test_unknown_faces_are_refused(ask: Callable[[], int]) -> None:
    with pytest.raises(ValueError, match="shows"):
        ask()


def test_faces_have_as_many_pips_as_they_say() -> None:
    style = STANDARD_STYLES[Kind.WHITE]
    colour, _ = face_atlas(Kind.WHITE, style, EDGE_MM)
    area = np.pi * style.pip_radius**2 * (FACE_SIDE_PX / EDGE_MM) ** 2
    for value in range(1, 7):
        assert len(PIP_PLACES[value]) == value
        face = colour[(value - 1) * FACE_SIDE_PX : value * FACE_SIDE_PX, :, 3]
        assert abs(face.sum() / area - value) < 0.05


def test_pip_patterns_look_alike_when_turned_half_round() -> None:
    for value in range(1, 7):
        places = {tuple(p) for p in np.round(pip_places(value, DieStyle()), 3) + 0.0}
        assert places == {(-x + 0.0, -y + 0.0) for x, y in places}


def test_a_flip_turns_two_three_and_six_only() -> None:
    flipped = DieStyle(flips=(True, True, True))
    for value in range(1, 7):
        before = {tuple(p) for p in np.round(pip_places(value, DieStyle()), 3) + 0.0}
        after = {tuple(p) for p in np.round(pip_places(value, flipped), 3) + 0.0}
        assert (before != after) == (value in (2, 3, 6))


@pytest.mark.parametrize("design", range(4))
def test_power_faces_differ_from_one_another(design: int) -> None:
    art = PowerArt(designs=(design,) * 6)
    prints = [power_face(name, art) for name in POWER_FACES]
    for k, a in enumerate(prints):
        assert 0.02 < a.mean() < 0.4
        for b in prints[:k]:
            for turn in range(4):
                assert np.abs(a - np.rot90(b, turn)).mean() > 0.02


def test_atlas_is_the_same_in_every_process() -> None:
    colour, _ = face_atlas(Kind.BLACK, DieStyle(wear=0.5), EDGE_MM)
    assert float(colour[:, :, 0].sum()) == pytest.approx(7416.8, rel=1e-4)
