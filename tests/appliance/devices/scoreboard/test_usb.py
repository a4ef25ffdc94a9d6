"""Devices on USB, from a made-up /sys."""

from pathlib import Path

import pytest

from appliance.devices.scoreboard.usb import devices, missing_port, usb_device_behind


def plug(root: Path, name: str, vendor: str, product: str, port: str = "", label: str = "") -> None:
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "idVendor").write_text(f"{vendor}\n")
    (folder / "idProduct").write_text(f"{product}\n")
    if label:
        (folder / "product").write_text(f"{label}\n")
    if port:
        (folder / f"{name}:1.0" / "tty" / port).mkdir(parents=True)


def test_devices_are_told_apart(tmp_path: Path) -> None:
    plug(tmp_path, "1-1", "2e8a", "0005", "ttyACM0", "Board in FS mode")
    plug(tmp_path, "1-2", "2e8a", "0003", label="RP2 Boot")
    plug(tmp_path, "1-3", "1546", "01a7", "ttyACM1", "GPS")
    (tmp_path / "1-1:1.0").mkdir()
    pico, loader, gps = devices(tmp_path)
    assert (pico.is_micropython, pico.boot_loader, pico.ports) == (True, "", ("/dev/ttyACM0",))
    assert (loader.is_micropython, loader.boot_loader, loader.ports) == (False, "RP2040", ())
    assert (gps.is_micropython, gps.boot_loader) == (False, "")
    assert str(gps) == "GPS (1546:01a7)"
    assert usb_device_behind("/dev/ttyACM1", tmp_path) == gps
    assert usb_device_behind("/dev/ttyS0", tmp_path) is None


@pytest.mark.parametrize(
    ("product", "port", "found", "advice"),
    [
        ("0003", "", "boot loader (RP2040)", "without BOOTSEL"),
        ("000f", "", "boot loader (RP2350)", "dicetray flash"),
        ("0005", "ttyACM3", "a Pico is at /dev/ttyACM3", "udev"),
        ("1234", "", "there is no port /dev/board", "cable"),
    ],
)
def test_why_there_is_no_port(
    tmp_path: Path, product: str, port: str, found: str, advice: str
) -> None:
    plug(tmp_path, "1-1", "2e8a", product, port)
    problem, what = missing_port("/dev/board", tmp_path)
    assert found in problem
    assert advice in what


def test_a_machine_without_usb_has_no_devices(tmp_path: Path) -> None:
    assert devices(tmp_path / "nothing") == ()


def test_only_a_pico_with_a_port_is_named_in_place_of_the_missing_one(tmp_path: Path) -> None:
    plug(tmp_path, "1-1", "1546", "01a7", "ttyACM1", "GPS")
    plug(tmp_path, "1-2", "2e8a", "0005", label="Board in FS mode")
    found, advice = missing_port("/dev/ttyACM0", tmp_path)
    assert found == "there is no port /dev/ttyACM0"
    assert "cable" in advice
