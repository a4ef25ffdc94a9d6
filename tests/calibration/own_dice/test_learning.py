"""Colours, pips and faces of the owner's dice are learnt from throws that people have confirmed."""

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from calibration import store
from calibration.errors import StoreError
from calibration.own_dice import (
    ConfirmedDie,
    FaceRecord,
    OwnDice,
    WhyUnread,
    jumped_to,
    known_colours,
    why_not_read,
    with_look,
    with_new_colours,
    with_throw,
)
from calibration.own_dice.pips import face_picture, measure_pips
from calibration.readers import CalibratedReader
from scripts.bench_any_dice import BLUE
from simulator.render.dice_model import STANDARD_STYLES, DieStyle, flat_die
from tests.appliance.service.test_finding import empty_tray
from tests.builders import reading
from tests.calibration.self_calibration.test_dice import calibration, picture
from vision.body_colours import ColourName, known_bodies
from vision.frame import Image
from vision.geometry.profile import DieColour, Profile
from vision.reading import DieReading, DieState, Face, Kind

BLUE_DICE = replace(STANDARD_STYLES[Kind.OTHER], body=BLUE.body)
RED_DICE = STANDARD_STYLES[Kind.RED]


@lru_cache(maxsize=8)
def thrown(faces: tuple[int, ...], seed: int, style: DieStyle = BLUE_DICE) -> Image:
    rng = np.random.default_rng(seed)
    dice = []
    for k, face in enumerate(faces):
        place = 38.0 * k - 76 + float(rng.uniform(-5, 5)), float(rng.uniform(-30, 30))
        dice.append(flat_die(Kind.OTHER, face, place, float(rng.uniform(0, 3)), style))
    return picture(replace(empty_tray(), dice=tuple(dice)))


def read(profile: Profile, image: Image) -> list[DieReading]:
    dice = CalibratedReader(replace(calibration(), profile=profile)).read(image).dice
    return sorted(dice, key=lambda die: die.center)


def confirmed(image: Image, faces: tuple[Face, ...]) -> list[ConfirmedDie]:
    dice = read(calibration().profile, image)
    return [ConfirmedDie(die, face) for die, face in zip(dice, faces, strict=True)]


@lru_cache(maxsize=1)
def after_a_throw() -> tuple[Profile, OwnDice]:
    faces = (2, 3, 4, 5, 6)
    image = thrown(faces, 9)
    return with_throw(calibration().profile, OwnDice(), image, confirmed(image, faces))


def test_a_single_pip_is_read_once_dice_of_its_colour_are_known() -> None:
    image = thrown((1, 1, 1, 1, 1), 1)
    before = read(calibration().profile, image)
    assert sum(die.sure for die in before) <= 3, "it may be a print of the Power die"
    profile, _ = after_a_throw()
    after = read(profile, image)
    assert [die.value for die in after if die.sure] == [1] * 5
    # A Power die of the same colour takes that away.
    power = replace(profile.confirmed[0], kind=Kind.POWER, count=1)
    both = replace(profile, confirmed=(*profile.confirmed, power))
    assert known_bodies(both.confirmed) == ()
    assert [die.sure for die in read(both, image)] == [die.sure for die in before]
    # So do too few dice, and other colours.
    few = replace(profile, confirmed=(replace(profile.confirmed[0], count=3),))
    assert [die.sure for die in read(few, image)] == [die.sure for die in before]
    red = replace(profile, confirmed=(DieColour(Kind.RED, (30, 30, 160), (230, 230, 230), 20),))
    assert [die.sure for die in read(red, image)] == [die.sure for die in before]


