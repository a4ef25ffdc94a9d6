"""A phone's page as a camera: pictures in, sentences out when none come."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import chain, count

import cv2
import numpy as np
import pytest

from appliance.alerts import Alert
from appliance.devices.camera import open_camera
from appliance.devices.camera.naming import parse_spec
from appliance.devices.camera.phone import (
    GONE_AFTER_S,
    MAX_PICTURE_PIXELS,
    Away,
    Invitation,
    PhoneCamera,
    PhoneLink,
    SentPicture,
)
from appliance.errors import CameraError
from vision.frame import Frame

INVITATION = Invitation("https://192.168.1.5:8443", "123456", "https://192.168.1.5:8443/#123456")


def jpeg(width: int = 320, height: int = 180, grey: int = 90) -> bytes:
    return cv2.imencode(".jpg", np.full((height, width, 3), grey, np.uint8))[1].tobytes()


SENT = SentPicture(jpeg(), 100.0, 0.12)


class Phone:
    """A link, a clock and a camera that waits for nothing."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.link = PhoneLink(INVITATION, lambda: self.now_s)
        self.camera = PhoneCamera(self.link, patience_s=0.01, wait=lambda _: None)

    def frame(self, *pictures: SentPicture) -> Frame:
        """The next frame once it is looked for; the pictures come then."""
        drop = self.link.drop

        def drop_and_send() -> None:
            drop()
            for picture in pictures:
                self.link.offer(picture)

        self.link.drop = drop_and_send  # type: ignore[method-assign]
        try:
            return next(self.camera.frames())
        finally:
            self.link.drop = drop  # type: ignore[method-assign]

    def why(self) -> str:
        with pytest.raises(CameraError) as caught:
            self.frame()
        return str(caught.value)


def test_a_picture_becomes_a_frame_with_the_time_at_which_it_was_taken() -> None:
    phone = Phone()
    frame = phone.frame(SENT)
    assert (frame.size, frame.time_s) == ((320, 180), 100.0)
    assert abs(int(frame.image.mean()) - 90) < 3
    mode = phone.camera.mode
    assert mode is not None
    assert mode.text == "320x180, 0.1 s delay, auto exposure, autofocus"
    assert mode.faults == ()


def test_of_several_pictures_the_newest_counts() -> None:
    assert Phone().frame(SENT, replace(SENT, time_s=100.5)).time_s == 100.5


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"front": True}, "turn the phone over"),
        ({"turned": True}, "lock its rotation"),
        ({"late_s": 0.9}, "The Wi-Fi is slow"),
    ],
)
def test_what_is_not_as_it_should_be_is_said(change: dict[str, float], fault: str) -> None:
    phone = Phone()
    phone.frame(replace(SENT, **change))  # type: ignore[arg-type]
    assert phone.camera.mode is not None
    assert fault in " ".join(phone.camera.mode.faults)


def test_what_the_browser_has_locked_is_said() -> None:
    phone = Phone()
    phone.frame(replace(SENT, exposure_locked=True, focus_locked=True))
    assert phone.camera.mode is not None
    assert phone.camera.mode.text.endswith("exposure locked, focus fixed")


def test_nobody_yet_is_invited() -> None:
    why = "On the phone, open https://192.168.1.5:8443 and enter the PIN 123456."
    assert Phone().why() == why


@pytest.mark.parametrize("why", [away for away in Away if away is not Away.NOBODY])
def test_why_no_pictures_come_is_said_as_the_page_knows_it(why: Away) -> None:
    phone = Phone()
    assert phone.link.admit("a")
    phone.link.leave("another", Away.LEFT)
    phone.link.leave("a", why)
    assert phone.why() == why.value
    phone.frame(SENT)
    assert why.value not in phone.why()


def test_a_phone_that_vanishes_is_looked_for_and_invited_again() -> None:
    phone = Phone()
    phone.link.admit("a")
    phone.frame(SENT)
    phone.now_s += GONE_AFTER_S
    why = phone.why()
    assert why.startswith("The phone sends nothing: wake it up")
    assert why.endswith("the PIN 123456.")


def test_a_picture_that_was_on_its_way_when_its_page_left_is_passed_over() -> None:
    phone = Phone()
    phone.link.admit("a")
    phone.link.leave("a", Away.HIDDEN)
    phone.link.offer(SENT, "a")
    assert phone.link.take(0) is None
    assert phone.link.trouble == Away.HIDDEN.value
    phone.link.admit("a")
    phone.link.offer(SENT, "a")
    assert phone.link.take(0) is SENT
    phone.link.admit("b", takes_over=True)
    phone.link.offer(SENT, "a")
    assert phone.link.take(0) is None


