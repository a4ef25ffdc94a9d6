"""The empty tray is learnt while people play, and used only where it makes nothing worse."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from calibration.calibration import Calibration
from calibration.readers import CalibratedReader
from calibration.self_calibration import EmptyTray, calibration_from_frames
from calibration.self_calibration.empty import MAX_REFUSALS, STILL_S, TRIALS, looks_alike
from simulator.scenes.installations import INSTALLATION_QUALITY
from tests.appliance.service.test_finding import empty_tray, with_dice
from tests.rigs.rendering.pictures import drawn
from vision.frame import Frame, Image
from vision.reading import DieReading, TrayReading


@lru_cache(maxsize=2)
def picture(dice: bool) -> Image:
    scene = with_dice() if dice else empty_tray()
    return drawn(scene, np.random.default_rng(1), INSTALLATION_QUALITY)


@lru_cache(maxsize=1)
def calibration() -> Calibration:
    return calibration_from_frames([Frame(picture(False), 0.0, 0)])


@lru_cache(maxsize=1)
def read() -> tuple[DieReading, ...]:
    return CalibratedReader(calibration()).read(picture(True)).dice


def see(empty: EmptyTray, image: Image, start_s: float, seconds: float) -> list[bool]:
    frames = range(round(seconds * 10))
    return [empty.see(Frame(image, start_s + 0.1 * k, k), calibration().profile) for k in frames]


def taken(empty: EmptyTray) -> bool:
    return empty.picture is not None


def learnt() -> EmptyTray:
    empty = EmptyTray()
    see(empty, picture(False), 0.0, STILL_S + 2)
    return empty


def lamp_moved(image: Image) -> Image:
    """The picture with a broad soft shadow over a third of it."""
    height, width = image.shape[:2]
    share = np.ones((height, width), np.float32)
    share[:, : width // 2] = 0.6
    soft = cv2.GaussianBlur(share, (0, 0), 20)
    return np.asarray(image * soft[..., None], np.uint8)


def test_it_is_taken_once_the_tray_lies_empty_and_still_and_not_used_yet() -> None:
    empty = EmptyTray()
    see(empty, picture(False), 0.0, STILL_S - 0.5)
    empty.disturb()
    see(empty, picture(False), 10.0, STILL_S - 0.5)
    assert not taken(empty)
    see(empty, picture(False), 10.0 + STILL_S - 0.5, 2.0)
    assert taken(empty)
    assert not empty.passed


def test_it_is_used_after_some_throws_that_it_does_not_make_worse() -> None:
    empty = learnt()
    results = [empty.try_out(calibration(), picture(True), read(), 5) for _ in range(TRIALS + 1)]
    assert results == [False] * (TRIALS - 1) + [True, False]
    assert empty.passed


def test_what_makes_an_eighth_die_of_a_shadow_is_never_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dice = read()

    def with_phantom(
        self: CalibratedReader, image: Image, darker: Sequence[Image] = ()
    ) -> TrayReading:
        assert self.profile.empty is not None
        x, y = dice[0].center
        phantom = replace(dice[0], center=(x + 60, y + 60))
        return TrayReading("still", (*dice, phantom))  # type: ignore[arg-type]

    monkeypatch.setattr(CalibratedReader, "read", with_phantom)
    empty = EmptyTray()
    for k in range(MAX_REFUSALS):
        see(empty, picture(False), 100.0 * k, STILL_S + 2)
        assert taken(empty)
        empty.try_out(calibration(), picture(True), dice, None if k else 5)
        assert not taken(empty)
        empty.disturb()
    see(empty, picture(False), 1000.0, 60.0)
    assert not taken(empty), "it is not tried for ever"


def test_a_picture_that_shows_a_die_that_was_missed_is_no_worse() -> None:
    empty = learnt()
    assert not empty.try_out(calibration(), picture(True), read()[:-1], 5)
    assert taken(empty)
    # Where nobody knows how many dice there should be, more may be phantoms.
    empty.try_out(calibration(), picture(True), read()[:-1], None)
    assert not taken(empty)


def test_a_picture_is_dropped_once_shadows_lie_elsewhere_but_not_for_a_brighter_lamp() -> None:
    profile, image = calibration().profile, picture(False)
    assert looks_alike(image, image, profile)
    assert looks_alike(image, np.asarray(image * 0.7, np.uint8), profile)
    assert not looks_alike(image, lamp_moved(image), profile)
    empty = EmptyTray(image)
    assert empty.passed
    assert True not in see(empty, image, 0.0, STILL_S + 1)
    empty.disturb()
    stale = see(empty, lamp_moved(image), 100.0, STILL_S + 0.3)
    assert stale.count(True) == 1
    assert not taken(empty)
    see(empty, lamp_moved(image), 200.0, STILL_S + 2)
    assert taken(empty)
    assert not empty.passed, "the new one is on trial"
