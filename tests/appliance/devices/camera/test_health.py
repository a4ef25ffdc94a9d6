"""A camera that delivers no picture of the tray is noticed within two seconds and named."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from appliance.alerts import BLINDING_ALERTS, CAMERA_ALERTS, Alert, by_urgency
from appliance.devices.camera.health import MAX_OPENING_S, CameraHealth, health_of, view
from appliance.devices.camera.naming import parse_spec
from appliance.screens.drawing.layout import two_lines
from vision.frame import Frame, Image

FPS = 30
NOTICED_S = 2.0
Make = Callable[[int], Image]


def tray(index: int, low: int = 60, high: int = 200) -> Image:
    """A noisy picture of something."""
    noise = np.random.default_rng(index).integers(0, 6, (90, 160, 3))
    picture = np.full((90, 160, 3), low)
    picture[20:40, 20:60] = high
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def noisy(level: int) -> Make:
    return lambda index: tray(index, level, level)


def see(
    health: CameraHealth, make: Make, start: int, seconds: float
) -> tuple[int, list[frozenset[Alert]], list[bool]]:
    """Feeds frames for some seconds; the next index, and alerts and trust after each frame."""
    alerts, trusted = [], []
    last = start + int(seconds * FPS)
    for index in range(start, last):
        trusted.append(health.see(Frame(make(index), index / FPS, index), index / FPS))
        alerts.append(health.alerts(index / FPS))
    return last, alerts, trusted


def test_a_camera_that_gives_a_picture_every_two_seconds_is_no_fault() -> None:
    health = CameraHealth(max_silence_s=6.0)
    health.see(Frame(tray(0), 100.0, 0), 100.0)
    assert health.alerts(105.9) == frozenset()
    assert health.alerts(106.1) == {Alert.CAMERA_HANGS}


def test_a_good_camera_is_never_blamed() -> None:
    _, alerts, trusted = see(CameraHealth(), tray, 0, 5)
    assert set(alerts) == {frozenset()}
    assert all(trusted)


@pytest.mark.parametrize(
    ("make", "alert"),
    [
        (noisy(0), Alert.BLACK),
        (noisy(30), Alert.DARK),
        (noisy(252), Alert.BRIGHT),
        (lambda _: tray(7), Alert.CAMERA_FROZEN),
    ],
)
def test_a_bad_picture_is_named_within_two_seconds_and_over_when_it_is_good(
    make: Make, alert: Alert
) -> None:
    health = CameraHealth()
    index, _, _ = see(health, tray, 0, 2)
    index, alerts, trusted = see(health, make, index, 3)
    noticed = next(i for i, found in enumerate(alerts) if alert in found)
    assert noticed / FPS <= NOTICED_S
    # After the first none reaches the watcher: it would take the tray for empty or still.
    assert not any(trusted[1:])
    _, alerts, trusted = see(health, tray, index, 1)
    assert set(alerts) == {frozenset()}
    assert all(trusted)


@pytest.mark.parametrize("changes", [False, True])
def test_a_picture_whose_small_one_shows_no_noise_is_frozen_only_if_it_is_the_same(
    changes: bool,
) -> None:
    health, small = CameraHealth(), tray(7)
    for index in range(3 * FPS):
        frame = Frame(tray(index if changes else 7), index / FPS, index, small)
        trusted = health.see(frame, index / FPS)
    assert trusted is changes
    assert health.alerts(3.0) == (frozenset() if changes else {Alert.CAMERA_FROZEN})


def blurred(index: int) -> Image:
    """The tray out of focus; the sensor's noise is as before."""
    sharp = cv2.GaussianBlur(tray(7), (0, 0), 4.0)
    noise = np.random.default_rng(index).integers(0, 6, sharp.shape)
    return np.asarray(np.clip(sharp + noise, 0, 255), np.uint8)


def test_a_picture_out_of_focus_is_named_within_two_seconds_and_the_game_goes_on() -> None:
    health = CameraHealth()
    index, _, _ = see(health, tray, 0, 2)
    index, alerts, trusted = see(health, blurred, index, 3)
    noticed = next(i for i, found in enumerate(alerts) if Alert.NOT_SHARP in found)
    assert noticed / FPS <= NOTICED_S
    assert alerts[-1] == {Alert.NOT_SHARP}
    # Dice in doubt are asked about, so a soft picture need not be kept from the reader.
    assert all(trusted)
    _, alerts, _ = see(health, tray, index, 2)
    over = alerts.index(frozenset())
    assert over / FPS <= NOTICED_S
    assert set(alerts[over:]) == {frozenset()}


