"""When the tray is measured: four markers lie still, in good light."""

from collections.abc import Iterable

import cv2
import numpy as np
import pytest

from calibration.calibration import Calibration
from calibration.markers.lens import MODULE_3_SIGHT
from calibration.quality.quality import judge_picture
from calibration.self_calibration import Brighter, SelfCalibration
from calibration.self_calibration.looking import LOOK_INTERVAL_S, SEARCH_INTERVAL_S, is_patterned
from calibration.self_calibration.telling import TELL_AFTER_S
from simulator.scenes.installations import INSTALLATION_QUALITY
from tests.calibration.setups import standard_picture
from tests.rigs.any_set_up import any_set_up
from tests.rigs.marker_faults import faulty_tray
from tests.rigs.rendering.pictures import drawn
from vision.frame import Frame, Image


def looks(watch: SelfCalibration, pictures: Iterable[Image]) -> list[Calibration | Brighter | None]:
    """The result of each picture, shown for half a second."""
    return [
        watch.feed(Frame(image, 0.5 * k, k, sight=MODULE_3_SIGHT))
        for k, image in enumerate(pictures)
    ]


def test_markers_that_lie_still_are_measured_within_seconds() -> None:
    seen = looks(SelfCalibration(), [standard_picture()] * 4)
    assert seen[:3] == [None] * 3
    found = seen[3]
    assert isinstance(found, Calibration)
    assert found.profile.sight == MODULE_3_SIGHT


def test_a_tray_that_is_pushed_is_not_measured_before_it_rests() -> None:
    image = standard_picture()
    pushed = [np.roll(image, 3 * k, axis=1) for k in range(4)]
    seen = looks(SelfCalibration(), [*pushed, pushed[-1], pushed[-1], pushed[-1]])
    assert seen[:-1] == [None] * 6
    assert isinstance(seen[-1], Calibration)


@pytest.mark.parametrize("count", [8, 11])
def test_nothing_is_said_of_a_tray_that_hands_carry(count: int) -> None:
    image = standard_picture()
    smear = np.full((1, 9), 1 / 9, np.float32)
    moved = (np.roll(image, (20 * (k % 3), 70 * (k % 2)), (0, 1)) for k in range(count))
    carried = [one if k % 2 else cv2.filter2D(one, -1, smear) for k, one in enumerate(moved)]
    watch = SelfCalibration()
    said = []
    for k, shown in enumerate([*carried, image, image, image]):
        watch.feed(Frame(np.asarray(shown, np.uint8), 0.5 * k, k, sight=MODULE_3_SIGHT))
        said.append(watch.trouble)
    assert said == [None] * (count + 3)


def test_a_dark_picture_is_first_brightened() -> None:
    dark = (standard_picture() * 0.35).astype(np.uint8)
    (first,) = looks(SelfCalibration(exposes=True), [dark])
    assert isinstance(first, Brighter)
    assert first.factor > 1.5
    assert not any(isinstance(one, Brighter) for one in looks(SelfCalibration(), [dark] * 4))


def test_looks_are_rare_where_there_are_no_markers() -> None:
    watch = SelfCalibration()
    bare = np.full((720, 1280, 3), 90, np.uint8)
    begun_s = 0.0
    while begun_s < TELL_AFTER_S:
        assert watch.feed(Frame(bare, begun_s, 0)) is None
        begun_s += LOOK_INTERVAL_S
    assert watch.feed(Frame(bare, begun_s, 0)) is None
    assert LOOK_INTERVAL_S < SEARCH_INTERVAL_S
    # A frame that comes too early is not even looked at: no markers are seen in it.
    assert watch.feed(Frame(standard_picture(), begun_s + SEARCH_INTERVAL_S / 2, 1)) is None
    assert watch._markers is None


def test_a_checked_cloth_is_not_searched() -> None:
    """In it the search would take many seconds."""
    for side in (8, 12, 20):
        y, x = np.mgrid[:864, :1536]
        checked = ((x // side + y // side) % 2 * 150 + 50).astype(np.uint8)
        cloth = np.repeat(checked[:, :, None], 3, axis=2)
        assert is_patterned(cloth)
        assert SelfCalibration().feed(Frame(cloth, 0.0, 0)) is None
    assert not is_patterned(standard_picture())


NAMED = ("moved on by one", "a reflection over half of one", "a die on one", "a hunting focus")


@pytest.mark.slow
@pytest.mark.parametrize("kind", NAMED)
def test_markers_that_are_seen_and_cannot_be_used_are_named_within_six_seconds(kind: str) -> None:
    tray = faulty_tray(kind, 2)
    pictures = [
        tray.with_shines(drawn(scene, quality=INSTALLATION_QUALITY)) for scene in tray.scenes
    ]
    watch = SelfCalibration()
    shown = (pictures[k % len(pictures)] for k in range(12))
    assert looks(watch, shown) == [None] * 12
    assert watch.trouble is not None
    assert watch.trouble.problem in tray.problems
    # What was said costs no more than looks where there are no markers.
    assert watch._next_s == pytest.approx(5.0 + SEARCH_INTERVAL_S, abs=0.51)


@pytest.mark.slow
def test_the_glow_of_a_lamp_is_no_blur_where_three_markers_are_sharp() -> None:
    tray = faulty_tray("a reflection over half of one", 9)
    image = tray.with_shines(drawn(tray.scenes[0], quality=INSTALLATION_QUALITY))
    told = judge_picture(image).verdict.problem
    assert told in tray.problems


@pytest.mark.slow
def test_what_is_mended_is_found_and_not_said_any_more() -> None:
    tray = faulty_tray("one upside-down", 2)
    wrong = drawn(tray.scenes[0], quality=INSTALLATION_QUALITY)
    right = drawn(any_set_up(2).where.scene, quality=INSTALLATION_QUALITY)
    watch = SelfCalibration()
    seen = looks(watch, [wrong] * 12 + [right] * 12)
    assert any(isinstance(one, Calibration) for one in seen[12:])
    assert watch.trouble is None
