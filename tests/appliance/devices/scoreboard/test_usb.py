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


Plugged = tuple[str, str, str, str]
"""Vendor, product, port and name of a device."""
HUB = ("1d6b", "0002", "", "xHCI Host Controller")
SIGHTS: dict[str, tuple[tuple[Plugged, ...], str, str]] = {
    "a cable that only charges": ((HUB,), "and no Pico on USB", "many only charge"),
    "BOOTSEL held down": (
        (HUB, ("2e8a", "0003", "", "RP2 Boot")),
        "in its boot loader (RP2040)",
        "for RPI_PICO or RPI_PICO_W (.uf2)",
    ),
    "a Pico 2 W without MicroPython, or with a Pico's": (
        (HUB, ("2e8a", "000f", "", "RP2350 Boot")),
        "in its boot loader (RP2350)",
        "for RPI_PICO2 or RPI_PICO2_W (.uf2)",
    ),
    "a C program": (
        (HUB, ("2e8a", "000a", "ttyACM0", "Pico")),
        "another program than MicroPython: Pico (2e8a:000a)",
        "hold BOOTSEL",
    ),
    "CircuitPython": (
        (HUB, ("239a", "80f4", "ttyACM0", "Raspberry Pi Pico")),
        "another program than MicroPython: Raspberry Pi Pico (239a:80f4)",
        "hold BOOTSEL",
    ),
    "a port of another name": (
        (HUB, ("2e8a", "0005", "ttyACM3", "Board in FS mode")),
        "but a Pico is at /dev/ttyACM3",
        "udev",
    ),
    "a kernel without its driver": (
        (HUB, ("2e8a", "0005", "", "Board in FS mode")),
        "is there, but has no port",
        "modprobe cdc_acm",
    ),
    "only another maker's device": (
        (HUB, ("1546", "01a7", "ttyACM1", "GPS")),
        "and no Pico on USB",
        "carries data",
    ),
}
"""Of a board that shows nothing: what is in /sys, what is said of it, and what helps."""


@pytest.mark.parametrize("sight", SIGHTS)
def test_why_there_is_no_port(tmp_path: Path, sight: str) -> None:
    plugged, found, advice = SIGHTS[sight]
    for number, (vendor, product, port, label) in enumerate(plugged):
        plug(tmp_path, f"1-{number}", vendor, product, port, label)
    problem, what = missing_port("/dev/board", tmp_path)
    assert problem.startswith("there is no port /dev/board, ")
    assert found in problem
    assert advice in what


def test_each_sight_has_a_sentence_of_its_own() -> None:
    assert len({found for _, found, _ in SIGHTS.values()}) == len(SIGHTS) - 1


def test_a_machine_without_usb_has_no_devices(tmp_path: Path) -> None:
    assert devices(tmp_path / "nothing") == ()
