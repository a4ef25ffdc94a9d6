import subprocess
from collections.abc import Callable, Sequence
from functools import partial
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
from tests.rigs.programs import Answer, answer, answers


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


def said_by(said: Answer) -> tuple[int, str]:
    """What a command's run gives: standard error if it failed."""
    return said.status, said.err if said.status else said.out


def keeping(said: Answer, asked: list[Sequence[str]]) -> Callable[[Sequence[str]], tuple[int, str]]:
    """Runs nothing, answers so, and keeps what was asked."""

    def run(command: Sequence[str]) -> tuple[int, str]:
        asked.append(command)
        return said_by(said)

    return run


@pytest.mark.parametrize("said", answers("systemctl", "off denied"), ids=str)
def test_a_refusal_says_what_to_do(said: Answer) -> None:
    power = SystemPower(lambda _: said_by(said))
    with pytest.raises(PowerError, match=r"Access denied; .*run the installer again"):
        power.off()


@pytest.mark.parametrize(
    "error", [FileNotFoundError(2, "No such file"), subprocess.TimeoutExpired("systemctl", 10)]
)
def test_without_systemd_the_error_is_typed(error: Exception) -> None:
    def run(_: Sequence[str]) -> tuple[int, str]:
        raise error

    with pytest.raises(PowerError, match="is this a system with systemd"):
        SystemPower(run).off()


@pytest.mark.parametrize("case", ["off without rule", "restart without rule", "off denied"])
def test_what_polkit_refuses_is_said_in_one_line(case: str) -> None:
    for said in answers("systemctl", case):
        power = SystemPower(keeping(said, []))
        with pytest.raises(PowerError) as raised:
            power.restart() if case.startswith("restart") else power.off()
        assert said.err.splitlines()[0] in str(raised.value)
        assert "\n" not in str(raised.value)
        assert "run the installer again" in str(raised.value)


@pytest.mark.parametrize("said", answers("systemctl", "off without bus"), ids=str)
def test_where_no_systemd_runs_the_installer_is_no_help(said: Answer) -> None:
    with pytest.raises(PowerError, match="is this a system with systemd") as raised:
        SystemPower(lambda _: said_by(said)).off()
    assert "installer" not in str(raised.value)
    # It says each of its lines twice.
    assert str(raised.value).count("Can't operate") <= 1


@pytest.mark.parametrize("said", answers("systemctl", "off while inhibited"), ids=str)
def test_a_program_that_keeps_the_machine_on_is_not_taken_for_a_missing_rule(said: Answer) -> None:
    """Until systemd 257 both are refused in the same words."""
    with pytest.raises(PowerError, match=r"a program may keep it on.*systemd-inhibit --list"):
        SystemPower(keeping(said, [])).off()


def test_a_program_that_keeps_the_machine_on_is_named_by_doctor() -> None:
    for said in answers("busctl", "inhibited"):
        told = may_power_off(keeping(said, []))
        (finding,) = check_power_off(partial(str, told))
        assert "keeps the machine on for now" in finding.text
    for said in answers("busctl", "allowed by our rule"):
        assert may_power_off(keeping(said, [])) == "yes"


def test_one_that_accepts_says_nothing() -> None:
    for said in answers("systemctl", "off"):
        SystemPower(keeping(said, [])).off()


@pytest.mark.parametrize(
    ("case", "answer"),
    [
        *(("allowed", "yes"), ("challenge", "challenge"), ("denied", "no")),
        *(("cannot", "na"), ("no bus", ""), ("no logind", "")),
    ],
)
def test_logind_is_asked_beforehand(case: str, answer: str) -> None:
    for said in answers("busctl", case):
        asked: list[Sequence[str]] = []
        run = keeping(said, asked)
        assert may_power_off(run) == answer
        assert asked == [MAY_POWER_OFF_COMMAND]


@pytest.mark.parametrize("text", ["", "b true\n", "s"])
def test_an_answer_of_another_form_is_none(text: str) -> None:
    assert may_power_off(lambda _: (0, text)) == ""


def test_without_busctl_there_is_no_answer() -> None:
    def run(_: Sequence[str]) -> tuple[int, str]:
        raise FileNotFoundError(2, "No such file")

    assert may_power_off(run) == ""


@pytest.mark.parametrize(
    ("answer", "level"),
    [
        ("yes", Level.OK),
        ("challenge", Level.NOTE),
        ("inhibited", Level.NOTE),
        ("no", Level.WRONG),
        ("na", Level.NOTE),
        ("", Level.NOTE),
    ],
)
def test_doctor_says_whether_the_buttons_can_switch_off(answer: str, level: Level) -> None:
    (finding,) = check_power_off(lambda: answer)
    assert finding.level is level
    assert bool(finding.advice) == (answer in ("challenge", "inhibited", "no"))


def test_an_accepted_order_means_that_the_machine_goes_off(tmp_path: Path) -> None:
    power = SystemPower(lambda _: (0, ""), tmp_path / "going-off")
    assert not power.is_going_off
    power.off()
    assert power.is_going_off


def test_a_refused_order_does_not(tmp_path: Path) -> None:
    denied = said_by(answer("systemctl", "off denied"))
    power = SystemPower(lambda _: denied, tmp_path / "going-off")
    with pytest.raises(PowerError):
        power.off()
    assert not power.is_going_off


def test_an_order_of_somebody_else_is_known_by_the_units_sign(tmp_path: Path) -> None:
    power = SystemPower(sign=tmp_path / "going-off")
    (tmp_path / "going-off").mkdir()
    assert power.is_going_off