def count_looks(make: Make, seconds: float, width: float = 2.0) -> int:
    """How often the sharpness of full pictures is measured, where edges are so wide."""
    looked: list[Image] = []

    def soft(image: Image) -> float:
        looked.append(image)
        return width

    see(CameraHealth(soft), make, 0, seconds)
    return len(looked)


def test_the_sharpness_is_measured_twice_a_second_while_something_changes() -> None:
    assert count_looks(lambda index: tray(index, high=150 + index), 3) == 6


def test_it_is_measured_seldom_while_nothing_changes_unless_it_is_blurred() -> None:
    assert count_looks(tray, 21) == 3
    assert count_looks(tray, 21, width=9.0) == 42


def test_nothing_is_measured_where_nothing_is_to_be_seen() -> None:
    assert count_looks(noisy(0), 3) == 0


@pytest.mark.parametrize("make", [noisy(0), noisy(252), lambda _: tray(7), blurred])
def test_a_moment_of_it_is_not_reported(make: Make) -> None:
    health = CameraHealth()
    index, _, _ = see(health, tray, 0, 1)
    index, alerts, _ = see(health, make, index, 0.8)
    assert set(alerts) == {frozenset()}


@pytest.mark.parametrize(
    ("hangs", "alert"), [(False, Alert.CAMERA_GONE), (True, Alert.CAMERA_HANGS)]
)
def test_a_camera_that_stops_is_named_within_two_seconds(hangs: bool, alert: Alert) -> None:
    health = CameraHealth()
    see(health, tray, 0, 1)
    health.miss(hangs)
    assert health.alerts(1.0) == frozenset()
    assert health.alerts(1.0 + NOTICED_S) == {alert}
    health.see(Frame(tray(99), 60.0, 99), 60.0)
    assert health.alerts(60.0) == frozenset()


@pytest.mark.parametrize(
    ("spec", "gone", "hangs"),
    [
        ("v4l2:0", Alert.CAMERA_GONE, Alert.CAMERA_HANGS),
        ("pi", Alert.RIBBON_LOOSE, Alert.CAMERA_HANGS),
        ("phone", Alert.PHONE_GONE, Alert.PHONE_GONE),
        ("http://192.168.1.7:8080/video", Alert.STREAM_GONE, Alert.STREAM_GONE),
        ("rtsp://192.168.1.7/live", Alert.STREAM_GONE, Alert.STREAM_GONE),
    ],
)
def test_each_kind_of_camera_is_told_what_to_do(spec: str, gone: Alert, hangs: Alert) -> None:
    for silent, alert in ((False, gone), (True, hangs)):
        health = health_of(parse_spec(spec))
        see(health, tray, 0, 1)
        health.miss(silent)
        assert health.alerts(9.0) == {alert}
        assert health.hangs(9.0) is silent
        assert alert in BLINDING_ALERTS & CAMERA_ALERTS


def test_a_camera_that_falls_silent_without_a_word_hangs() -> None:
    health = CameraHealth()
    see(health, tray, 0, 1)
    assert health.alerts(1.0 + NOTICED_S) == {Alert.CAMERA_HANGS}


def test_a_camera_that_never_came_is_named_and_one_that_takes_its_time_is_not() -> None:
    health = CameraHealth()
    health.begin(100.0)
    assert health.alerts(100.0 + MAX_OPENING_S - 0.1) == frozenset()
    assert health.alerts(100.0 + MAX_OPENING_S + 0.1) == {Alert.CAMERA_HANGS}
    health.miss(hangs=False)
    assert health.alerts(100.0 + NOTICED_S) == {Alert.CAMERA_GONE}
    health.see(Frame(tray(1), 120.0, 0), 120.0)
    assert health.alerts(120.0) == frozenset()
    assert health.alerts(120.0 + NOTICED_S) == {Alert.CAMERA_HANGS}


def test_the_most_urgent_comes_first() -> None:
    assert by_urgency(()) == ()
    assert by_urgency({Alert.DARK, Alert.DISK_FULL}) == (Alert.DISK_FULL, Alert.DARK)


@pytest.mark.parametrize("alert", Alert)
def test_every_alert_fits_the_board(alert: Alert) -> None:
    assert two_lines(*alert.lines) != two_lines("", "")
    assert alert.sentence == alert.sentence.lower()


@pytest.mark.parametrize("size", [(1536, 864), (640, 480), (480, 640)])
def test_a_frame_is_summarised_in_its_own_shape(size: tuple[int, int]) -> None:
    width, height = size
    thumb = view(Frame(np.zeros((height, width, 3), np.uint8), 0.0, 0)).thumb
    assert thumb.shape[1] / thumb.shape[0] == pytest.approx(width / height, rel=0.05)
