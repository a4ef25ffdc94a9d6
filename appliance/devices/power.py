"""Switches the machine off, or restarts it, through systemd: the one port to its power supply."""

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from appliance.errors import PowerError

POWER_OFF_COMMAND = ("systemctl", "--no-ask-password", "poweroff")
"""Asks logind, which asks polkit whether the service's user may; the installer's rule says yes."""

RESTART_COMMAND = ("systemctl", "--no-ask-password", "reboot")
"""The same for a restart."""

_LOGIND = "org.freedesktop.login1"
MAY_POWER_OFF_COMMAND = (
    "busctl",
    "call",
    _LOGIND,
    "/org/freedesktop/login1",
    f"{_LOGIND}.Manager",
    "CanPowerOff",
)
"""Asks logind whether that is allowed, without doing it; see org.freedesktop.login1(5)."""

GOING_OFF = Path("/run/dicetray/going-off")
"""Is there once systemd has begun to power off or halt, not to reboot: the unit's ExecStop makes it
before the service gets its signal, whoever gave the order."""

_NO_BUS = "Failed to connect to "
"""What systemctl says where no systemd runs: the bus has no address, or nobody answers there."""

TIMEOUT_S = 10.0
"""Seconds that the command may take; it only has to pass the order on."""


def _run_command(command: Sequence[str]) -> tuple[int, str]:
    done = subprocess.run(
        list(command), capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    return done.returncode, done.stderr if done.returncode else done.stdout


def may_power_off(run: Callable[[Sequence[str]], tuple[int, str]] = _run_command) -> str:
    """Logind's answer to the current user: `yes`, `no`, `challenge` (after a password), or `na`.

    While a program keeps the machine on, that is `challenge`, since systemd 262 `inhibited`. Empty
    where no logind answers. `run` returns a command's exit status and output.
    """
    try:
        status, output = run(MAY_POWER_OFF_COMMAND)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    # busctl prints the type of the answer before it: s "yes"
    words = output.split()
    return words[1].strip('"') if status == 0 and len(words) == 2 and words[0] == "s" else ""


class SystemPower:
    """Shuts the machine down as `systemctl poweroff` does: services end in order, disks are synced.

    Args:
        run: runs a command; returns its exit status and output (standard error if it failed).
        sign: what the unit makes when the machine goes off by somebody else's order.
    """

    def __init__(
        self,
        run: Callable[[Sequence[str]], tuple[int, str]] = _run_command,
        sign: Path = GOING_OFF,
    ) -> None:
        self._run_command = run
        self._sign = sign
        self._accepted = False

    @property
    def is_going_off(self) -> bool:
        """True once the machine is being switched off: by `off`, or by somebody else."""
        return self._accepted or self._sign.exists()

    def off(self) -> None:
        """Passes the order on and returns; the end comes as a signal to this process.

        Raises:
            PowerError: there is no systemd, or it refuses.
        """
        self._order(POWER_OFF_COMMAND, "shut the machine down")
        self._accepted = True

    def restart(self) -> None:
        """Passes the order to restart on and returns.

        Raises:
            PowerError: there is no systemd, or it refuses.
        """
        self._order(RESTART_COMMAND, "restart the machine")

    def _order(self, command: Sequence[str], what: str) -> None:
        try:
            status, output = self._run_command(command)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise PowerError(
                f"systemd cannot be asked to {what}: {error}", "is this a system with systemd?"
            ) from error
        if status:
            # Where it has no systemd to ask, systemctl says each of its lines twice.
            lines = dict.fromkeys(filter(None, map(str.strip, output.splitlines())))
            why = " ".join(lines) or f"exit status {status}"
            if _NO_BUS in output:
                raise PowerError(
                    f"systemd cannot be asked to {what}: {why}", "is this a system with systemd?"
                )
            raise PowerError(
                f"systemd refuses to {what}: {why}; a program may keep it on, such as an update: "
                "systemd-inhibit --list; if none does, run the "
                "installer again: its polkit rule lets the service's user do that"
            )
