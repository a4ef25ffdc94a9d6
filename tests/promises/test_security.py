"""What SECURITY.md promises: each test is one of its sentences."""

import os
import re
import stat
from pathlib import Path

import pytest

from appliance.config.password import read_password
from appliance.web.phone import MAX_PICTURE_BYTES, PhonePage
from tests.appliance.web.test_phone import Room
from tests.paths import ROOT

UNITS = ROOT / "systemd"


def test_five_tries_a_minute_from_one_address() -> None:
    """no more than five tries a minute from one address"""
    room = Room()
    assert [room.enter(f"00000{number}") for number in range(5)] == [403] * 5
    assert room.enter() == 429
    room.now_s += 59.0
    assert room.enter() == 429
    room.now_s += 2.0
    assert room.enter() == 204


def test_the_pin_has_six_digits(tmp_path: Path) -> None:
    """a PIN of six digits"""
    page = PhonePage(tmp_path, 0)
    try:
        assert re.fullmatch("[0-9]{6}", page.link.invitation.pin)
    finally:
        page.close()


def test_nothing_but_pictures_of_limited_size_and_rate_is_taken() -> None:
    """of whoever has it, nothing is taken but JPEG pictures of limited size and rate"""
    room = Room()
    room.enter()
    assert room.post("/picture?page=a", b"\xff\xd8\xff" + bytes(MAX_PICTURE_BYTES)) == 413
    assert room.link.take(0) is None
    before = room.now_s
    assert room.post("/picture?page=a") == 200
    assert room.now_s - before >= 1 / 20
    assert room.post("/secret", b"") in (404, 405)


def test_certificate_key_and_pin_are_for_their_owner_only(tmp_path: Path) -> None:
    """Certificate, key and PIN are in `~/.local/state/dicetray/phone`, for their owner only."""
    before = os.umask(0)
    try:
        folder = tmp_path / "phone"
        PhonePage(folder, 0).close()
    finally:
        os.umask(before)
    rights = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}
    assert rights["key.pem"] == rights["secret"] == 0o600
    # A certificate is there to be shown, but nobody else gets into the folder.
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert "certificate.pem" in rights


@pytest.mark.parametrize("rights", [0o640, 0o604, 0o660, 0o777])
def test_passwords_are_in_files_that_only_their_owner_may_read(tmp_path: Path, rights: int) -> None:
    """in files that only their owner may read"""
    file = tmp_path / "password"
    file.write_text("secret\n")
    file.chmod(0o600)
    assert read_password("mqtt-password", str(file)) == "secret"
    file.chmod(rights)
    with pytest.raises(ValueError, match="chmod 600"):
        read_password("mqtt-password", str(file))


def test_nothing_on_a_stick_is_executed() -> None:
    """nothing on a stick is executed"""
    mounts = re.findall(r"mount -t \S+ -o (\S+)", (UNITS / "stick.sh").read_text())
    assert mounts
    assert all({"noexec", "nosuid", "nodev"} <= set(options.split(",")) for options in mounts)


def test_python_runs_isolated() -> None:
    """Python runs isolated from them (`-I`)."""
    started = [
        line
        for unit in UNITS.glob("*.service")
        for line in re.findall(r"^Exec\w+=(.*)$", unit.read_text(), re.MULTILINE)
        if "python" in line
    ]
    assert len(started) >= 4
    assert all("/python -I " in line for line in started)
