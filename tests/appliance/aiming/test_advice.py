"""Advice on a camera, on rendered pictures of every mistake that people make."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import cv2
import numpy as np
import pytest

from appliance.aiming import Advice, Aim, Steady, Verdict, advise
from calibration.errors import RefusedError
from calibration.problems import Problem
from calibration.readers import UncalibratedReader
from simulator.render.scene import Scene, with_exposure_share
from tests.calibration.setups import installation
from tests.rigs.examples import FULL, examples
from tests.rigs.spoken import spoken
from tests.rigs.webcam import over_dice, photograph
from vision.frame import Image
from vision.glance import glance
from vision.reading import Kind

SEEDS = range(examples(1, 4))
LEANING = tuple(product(SEEDS, (20, 25, 30))) if FULL else ((0, 20), (1, 30))
FAR = [*product(SEEDS, (1100,)), *((0, 1200), (1, 1200))[: 2 * FULL], (2, 1250)]
PLAY = Verdict(Advice.PLAY, {"read": 5})


def told(image: Image) -> Verdict:
    return advise(Aim.of(image, UncalibratedReader().read(image), glance(image)))


@pytest.mark.parametrize("seed", SEEDS)
def test_five_dice_seen_straight_from_above_can_be_played_with(seed: int) -> None:
    # One after the other, as the empty scene is drawn once for all.
    for kind in (Kind.BLACK, Kind.WHITE, Kind.RED):
        assert told(photograph(over_dice(seed, kind=kind))) == PLAY, kind


@pytest.mark.parametrize("seed", SEEDS)
def test_a_little_lean_does_no_harm(seed: int) -> None:
    assert told(photograph(over_dice(seed, lean=5))) == PLAY


@pytest.mark.parametrize(("seed", "lean"), LEANING)
def test_a_camera_that_leans_is_told_to_look_straight_down(seed: int, lean: float) -> None:
    faces = ((4, 2, 5, 1, 6), (6, 6, 3, 4, 1), (5, 5, 2, 2, 1), (4, 4, 6, 3, 5))[seed]
    verdict = told(photograph(over_dice(seed, faces, lean)))
    assert verdict.advice is Advice.STRAIGHT_DOWN
    assert abs(verdict.numbers["degrees"] - lean) <= 10


def test_a_lean_is_not_known_from_pips_in_a_row() -> None:
    verdict = told(photograph(over_dice(1, (1, 2, 3, 2, 1), 20)))
    assert verdict.advice is Advice.IN_DOUBT


def darker(scene: Scene, share: float) -> Image:
    return photograph(with_exposure_share(scene, share))


SPOILT: dict[Advice, Callable[[Scene], Image]] = {
    Advice.BLACK: lambda scene: darker(scene, 0.005),
    Advice.MORE_LIGHT: lambda scene: darker(scene, 0.08),
    Advice.LESS_LIGHT: lambda scene: darker(scene, 12.0),
    Advice.FOCUS: lambda scene: blurred(photograph(scene), 7.0),
}


@pytest.mark.parametrize("seed", SEEDS)
def test_what_spoils_a_picture_is_named(seed: int) -> None:
    for advice, spoilt in SPOILT.items():
        assert told(spoilt(over_dice(seed))).advice is advice


def blurred(image: Image, sigma_px: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma_px), np.uint8)


@pytest.mark.parametrize("seed", SEEDS)
def test_dice_of_18_pixels_are_read(seed: int) -> None:
    assert told(photograph(over_dice(seed, distance=800))) == PLAY


@pytest.mark.parametrize(("seed", "distance"), FAR)
def test_dice_that_are_too_small_are_named(seed: int, distance: float) -> None:
    assert told(photograph(over_dice(seed, distance=distance))).advice is Advice.TOO_FAR


def test_without_dice_some_are_asked_for_and_three_are_not_enough() -> None:
    scene = over_dice(0)
    assert told(photograph(replace(scene, dice=()))).advice is Advice.NO_DICE
    few = told(photograph(replace(scene, dice=scene.dice[:3])))
    assert few == Verdict(Advice.MORE_DICE, {"read": 3})


def test_a_mirrored_picture_is_known_by_the_markers() -> None:
    scene = installation(0, (1280, 720))
    image = photograph(replace(scene, dice=over_dice(0).dice))
    assert told(np.asarray(cv2.flip(image, 1), np.uint8)).advice is Advice.MIRRORED
    assert told(image).advice is not Advice.MIRRORED


@pytest.mark.parametrize(
    ("aim", "advice"),
    [
        (Aim(crowded=True, doubts=40), Advice.PLAIN_FLOOR),
        (Aim(read=5, refused=RefusedError(Problem.HIDDEN, "")), Advice.MARKERS),
        (Aim(read=5, refused=RefusedError(Problem.TILTED, "", 45.0)), Advice.STRAIGHT_DOWN),
        (Aim(read=6), Advice.PLAY),
        (Aim(read=5, slant=25), Advice.STRAIGHT_DOWN),
        (Aim(read=5, slant=15), Advice.PLAY),
        (Aim(read=4, doubts=1, slant=15), Advice.STRAIGHT_DOWN),
        (Aim(read=4, doubts=1, slant=15, edge_width_px=6), Advice.FOCUS),
        (Aim(read=4, doubts=1, edge_px=40), Advice.IN_DOUBT),
    ],
)
def test_the_first_cause_is_named(aim: Aim, advice: Advice) -> None:
    assert advise(aim).advice is advice


def test_advice_changes_only_once_two_readings_agree() -> None:
    steady = Steady()
    doubt = Verdict(Advice.IN_DOUBT, {"doubts": 1})
    given = [PLAY, doubt, PLAY, doubt, Verdict(Advice.IN_DOUBT, {"doubts": 2}), PLAY]
    shown = [steady.settle(verdict).advice for verdict in given]
    assert shown == [Advice.PLAY] * 4 + [Advice.IN_DOUBT] * 2


def test_numbers_stand_in_the_sentence_in_every_language() -> None:
    assert PLAY.sentence == "ALL 5 READ: PLAY"
    with spoken("de"):
        assert "5" in PLAY.sentence
        assert PLAY.sentence != "ALL 5 READ: PLAY"


def test_what_is_amiss_with_markers_is_said_in_the_words_of_the_board() -> None:
    verdict = advise(Aim(read=5, refused=RefusedError(Problem.MARKERS_MIXED, "")))
    assert verdict.sentence == "MARKERS MIXED: AS ON THE SHEET"
    with spoken("de"):
        assert verdict.sentence == "MARKEN FALSCH: WIE AUF BLATT"
