"""An installation learnt from pictures of our own renderer: tray, set and faces."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from simulator.render.dice_model import STANDARD_STYLES, DieBody, flat_die
from simulator.render.renderer import with_metered_exposure
from simulator.render.scene import LIVE_QUALITY, Scene
from tests.rigs.rendering.pictures import drawn
from tests.rigs.rendering.random_scene import random_scene
from vision import reader
from vision.classify.face import Pyramid
from vision.classify.posture import PostureEstimates, Sights, classify_postures
from vision.detect import detector
from vision.detect.background import Background
from vision.detect.region import calibrated_view, whole_view
from vision.errors import NoDie
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.learning import faces_from_pictures, learn_dice
from vision.reader import Reader
from vision.reading import POWER_FACES, DieReading, DieState, Kind

SIZE = (960, 540)


@cache
def scene() -> Scene:
    return random_scene(np.random.default_rng(8), "easy", SIZE, ())


def picture(*dice: DieBody, seed: int = 0) -> Image:
    laid = with_metered_exposure(replace(scene(), dice=dice, hand=None, card=None, smear=()))
    return drawn(laid, np.random.default_rng(seed), LIVE_QUALITY)


def power(face: str, place: tuple[float, float] = (20.0, 10.0), turn: float = 0.4) -> DieBody:
    return flat_die(Kind.POWER, face, place, turn, STANDARD_STYLES[Kind.POWER])


def numbered(kind: Kind, face: int, place: tuple[float, float], turn: float) -> DieBody:
    return flat_die(kind, face, place, turn, STANDARD_STYLES[kind])


@cache
def profile() -> Profile:
    camera, tray = scene().camera, scene().tray
    return Profile(
        size=SIZE,
        camera=np.asarray(camera.matrix, np.float64),
        distortion=np.array(camera.distortion, np.float64),
        rotation=np.array(camera.rotation, np.float64),
        translation=-np.array(camera.rotation, np.float64) @ np.asarray(camera.position),
        tray=np.asarray(tray.corners, np.float64)[:, :2],
    )


@cache
def learnt() -> Profile:
    places = [(-60, -25), (-20, 25), (20, -25), (60, 25), (-60, 30)]
    dice = [numbered(Kind.BLACK, k + 2, p, 0.3 * k) for k, p in enumerate(places)]
    dice.append(numbered(Kind.RED, 5, (55.0, -25.0), 1.0))
    faces = [(name, [picture(power(name), seed=k)]) for k, name in enumerate(POWER_FACES)]
    laid = [picture(*dice, power("2"), seed=21)]
    found = learn_dice(profile(), picture(seed=20), laid, faces)
    assert found.refused == ()
    return found.profile


def test_every_face_is_recognised_where_it_was_not_learnt() -> None:
    reader = Reader(learnt())
    for k, name in enumerate(POWER_FACES):
        dice = reader.read(picture(power(name, (-40.0, -15.0), 2.0 + k), seed=40 + k)).dice
        assert [(d.kind, d.value, d.state) for d in dice] == [(Kind.POWER, name, DieState.OK)]
        assert dice[0].confidence > 0.9


def test_without_faces_the_die_is_found_and_its_face_unsure() -> None:
    reader = Reader(replace(learnt(), power_faces=()))
    dice = reader.read(picture(power("freeze"))).dice
    assert [(d.kind, d.value, d.state) for d in dice] == [(Kind.POWER, None, DieState.UNSURE)]
    assert {c.value for c in dice[0].candidates} == set(POWER_FACES)


def test_a_face_left_out_is_not_claimed_as_another() -> None:
    some = tuple(face for face in learnt().power_faces if face.value != "freeze")
    dice = Reader(replace(learnt(), power_faces=some)).read(picture(power("freeze"))).dice
    assert [d.kind for d in dice] == [Kind.POWER]
    assert not dice[0].sure


def test_the_colours_of_the_set() -> None:
    colours = {one.kind: one for one in learnt().colours}
    assert colours[Kind.RED].count == 1
    assert colours[Kind.BLACK].count >= 4
    blue, green, red = colours[Kind.RED].body
    assert red > 2 * max(blue, green)
    blue, green, red = colours[Kind.POWER].body
    assert blue > 1.3 * red
    assert max(colours[Kind.BLACK].body) < 110


def test_the_empty_tray_holds_nothing() -> None:
    assert Reader(learnt()).read(picture(seed=77)).dice == ()


def test_dice_beside_the_tray_stand_in_some_holder_where_none_is_known() -> None:
    tray = scene().tray
    beside = (-tray.rim_outer[0] - 11.0, 0.0)
    aside = flat_die(Kind.BLACK, 5, beside, 0.1, STANDARD_STYLES[Kind.BLACK], floor=-tray.base)
    inside = numbered(Kind.RED, 4, (20.0, 0.0), 0.5)
    image = picture(aside, inside, seed=12)
    seen = Reader(learnt()).read(image).dice
    found = [(die.kind, die.value, die.sure, die.held, die.aside) for die in seen]
    assert found == [(Kind.BLACK, 5, True, True, False), (Kind.RED, 4, True, False, False)]
    # With the true holders elsewhere it is not one of the game's dice, and not looked for.
    x, y = profile().tray.max(axis=0)
    corners = np.array([(x + 2, y - 30), (x + 38, y - 30), (x + 38, y), (x + 2, y)])
    elsewhere = Reader(replace(learnt(), holders=corners)).read(image).dice
    assert [die.kind for die in elsewhere] == [Kind.RED]
    # Holders that were learnt say where dice stand, and not that they stand nowhere else.
    open_to_others = replace(learnt(), holders=corners, only_holders=False)
    seen = Reader(open_to_others).read(image).dice
    assert [(die.kind, die.value, die.held) for die in seen] == [
        (Kind.BLACK, 5, True),
        (Kind.RED, 4, False),
    ]
    # With geometry alone, which includes no empty tray, it lies aside.
    first = Reader(profile()).read(image).dice[0]
    assert (first.kind, first.held, first.aside) == (Kind.BLACK, False, True)


def test_a_picture_without_a_die_teaches_no_face() -> None:
    with pytest.raises(NoDie, match="found none; lay the Power die alone"):
        faces_from_pictures([("1", [picture(seed=5)])], learnt())


def test_a_picture_with_several_dice_teaches_no_face() -> None:
    dice = [numbered(Kind.BLACK, 5, (-40.0, 0.0), 0.2), numbered(Kind.RED, 4, (40.0, 0.0), 0.9)]
    with pytest.raises(NoDie, match="expected one die"):
        faces_from_pictures([("1", [picture(*dice)])], learnt())


def test_the_profile_keeps_what_was_learnt(tmp_path_factory: pytest.TempPathFactory) -> None:
    from vision.geometry.profile_file import load_profile, save_profile

    path = tmp_path_factory.mktemp("profile") / "profile.json"
    save_profile(learnt(), path)
    again = load_profile(path)
    assert again.colours == learnt().colours
    assert [f.value for f in again.power_faces] == [f.value for f in learnt().power_faces]
    image = picture(power("3", (0.0, 0.0), 5.0), seed=9)
    assert Reader(again).read(image) == Reader(learnt()).read(image)


@pytest.mark.parametrize("gain", [0.6, 1.0, 1.3])
def test_light_alone_changes_nothing_on_the_background(gain: float) -> None:
    rng = np.random.default_rng(1)
    empty = np.clip(rng.normal(100, 4, (200, 300, 3)), 0, 255).astype(np.uint8)
    corners = np.array([(0.0, 0.0), (299, 0), (299, 199), (0, 199)])
    background = Background(empty, 40.0, [corners])
    lit = np.clip(empty * gain, 0, 255).astype(np.uint8)
    assert not background.changes(Pyramid(lit)).mask.any()
    lit[80:120, 100:140] = 20
    changes = background.changes(Pyramid(lit))
    ((rows, columns),) = changes.parts()
    assert 60 <= rows.start <= 80 < 120 <= rows.stop <= 140
    assert 80 <= columns.start <= 100 < 140 <= columns.stop <= 160
    rows, columns = changes.extent()
    assert 35 <= rows.start <= 42
    assert 158 <= rows.stop <= 165
    assert 55 <= columns.start <= 62
    assert 178 <= columns.stop <= 185
    rows, columns = background.changes(Pyramid(empty)).extent()
    assert empty[rows, columns].size < 41 * 41 * 3 * 4
    assert not background.changes(Pyramid(empty)).parts()
    assert changes.same(np.array([(119.5, 99.5), (20.0, 20.0)])).tolist() == [False, True]


def test_dice_that_are_known_explain_what_has_changed_and_their_neighbours_stay() -> None:
    corners = np.array([(0.0, 0.0), (299, 0), (299, 199), (0, 199)])
    empty = np.full((200, 300, 3), 100, np.uint8)
    there = empty.copy()
    there[80:120, 100:182] = 20
    one, other = np.array([(119.5, 99.5)]), np.array([(161.5, 99.5)])
    changes = Background(empty, 40.0, [corners]).changes(Pyramid(there))
    left = changes.without(one)
    assert left.same(one).all()
    assert not left.same(other).any()
    assert not left.without(other).parts()
    assert not changes.same(one).any(), "they are another value"


@pytest.mark.parametrize(("shines", "again"), [(False, 0), (True, 1)])
def test_only_dice_that_mirror_a_lamp_are_read_again_in_a_darker_picture(
    shines: bool, again: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judged(pyramid: Pyramid, sights: Sights) -> PostureEstimates:
        asked.append(len(sights.centers))
        return classify_postures(pyramid, sights)

    asked: list[int] = []

    def mirrors(_: Image, die: DieReading) -> bool:
        return shines and die.value == 5

    known = learnt()
    monkeypatch.setattr(detector, "classify_postures", judged)
    monkeypatch.setattr(reader, "may_be_in_glare", mirrors)
    dice = [numbered(Kind.BLACK, face, (25.0 * face - 75.0, 10.0), 0.4) for face in (2, 5)]
    image = picture(*dice, seed=3)
    alone = Reader(known).read(image)
    assert [die.value for die in alone.dice if die.sure] == [2, 5]
    assert asked == [2]
    assert Reader(known).read(image, (image,)) == alone
    assert asked == [2, 2, *[1] * again]


def test_outside_the_changed_parts_nothing_has_changed() -> None:
    rng = np.random.default_rng(1)
    corners = np.array([(0.0, 0.0), (299, 0), (299, 199), (0, 199)])
    empty = np.full((200, 300, 3), 100, np.uint8)
    background = Background(empty, 40.0, [corners])
    every = np.stack(np.meshgrid(np.arange(300), np.arange(200)), axis=-1)
    for x, y in rng.integers(0, 150, (20, 2)):
        there = empty.copy()
        there[y : y + 40, x : x + 40] = 20
        changes = background.changes(Pyramid(there))
        left = ~changes.same(every.reshape(-1, 2).astype(np.float64)).reshape(200, 300)
        assert left[y + 10 : y + 30, x + 10 : x + 30].all()
        for part in changes.parts():
            assert left[part].any()
            left[part] = False
        assert not left.any()


def test_a_view_gives_back_the_places_of_the_picture(
    make_profile: Callable[..., Profile],
) -> None:
    view = calibrated_view(make_profile())
    points = np.array([(3.0, 4.0), (100.0, 50.0)])
    there = view.to_picture(points)
    back = (there - (view.left, view.top) + 0.5) * view.scale - 0.5
    np.testing.assert_allclose(back, points)


@pytest.mark.parametrize(
    ("size", "working"),
    [
        ((4000, 3000), (1400, 1050)),
        ((2736, 2736), (1368, 1368)),
        ((1536, 864), (1536, 864)),
        ((400, 300), (800, 600)),
    ],
)
def test_photographs_are_read_at_a_fitting_size(
    size: tuple[int, int], working: tuple[int, int]
) -> None:
    picture = np.zeros((*size[::-1], 3), np.uint8)
    assert whole_view(*size).work(picture).shape == (*working[::-1], 3)
