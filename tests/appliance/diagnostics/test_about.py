from pathlib import Path

import pytest

from appliance.devices.scoreboard import Hello, LinkState, Status
from appliance.diagnostics.about import about
from vision.files.system import Disk

DISK = Disk(4096 * 3_000_000, read_only=False)
READ_ONLY = Disk(4096, read_only=True)
HELLO = Hello((1, 0), "0.1.0", "a1b2c3d4", 64, 16)


def pi(tmp_path: Path, throttled: str) -> Path:
    zone = tmp_path / "class/thermal/thermal_zone0"
    zone.mkdir(parents=True)
    (zone / "temp").write_text("48312\n")
    firmware = tmp_path / "devices/platform/soc/soc:firmware"
    firmware.mkdir(parents=True)
    (firmware / "get_throttled").write_text(throttled)
    return tmp_path


def test_a_healthy_pi_reports_everything(tmp_path: Path) -> None:
    board = Status(LinkState.LINKED, hello=HELLO)
    lines = dict(about(board, 29.97, tmp_path, sys=pi(tmp_path, "0\n"), disk_of=lambda _: DISK))
    assert lines.pop("SOFTWARE")
    assert lines == {
        "FIRMWARE": "0.1.0",
        "BUILD": "A1B2C3D4",
        "CAMERA": "30 FPS",
        "DISK": "12 GB FREE",
        "TEMP": "48 C",
        "SUPPLY": "GOOD",
    }


def test_what_is_wrong_is_shown(tmp_path: Path) -> None:
    board = Status(LinkState.LISTENING, "no board", hello=HELLO)
    sys = pi(tmp_path, "50005\n")
    lines = dict(about(board, None, tmp_path, sys=sys, disk_of=lambda _: READ_ONLY))
    assert lines["FIRMWARE"] == "NO LINK"
    assert "BUILD" not in lines
    assert lines["CAMERA"] == "NO PICTURE"
    assert lines["DISK"] == "READ ONLY"
    assert lines["SUPPLY"] == "TOO WEAK"


def test_what_a_machine_does_not_report_is_left_out(tmp_path: Path) -> None:
    def missing(_: Path) -> Disk:
        raise FileNotFoundError(2, "No such file")

    lines = dict(about(None, 15.0, tmp_path, sys=tmp_path, disk_of=missing))
    assert lines.keys() == {"SOFTWARE", "CAMERA", "DISK"}
    assert lines["DISK"] == "MISSING"


@pytest.mark.parametrize(("blocks", "text"), [(100_000, "0.4 GB FREE"), (10**12, "9999 GB FREE")])
def test_room_is_given_in_few_characters(tmp_path: Path, blocks: int, text: str) -> None:
    disk = Disk(4096 * blocks, read_only=False)
    lines = dict(about(None, 15.0, tmp_path, sys=tmp_path, disk_of=lambda _: disk))
    assert lines["DISK"] == text
