import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from appliance.devices.power import (
    MAY_POWER_OFF_COMMAND,
    POWER_OFF_COMMAND,
    RESTART_COMMAND,
    SystemPower,
    may_power_off,
)
from appliance.diagnostics import Level
from appliance.diagnostics.machine import check_power_off
from appliance.errors import PowerError


def test_the_order_goes_to_systemd() -> None:
    ran: list[Sequence[str]] = []

    def run(command: Sequence[str]) -> tuple[int, str]:
        ran.append(command)
        return 0, ""

    power = SystemPower(run, Path("/nowhere"))
    power.off()
    assert ran == [POWER_OFF_COMMAND]
    assert power.is_going_off


def test_so_does_the_order_to_restart() -> None:
    """After which a scoreboard stays powered, but is not to go dark."""
    ran: list[Sequence[str]] = []

    def run(command: Sequence[str]) -> tuple[int, str]:
        ran.append(command)
        return 0, ""

    power = SystemPower(run, Path("/nowhere"))
    power.restart()
    assert ran == [RESTART_COMMAND]
    assert not power.is_going_off


def test_a_refusal_says_what_to_do() -> None:
    power = SystemPower(lambda _: (1, "Call to PowerOff failed: Access denied\n"))
    with pytest.raises(PowerError, match=r"Access denied; run the installer again"):
        power.off()
    with pytest.raises(PowerError, match="exit status 4"):
        SystemPower(lambda _: (4, "")).off()


@pytest.mark.parametrize(
    "error", [FileNotFoundError(2, "No such file"), subprocess.TimeoutExpired("systemctl", 10)]
)
def test_without_systemd_the_error_is_typed(error: Exception) -> None:
    def run(_: Sequence[str]) -> tuple[int, str]:
        raise error

    with pytest.raises(PowerError, match="is this a system with systemd"):
        SystemPower(run).off()


@pytest.mark.parametrize(
    ("refusal", "message"),
    [
        ("Call to PowerOff failed: Interactive authentication required.", "Interactive"),
        ("Call to PowerOff failed: Access denied", "Access denied"),
        ("Failed to connect to bus: No such file or directory", "connect to bus"),
    ],
)
def test_what_polkit_refuses_is_said_in_one_line(refusal: str, message: str) -> None:
    power = SystemPower(lambda _: (1, f"{refusal}\nsome advice of systemd\n"))
    with pytest.raises(PowerError, match=message) as raised:
        power.off()
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("status", "text", "answer"),
    [
        (0, 's "yes"\n', "yes"),
        (0, 's "challenge"\n', "challenge"),
        (0, 's "no"\n', "no"),
        (0, 's "na"\n', "na"),
        (0, "", ""),
        (0, "b true\n", ""),
        (1, "Failed to connect to bus", ""),
    ],
)
def test_logind_is_asked_beforehand(status: int, text: str, answer: str) -> None:
    asked: list[Sequence[str]] = []

    def run(command: Sequence[str]) -> tuple[int, str]:
        asked.append(command)
        return status, text

    assert may_power_off(run) == answer
    assert asked == [MAY_POWER_OFF_COMMAND]


def test_without_busctl_there_is_no_answer() -> None:
    def run(_: Sequence[str]) -> tuple[int, str]:
        raise FileNotFoundError(2, "No such file")

    assert may_power_off(run) == ""


@pytest.mark.parametrize(
    ("answer", "level"),
    [
        ("yes", Level.OK),
        ("challenge", Level.NOTE),
        ("no", Level.WRONG),
        ("na", Level.NOTE),
        ("", Level.NOTE),
    ],
)
def test_doctor_says_whether_the_buttons_can_switch_off(answer: str, level: Level) -> None:
    (finding,) = check_power_off(lambda: answer)
    assert finding.level is level
    assert bool(finding.advice) == (answer in ("challenge", "no"))


def test_an_accepted_order_means_that_the_machine_goes_off(tmp_path: Path) -> None:
    power = SystemPower(lambda _: (0, ""), tmp_path / "going-off")
    assert not power.is_going_off
    power.off()
    assert power.is_going_off


def test_a_refused_order_does_not(tmp_path: Path) -> None:
    power = SystemPower(lambda _: (1, "Access denied"), tmp_path / "going-off")
    with pytest.raises(PowerError):
        power.off()
    assert not power.is_going_off


def test_an_order_of_somebody_else_is_known_by_the_units_sign(tmp_path: Path) -> None:
    power = SystemPower(sign=tmp_path / "going-off")
    (tmp_path / "going-off").mkdir()
    assert power.is_going_off
