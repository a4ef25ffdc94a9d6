"""Power faces learnt from answers: two that agree are believed, contradictions are not."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from calibration import store
from calibration.calibration import Calibration
from calibration.readers import CalibratedReader
from calibration.self_calibration import with_answer
from calibration.self_calibration.answers import MAX_ANSWERS, named_faces
from simulator.render.dice_model import PowerArt, flat_die
from simulator.scenes.installations import INSTALLATION_QUALITY
from tests.appliance.service.test_finding import empty_tray
from tests.calibration.self_calibration.test_dice import calibration
from tests.rigs.rendering.pictures import drawn
from tests.vision.faces import draw_face, patch_of
from vision.frame import Image
from vision.geometry.profile import PowerFace
from vision.power_die.faces import learn
from vision.reading import POWER_FACES, Kind


@lru_cache(maxsize=64)
def answer(said: str, shows: str, turn: float = 0.0) -> PowerFace:
    """The players' answer on a face, and how it looked."""
    patch = patch_of(draw_face(shows, PowerArt(), turn=turn))
    return PowerFace(said, learn([(said, patch)]).prints[0][1])


def names(answers: Sequence[PowerFace], shown: Sequence[PowerFace] = ()) -> list[str]:
    return list(dict.fromkeys(face.value for face in named_faces(answers, shown)))


@pytest.mark.parametrize("face", POWER_FACES)
def test_two_throws_that_agree_name_a_face_and_one_does_not(face: str) -> None:
    first, second = answer(face, face), answer(face, face, 130.0)
    assert names([first]) == []
    assert names([first, second]) == [face]


def test_one_wrong_answer_only_delays_the_right_name() -> None:
    wrong = answer("1", "freeze")
    right = [answer("freeze", "freeze", turn) for turn in (40.0, 80.0, 120.0)]
    assert names([wrong, right[0]]) == []
    assert names([wrong, *right[:2]]) == []
    assert names([wrong, *right]) == ["freeze"]


def test_who_always_says_1_teaches_nothing() -> None:
    hasty = [answer("1", shows, turn) for turn in (0.0, 77.0) for shows in ("double", "power")]
    assert names(hasty) == []
    true = [answer("1", "1", turn) for turn in (0.0, 77.0)]
    assert names([*hasty, *true]) == []
    # Until the others have got their own names.
    for shows in ("double", "power"):
        hasty += [answer(shows, shows, turn) for turn in (10.0, 50.0, 90.0, 140.0)]
    assert sorted(names([*hasty, *true])) == ["1", "double", "power"]


def test_what_was_shown_is_neither_renamed_nor_given_a_second_print() -> None:
    shown = [answer("freeze", "freeze", 10.0)]
    assert names([answer("1", "freeze", turn) for turn in (50.0, 90.0)], shown) == []
    assert names([answer("freeze", "double", turn) for turn in (50.0, 90.0)], shown) == []


def thrown(face: str, turn: float) -> tuple[Image, tuple[float, float]]:
    """A picture of the Power die, and where it lies."""
    scene = replace(empty_tray(), dice=(flat_die(Kind.POWER, face, (15.0, -10.0), turn),))
    image = drawn(scene, np.random.default_rng(1), INSTALLATION_QUALITY)
    profile = calibration().profile
    x, y = profile.tops(np.array([(15.0, -10.0)]))[0]
    (die,) = CalibratedReader(calibration()).read(image).dice
    assert not die.sure
    assert np.hypot(die.center[0] - x, die.center[1] - y) < profile.edge_pixels((x, y)) / 4
    return image, die.center


def claimed(known: Calibration, image: Image) -> str | int | None:
    (die,) = CalibratedReader(known).read(image).dice
    return die.value if die.sure else None


def test_the_reader_claims_what_answers_have_named_and_unlearns_what_they_contradict() -> None:
    known = calibration()
    throws = [thrown("freeze", turn) for turn in (0.2, 1.1)]
    for image, at in throws:
        assert claimed(known, image) is None
        known = with_answer(known, "freeze", image, at)
    assert claimed(known, throws[0][0]) == "freeze"
    # It is kept with its evidence.
    again = store.decode(store.encode(known))
    assert [face.value for face in again.answers] == ["freeze", "freeze"]
    assert claimed(again, throws[1][0]) == "freeze"
    # Somebody corrects it: it is asked about again.
    doubted = with_answer(again, "power", *throws[0])
    assert claimed(doubted, throws[1][0]) is None
    assert len(doubted.answers) == 3
    many = doubted
    for _ in range(MAX_ANSWERS):
        many = with_answer(many, "power", *throws[0])
    assert len(many.answers) == MAX_ANSWERS
    assert claimed(many, throws[1][0]) == "power"


def test_a_face_in_glare_teaches_nothing() -> None:
    known = calibration()
    white = np.full_like(thrown("freeze", 0.2)[0], 255)
    assert with_answer(known, "freeze", white, (640.0, 360.0)) is known