def test_a_throw_tells_colour_pips_and_what_was_read() -> None:
    profile, own = after_a_throw()
    assert known_colours(profile.confirmed) == (ColourName.BLUE,)
    assert [one.count for one in profile.confirmed] == [5]
    assert sorted(face.name for face in own.faces) == [f"blue {value}" for value in range(2, 7)]
    assert {(face.read, face.asked, face.corrected) for face in own.faces} == {(1, 0, 0)}
    assert own.pip_share == pytest.approx(2 * BLUE_DICE.pip_radius / 16, abs=0.05)
    assert own.six_rows == pytest.approx(1.0, abs=0.1)
    assert own.troubled == ()
    # Another such throw changes the colour little.
    image = thrown((2, 3, 4, 5, 6), 9)
    again, _ = with_throw(profile, own, image, confirmed(image, (2, 3, 4, 5, 6)))
    assert [one.count for one in again.confirmed] == [10]
    # What lies aside, or is a Power die, is no numbered die of the tray.
    dice = confirmed(image, (2, 3, 4, 5, 6))
    aside = [replace(die, reading=replace(die.reading, aside=True)) for die in dice]
    unchanged, record = with_throw(profile, own, image, aside)
    assert (unchanged.confirmed, record) == (profile.confirmed, own)
    power = [replace(die, face="freeze") for die in dice]
    shown, record = with_throw(calibration().profile, OwnDice(), image, power)
    assert [one.kind for one in shown.confirmed] == [Kind.POWER]
    assert known_colours(shown.confirmed) == ()
    assert [face.name for face in record.faces] == ["power freeze"]


def test_what_is_asked_about_again_and_again_or_put_right_twice_is_named() -> None:
    image = thrown((2, 3, 4, 5, 6), 9)
    two = confirmed(image, (2, 3, 4, 5, 6))[0]
    unsure = replace(two, reading=replace(two.reading, state=DieState.UNSURE))
    leaning = replace(two, reading=replace(two.reading, state=DieState.LEANING))
    colours, own = calibration().profile.confirmed, OwnDice()
    for _ in range(9):
        own = with_look(own, colours, image, leaning)
    assert own.faces == (), "that is no fault of the face"
    for times in range(3):
        assert own.troubled == (), times
        own = with_look(own, colours, image, unsure)
    (face,) = own.troubled
    assert (face.name, face.asked) == ("blue 2", 3)
    assert face.picture is not None and face.picture.shape == (48, 48, 3)
    for _ in range(8):
        own = with_look(own, colours, image, two)
    assert own.troubled == (), "it is mostly read"
    wrong = replace(two, face=5)
    own = with_look(own, colours, image, wrong)
    assert own.troubled == ()
    own = with_look(own, colours, image, wrong)
    assert [face.name for face in own.troubled] == ["blue 5"]
    five = replace(two, reading=replace(two.reading, value=5), face=5)
    for _ in range(80):
        own = with_look(own, colours, image, five)
    assert own.troubled == (), "what lies long back counts less and less"
    assert own.face("blue", 5).times <= 40


def test_the_record_is_kept_with_the_profile() -> None:
    image = thrown((2, 3, 4, 5, 6), 9)
    two = confirmed(image, (2, 3, 4, 5, 6))[0]
    unsure = replace(two, reading=replace(two.reading, state=DieState.UNSURE))
    profile, own = after_a_throw()
    own = with_look(own, profile.confirmed, image, unsure)
    own = own.with_face(FaceRecord("power", "freeze", 3, why=WhyUnread.SHINES))
    known = replace(calibration(), profile=profile, own_dice=own)
    again = store.decode(store.encode(known))
    assert again.profile.confirmed == profile.confirmed
    assert [(f.name, f.times, f.why) for f in again.own_dice.faces] == [
        (f.name, f.times, f.why) for f in own.faces
    ]
    assert (again.own_dice.pip_share, again.own_dice.six_rows) == (own.pip_share, own.six_rows)
    before, after = (record.face("blue", 2).picture for record in (own, again.own_dice))
    assert before is not None
    assert after is not None
    assert (before == after).all()


def test_other_colours_are_noticed_and_learnt_instead_or_too() -> None:
    profile, _ = after_a_throw()
    faces = (2, 3, 4, 5, 6)
    blue, red = thrown(faces, 9), thrown(faces, 9, RED_DICE)
    new = confirmed(red, faces)
    assert jumped_to(calibration().profile, red, new) == (), "nothing was known"
    assert jumped_to(profile, blue, confirmed(blue, faces)) == ()
    assert jumped_to(profile, red, new) == (ColourName.RED,)
    assert jumped_to(profile, red, new[:2]) == (), "one die may have another colour"
    instead = with_new_colours(profile, red, new, instead=True)
    assert known_colours(instead.confirmed) == (ColourName.RED,)
    both = with_new_colours(profile, red, new[:1], instead=False)
    assert set(known_colours(both.confirmed)) == {ColourName.RED, ColourName.BLUE}
    assert jumped_to(both, red, new) == ()


