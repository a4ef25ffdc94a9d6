"""Cameras for commands: a phone's page is served once, and said where."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.cli.shared.cameras import Cameras, print_invitation
from appliance.devices.camera.phone import Invitation, PhoneLink
from appliance.errors import CameraError
from appliance.terminal.qr import code_lines, qr_code
from appliance.terminal.screen import fitted
from appliance.web import phone
from vision.frame import Frame

INVITATION = Invitation("https://192.168.1.5:8443", "123456", "https://192.168.1.5:8443/#123456")


class Page:
    made = 0
    closed = 0

    def __init__(self, folder: Path) -> None:
        Page.made += 1
        self.link = PhoneLink(INVITATION)

    def close(self) -> None:
        Page.closed += 1


def test_a_phones_page_stays_between_two_openings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(phone, "PhonePage", Page)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    told: list[Invitation] = []
    with ExitStack() as stack:
        cameras = Cameras(stack, told.append)
        cameras.open("phone").close()
        cameras.open("phone").close()
        assert (Page.made, Page.closed, told) == (1, 0, [INVITATION])
    assert Page.closed == 1


def test_without_the_packages_it_is_said_how_to_add_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "appliance.web.phone", None)
    with (
        ExitStack() as stack,
        pytest.raises(CameraError, match="package that serves pages is missing"),
    ):
        Cameras(stack).open("phone")


def test_a_phone_that_does_not_come_is_waited_for_no_longer_than_was_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(phone, "PhonePage", Page)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    opened = []

    class Nobody:
        name = "phone"

        def frames(self) -> Iterator[Frame]:
            raise CameraError("nobody")

        def close(self) -> None:
            opened.append("closed")

    with ExitStack() as stack:
        cameras = Cameras(stack, lambda _: None)
        monkeypatch.setattr(cameras, "open", lambda _: Nobody())
        cameras.wait_for_phone("phone", most_times=3)
    assert opened == 3 * ["closed"]


def test_only_for_a_phone_and_where_it_was_printed_somebody_waits() -> None:
    with ExitStack() as stack:
        Cameras(stack).wait_for_phone("phone")
        Cameras(stack, lambda _: None).wait_for_phone("v4l2:0")


def test_address_pin_and_code_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    print_invitation(False, INVITATION)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "On the phone, open https://192.168.1.5:8443 and enter the PIN 123456."
    # Small enough for the smallest window.
    assert len(printed) < 24
    assert max(map(len, printed)) < 80


@pytest.mark.parametrize("scale", [1, 3])
def test_a_code_can_be_read_as_it_is_drawn(scale: int) -> None:
    code = qr_code(INVITATION.link)
    drawn = fitted(code, scale * code.shape[1] + 1, scale * code.shape[0])
    assert drawn.shape[0] == scale * code.shape[0]
    large = cv2.resize(drawn, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    assert cv2.QRCodeDetector().detectAndDecode(large)[0] == INVITATION.link


def test_half_blocks_are_the_same_code() -> None:
    code = qr_code(INVITATION.link)
    rows = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    lines = [[rows[block] for block in line] for line in code_lines(code)]
    modules = np.array([[row[k] for row in line] for line in lines for k in (0, 1)], np.uint8)
    assert np.array_equal(modules[: len(code)] * 255, code[:, :, 0])


def test_the_password_of_an_address_is_read_at_each_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(
        "appliance.cli.shared.cameras.open_camera", lambda spec, *_: opened.append(spec)
    )
    file, address = tmp_path / "password", "http://anna:{password}@cam/video"
    with ExitStack() as stack:
        cameras = Cameras(stack, password_file=str(file))
        for password in ("ge heim", "other"):
            file.write_text(f"{password}\n")
            file.chmod(0o600)
            cameras.open(address)
        file.chmod(0o644)
        with pytest.raises(CameraError, match=r"http://cam/\.\.\.: .* rights 0644; chmod 600"):
            cameras.open(address)
        cameras.open("pi")
    assert opened == ["http://anna:ge%20heim@cam/video", "http://anna:other@cam/video", "pi"]
