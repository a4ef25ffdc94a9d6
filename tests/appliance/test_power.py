import subprocess
from collections.abc import Sequence

import pytest

from appliance.errors import PowerError
from appliance.power import COMMAND, SystemPower


def test_the_order_goes_to_systemd() -> None:
    ran: list[Sequence[str]] = []

    def run(command: Sequence[str]) -> tuple[int, str]:
        ran.append(command)
        return 0, ""

    SystemPower(run).off()
    assert ran == [COMMAND]


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