QUINCUNX = ((-0.25, -0.25), (-0.25, 0.25), (0, 0), (0.25, -0.25), (0.25, 0.25))
NARROW_SIX = tuple((x, y) for x in (-0.25, 0, 0.25) for y in (-0.12, 0.12))


def drawn(
    places: tuple[tuple[float, float], ...],
    width: float = 0.2,
    pip: tuple[int, int, int] = (230, 230, 230),
) -> tuple[Image, DieReading]:
    """A top of 60 pixels with pips at these places, in edges, and what a reader makes of it."""
    image = np.full((100, 100, 3), (150, 70, 30), np.uint8)
    for x, y in places:
        middle = round(50 + 60 * x), round(50 + 60 * y)
        cv2.circle(image, middle, round(30 * width), pip, -1, cv2.LINE_AA)
    die = reading(5, state=DieState.UNSURE)
    outline = ((20.0, 20.0), (80.0, 20.0), (80.0, 80.0), (20.0, 80.0))
    return image, replace(die, center=(50.0, 50.0), outline=outline, kind=Kind.OTHER)


@pytest.mark.parametrize(
    ("top", "value", "why"),
    [
        (drawn(QUINCUNX, pip=(170, 95, 60)), 5, WhyUnread.PALE),
        (drawn(QUINCUNX[2:3], width=0.36), 1, WhyUnread.LARGE_PIPS),
        (drawn(QUINCUNX, width=0.06), 5, WhyUnread.SMALL_PIPS),
        (drawn(NARROW_SIX, width=0.16), 6, WhyUnread.ROWS),
        (drawn(QUINCUNX), 5, WhyUnread.NOT_SURE),
        (drawn(QUINCUNX), 4, WhyUnread.OTHER_COUNT),
        (drawn(QUINCUNX), "freeze", WhyUnread.NOT_LEARNT),
        (drawn(QUINCUNX[2:3], width=0.5, pip=(255, 255, 255)), 5, WhyUnread.SHINES),
    ],
)
def test_why_a_face_is_not_read(top: tuple[Image, DieReading], value: Face, why: WhyUnread) -> None:
    image, die = top
    assert why_not_read(image, die, value) is why
    for state, other in (
        (DieState.LEANING, WhyUnread.LEANS),
        (DieState.STACKED, WhyUnread.ON_ANOTHER),
        (DieState.COVERED, WhyUnread.COVERED),
    ):
        assert why_not_read(image, replace(die, state=state), value) is other
    assert why_not_read(*as_power_die(drawn(QUINCUNX)), 5) is WhyUnread.LIKE_POWER


def as_power_die(top: tuple[Image, DieReading]) -> tuple[Image, DieReading]:
    return top[0], replace(top[1], kind=Kind.POWER)


def test_the_rows_of_a_narrow_six_are_measured() -> None:
    face = np.full((48, 48, 3), (90, 40, 20), np.uint8)
    for x in (12, 24, 36):
        for y in (18, 30):
            cv2.circle(face, (x, y), 4, (240, 240, 240), -1)
    pips = measure_pips(face)
    assert pips.count == 6
    assert pips.six_rows == pytest.approx(0.5, abs=0.05)
    assert measure_pips(np.full((48, 48, 3), 90, np.uint8)).count == 0
    image = thrown((4,), 3)
    (die,) = read(calibration().profile, image)
    assert measure_pips(face_picture(image, die)).six_rows is None


def test_values_of_a_damaged_record_are_refused() -> None:
    own = OwnDice((FaceRecord("blue", 2, 1),), 0.2, 1.0)
    body = store.encode(replace(calibration(), own_dice=own)).partition(b"\n")[2].decode()
    for good, bad in (
        ('"dice": "blue"', '"dice": "plaid"'),
        ('"value": 2', '"value": 7'),
        ('"why": "not sure"', '"why": "no"'),
        ('"pip_share": 0.2', '"pip_share": 20'),
    ):
        assert good in body
        with pytest.raises(StoreError):
            store.decode(sealed(body.replace(good, bad)))
    assert store.decode(sealed(body)).own_dice.pip_share == 0.2


def sealed(body: str) -> bytes:
    """A whole file with these values."""
    data = body.encode()
    checksum = store._checksum(store.FORMAT_VERSION, data)
    head = f"dicetray-profile {store.FORMAT_VERSION} sha256={checksum} bytes={len(data)}\n"
    return head.encode() + data
