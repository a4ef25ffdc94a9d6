"""One reading from several exposures: overexposed tops are read where they are not."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from simulator.render.dice_model import DieBody, flat_die
from simulator.render.renderer import with_metered_exposure
from simulator.render.scene import (
    LIVE_QUALITY,
    Scene,
    camera_parameters,
    with_exposure_share,
)
from tests.builders import reading
from tests.rigs.rendering.glare import GLOSSY, glaring_scene
from tests.rigs.rendering.pictures import drawn
from vision.errors import TooManySpots
from vision.exposures import combine_exposures, may_be_in_glare
from vision.frame import Image
from vision.geometry.profile import DieColour, Profile
from vision.learning import face_patch, learn_dice
from vision.power_die.print import whited_out
from vision.reader import Reader
from vision.reading import POWER_FACES, DieReading, DieState, Kind, TrayReading, TrayState

SIZE = (960, 540)
DULL, BURNT = 40, 255
SHARE = 1 / 8


def die(
    value: int, state: DieState = DieState.OK, x: float = 60.0, kind: Kind = Kind.BLACK
) -> DieReading:
    return reading(value, (x, 50.0), kind=kind, state=state)


def shown(level: int, *dice: DieReading) -> tuple[Image, TrayReading]:
    picture = np.full((100, 300, 3), level, np.uint8)
    return picture, TrayReading(TrayState.STILL if dice else TrayState.EMPTY, dice)


def test_a_burnt_top_is_read_in_the_darker_picture() -> None:
    lit = shown(BURNT, die(2, DieState.UNSURE, kind=Kind.OTHER))
    assert combine_exposures([lit, shown(DULL, die(6))]).dice == (die(6),)


@pytest.mark.parametrize("state", [DieState.UNSURE, DieState.LEANING, DieState.COVERED])
def test_what_no_lamp_outshines_stays_in_doubt(state: DieState) -> None:
    doubt = die(6, state)
    assert combine_exposures([shown(DULL, doubt), shown(DULL // 8, die(6))]).dice == (doubt,)


def test_two_claims_that_differ_are_a_doubt_for_good() -> None:
    lit = shown(BURNT, die(2))
    dice = combine_exposures([lit, shown(BURNT, die(6)), shown(DULL, die(6))]).dice
    assert [(d.value, d.state) for d in dice] == [(2, DieState.UNSURE)]
    red = combine_exposures([shown(DULL, die(2)), shown(DULL // 8, die(2, kind=Kind.RED))]).dice
    assert [d.state for d in red] == [DieState.UNSURE]


def test_what_is_white_in_the_dark_mirrors_a_lamp_and_may_be_any_die() -> None:
    white, other = die(6, kind=Kind.WHITE), die(6, kind=Kind.OTHER)
    doubt = shown(BURNT, die(2, DieState.UNSURE, kind=Kind.OTHER))
    assert combine_exposures([doubt, shown(BURNT, white)]).dice == (other,)
    assert combine_exposures([shown(BURNT, white), shown(BURNT, white)]).dice == (other,)
    assert combine_exposures([shown(BURNT, white), shown(DULL, die(6))]).dice == (die(6),)
    # A white die is too dim in the darker picture for its kind to be named.
    assert combine_exposures([shown(200, white), shown(DULL, other)]).dice == (white,)
    assert combine_exposures([shown(BURNT, white), shown(DULL, other)]).dice == (other,)


def test_a_claim_stays_where_the_darker_picture_shows_nothing() -> None:
    lit = shown(BURNT, die(2))
    assert combine_exposures([lit, shown(DULL)]).dice == (die(2),)
    assert combine_exposures([lit, shown(DULL, die(2, DieState.UNSURE))]).dice == (die(2),)


def test_a_darker_picture_that_shows_it_better_may_doubt_what_another_claims() -> None:
    lit, dim = shown(BURNT, die(2, DieState.UNSURE)), shown(BURNT, die(3))
    doubt = die(3, DieState.UNSURE)
    assert combine_exposures([lit, dim, shown(DULL, doubt)]).dice == (doubt,)
    assert combine_exposures([lit, shown(DULL, die(3)), shown(DULL, doubt)]).dice == (die(3),)


def test_a_die_seen_in_the_dark_alone_is_claimed_only_where_a_lamp_shone() -> None:
    assert combine_exposures([shown(BURNT), shown(DULL, die(4))]).dice == (die(4),)
    dice = combine_exposures([shown(DULL), shown(DULL // 8, die(4))]).dice
    assert [d.state for d in dice] == [DieState.UNSURE]
    assert combine_exposures([shown(BURNT), shown(DULL, die(4, DieState.UNSURE))]).dice == ()
    assert combine_exposures([shown(BURNT), shown(DULL)]).tray is TrayState.EMPTY


def test_a_die_that_glare_shifts_is_one_die() -> None:
    edge = 2 * abs(die(1).outline[0][0] - die(1).center[0])
    lit = shown(BURNT, die(2, DieState.UNSURE, x=60 + 0.7 * edge))
    assert combine_exposures([lit, shown(DULL, die(6))]).dice == (die(6),)
    beside = shown(BURNT, die(2, DieState.UNSURE, x=60 + 1.2 * edge))
    assert len(combine_exposures([beside, shown(DULL, die(6))]).dice) == 2


def test_a_top_glares_by_how_bright_it_is() -> None:
    levels = {level: may_be_in_glare(shown(level)[0], die(2)) for level in (20, 60, 120, 255)}
    assert levels == {20: False, 60: False, 120: True, 255: True}


# A lamp right above, reflected in the tops of glossy dice.

LAID = ((Kind.BLACK, 6, (-12.0, 10.0)), (Kind.BLACK, 4, (20.0, -8.0)), (Kind.RED, 4, (40.0, 25.0)))


@cache
def tray() -> Scene:
    return with_metered_exposure(glaring_scene(SIZE), 0.06)


def picture(share: float, *dice: DieBody, seed: int = 0) -> Image:
    scene = with_exposure_share(replace(tray(), dice=dice), share)
    return drawn(scene, np.random.default_rng(seed), LIVE_QUALITY)


def pictures(*dice: DieBody, seed: int = 0) -> tuple[Image, Image]:
    return picture(1.0, *dice, seed=seed), picture(SHARE, *dice, seed=seed + 1)


def power(face: str, place: tuple[float, float], turn: float) -> DieBody:
    return flat_die(Kind.POWER, face, place, turn, GLOSSY[Kind.POWER])


@cache
def learnt() -> Profile:
    dice = [flat_die(kind, face, place, 0.4, GLOSSY[kind]) for kind, face, place in LAID]
    faces = [(f, pictures(power(f, (5.0, 3.0), 0.3 * k))) for k, f in enumerate(POWER_FACES)]
    found = learn_dice(camera_parameters(tray()), picture(1.0), pictures(*dice), faces)
    assert found.refused == ()
    return found.profile


def test_glossy_dice_under_a_lamp_are_read_in_the_darker_picture() -> None:
    dice = [flat_die(kind, face, place, 0.7, GLOSSY[kind]) for kind, face, place in LAID]
    lit, dark = pictures(*dice, seed=5)
    reader = Reader(learnt())
    alone = reader.read(lit)
    assert not all(one.sure for one in alone.dice)
    both = reader.read(lit, [dark])
    assert [(d.value, d.sure) for d in both.dice] == [(face, True) for _, face, _ in LAID]
    assert all(
        d.kind in (kind, Kind.OTHER) for d, (kind, _, _) in zip(both.dice, LAID, strict=True)
    )
    assert reader.read_again(lit, alone, [dark]) == both


def test_a_darker_picture_that_drowns_in_noise_takes_nothing_away() -> None:
    lit = picture(1.0, flat_die(Kind.BLACK, 5, (-60.0, 40.0), 0.3, GLOSSY[Kind.BLACK]))
    specks = np.zeros_like(lit)
    specks[::12, ::12] = 255
    noise = np.asarray(cv2.GaussianBlur(specks, (7, 7), 1.5) * 6, np.uint8)
    reader = Reader(camera_parameters(tray()))
    with pytest.raises(TooManySpots):
        reader.read(noise).unless_crowded()
    alone = reader.read(lit)
    assert reader.read(lit, [noise]) == alone
    assert alone.dice


def test_power_faces_are_learnt_and_known_again_under_a_lamp() -> None:
    reader, sure = Reader(learnt()), []
    for k, face in enumerate(POWER_FACES):
        lit, dark = pictures(power(face, (12.0, -4.0), 2.0 + k), seed=30 + k)
        (seen,) = reader.read(lit, [dark]).dice
        assert (seen.kind, seen.value, seen.state) == (Kind.POWER, face, DieState.OK)
        sure += [die.sure for die in reader.read(lit).dice]
    assert not all(sure)


def test_a_face_is_cut_out_of_the_picture_in_which_glare_does_not_hide_it() -> None:
    lit, dark = pictures(power("2", (3.0, -1.0), 0.5))
    known = replace(camera_parameters(tray()), empty=picture(1.0))
    there = face_patch("2", lit, known, [dark])
    assert whited_out(there) < whited_out(face_patch("2", lit, known))
    lit, dark = pictures(power("2", (-70.0, 40.0), 0.5))
    far = face_patch("2", lit, known, [dark])
    assert far.mean() > 0.9 * face_patch("2", lit, known).mean()


def test_a_white_die_is_white_where_the_learnt_set_has_none() -> None:
    # Hold'em is played with dice that the set learnt for another game lacks.
    white = flat_die(Kind.WHITE, 5, (5.0, 3.0), 0.3, GLOSSY[Kind.WHITE])
    plain = Scene().with_size(SIZE)
    image = drawn(with_metered_exposure(replace(plain, dice=(white,)), 0.15), None, LIVE_QUALITY)
    profile = camera_parameters(plain)
    black = DieColour(Kind.BLACK, (20.0, 20.0, 20.0), (200.0, 200.0, 200.0), 5)
    for colours in ((), (black,)):
        (seen,) = Reader(replace(profile, colours=colours)).read(image).dice
        assert (seen.kind, seen.value) == (Kind.WHITE, 5)