def test_a_page_that_is_closed_is_hidden_first() -> None:
    phone = Phone()
    phone.link.admit("a")
    phone.link.leave("a", Away.HIDDEN)
    phone.link.leave("a", Away.LEFT)
    assert phone.link.trouble == Away.LEFT.value


def test_a_page_that_may_not_use_the_camera_says_so_without_a_picture() -> None:
    phone = Phone()
    phone.link.leave("a", Away.REFUSED)
    assert phone.link.trouble == Away.REFUSED.value


def test_there_is_trouble_only_while_no_pictures_come() -> None:
    phone = Phone()
    assert phone.link.trouble == INVITATION.sentence
    phone.link.admit("a")
    phone.link.offer(SENT)
    assert phone.link.trouble == ""
    phone.now_s += GONE_AFTER_S
    assert phone.link.trouble.startswith("The phone sends nothing")
    phone.link.admit("a")
    phone.link.leave("a", Away.HIDDEN)
    assert phone.link.trouble == Away.HIDDEN.value


def test_a_second_phone_never_takes_over_unasked() -> None:
    phone = Phone()
    assert phone.link.admit("a")
    assert not phone.link.admit("b")
    phone.now_s += GONE_AFTER_S
    assert not phone.link.admit("b")
    # As of a reload.
    phone.link.leave("a", Away.LEFT)
    assert not phone.link.admit("b")
    assert phone.link.admit("a")
    assert phone.link.admit("b", takes_over=True)
    assert not phone.link.admit("a")
    assert phone.link.admit("a", takes_over=True)


@pytest.mark.parametrize(
    ("happens", "alert", "sentence"),
    [
        (lambda phone: phone.link.leave("a", Away.HIDDEN), Alert.PHONE_ASLEEP, "sleeps"),
        (lambda phone: phone.link.leave("a", Away.LEFT), Alert.PHONE_GONE, "was closed"),
        (lambda phone: phone.link.hear("b"), Alert.PHONE_GONE, "sends nothing"),
        (lambda phone: phone.link.hear("a"), Alert.PHONE_SLOW, "The Wi-Fi is slow"),
    ],
)
def test_one_that_sleeps_is_told_from_a_slow_way(
    happens: Callable[[Phone], None], alert: Alert, sentence: str
) -> None:
    phone = Phone()
    phone.link.admit("a")
    phone.link.offer(SENT, "a")
    phone.now_s += GONE_AFTER_S
    happens(phone)
    with pytest.raises(CameraError, match=sentence) as caught:
        phone.frame()
    assert caught.value.alert is alert
    assert sentence in phone.link.trouble


def test_what_came_while_nobody_looked_is_old() -> None:
    phone = Phone()
    phone.link.offer(SENT)
    assert phone.why().startswith("On the phone")


HUGE = jpeg(MAX_PICTURE_PIXELS // 1000 + 1, 1000)


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xd8\xff", jpeg()[:300], HUGE, b"\x89PNG\r\n\x1a\n" + bytes(50), bytes(99)]
)
def test_what_is_no_picture_or_too_large_is_passed_over(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = Phone()
    pictures = [replace(SENT, data=data), SENT]
    monkeypatch.setattr(phone.link, "take", lambda _: pictures.pop(0) if pictures[1:] else SENT)
    with closing(phone.camera):
        assert phone.frame().size == (320, 180)


def test_a_picture_after_29_that_cannot_be_decoded_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    phone = Phone()
    damaged = [replace(SENT, data=b"x")] * 29
    monkeypatch.setattr(phone.link, "take", lambda _: damaged.pop() if damaged else SENT)
    with closing(phone.camera):
        assert phone.frame().size == (320, 180)


def test_pictures_that_can_never_be_decoded_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    phone = Phone()
    monkeypatch.setattr(phone.link, "take", lambda _: replace(SENT, data=b"x"))
    assert phone.why() == "phone: what it sends cannot be decoded as pictures"


def test_a_clock_that_jumps_back_does_not_turn_frames_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    phone = Phone()
    times = chain((100.0, 99.0), count(101.0))
    monkeypatch.setattr(phone.link, "take", lambda _: replace(SENT, time_s=next(times)))
    frames = phone.camera.frames()
    seen = [next(frames).time_s for _ in range(2)]
    assert seen == sorted(set(seen))


def test_a_phone_is_named_without_anything_after_it() -> None:
    assert parse_spec("phone").kind == "phone"
    for text in ("phone:x", "phone?size=1280x720"):
        with pytest.raises(CameraError):
            parse_spec(text)
    with pytest.raises(CameraError, match="expected a command that serves a page"):
        open_camera("phone")
