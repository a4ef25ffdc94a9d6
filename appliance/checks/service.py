"""Check of the systemd service."""

import subprocess
from collections.abc import Callable, Iterator, Mapping

from appliance.checks.base import Finding, Level

UNIT = "dicetray.service"
_PROPERTIES = ("LoadState", "ActiveState", "SubState", "NRestarts", "Result", "UnitFileState")
_MANY = 3


def show(unit: str = UNIT) -> Mapping[str, str] | None:
    """What systemd says of a unit; None where there is no systemd."""
    command = ["systemctl", "show", unit, f"--property={','.join(_PROPERTIES)}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)


def check_service(
    show: Callable[[], Mapping[str, str] | None] = show,
) -> Iterator[Finding]:
    """Whether the service is installed, starts with the machine, runs, and keeps running."""
    found = show()
    if found is None:
        yield Finding("service", Level.NOTE, "this machine has no systemd that answers")
        return
    state = found.get("ActiveState", "")
    restarts = int(found.get("NRestarts") or 0)
    if found.get("LoadState") != "loaded":
        yield Finding(
            "service",
            Level.NOTE,
            "is not installed",
            "sudo systemd/install.sh in dicetray's folder",
        )
    elif state == "failed":
        yield Finding(
            "service",
            Level.WRONG,
            f"has failed ({found.get('Result', 'unknown')}) after {restarts} restarts",
            "look at its last words: journalctl -u dicetray -n 50",
        )
    elif state != "active":
        yield Finding(
            "service",
            Level.NOTE,
            f"does not run ({state} {found.get('SubState', '')})",
            "start it: sudo systemctl start dicetray",
        )
    elif found.get("UnitFileState") not in ("enabled", "enabled-runtime"):
        yield Finding(
            "service",
            Level.NOTE,
            "runs, but will not start with the machine",
            "sudo systemctl enable dicetray",
        )
    elif restarts >= _MANY:
        yield Finding(
            "service",
            Level.NOTE,
            f"runs, but was started again {restarts} times",
            "look why: journalctl -u dicetray | grep -i error",
        )
    else:
        yield Finding("service", Level.OK, f"runs, started again {restarts} times")
