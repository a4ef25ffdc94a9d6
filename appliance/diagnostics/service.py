"""Checks of the systemd service, and of what it may do."""

import subprocess
from collections.abc import Callable, Iterator, Mapping

from appliance.devices.power import may_power_off
from appliance.diagnostics.base import Finding, Level

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


def check_service(show: Callable[[], Mapping[str, str] | None] = show) -> Iterator[Finding]:
    """Whether the service is installed, starts with the machine, runs, and keeps running."""
    found = show()
    if found is None:
        yield Finding("service", Level.NOTE, "this machine has no systemd that answers")
        return
    state = found.get("ActiveState", "")
    restarts = int(found.get("NRestarts") or 0)
    level, advice = Level.NOTE, ""
    if found.get("LoadState") != "loaded":
        text, advice = "is not installed", "sudo systemd/install.sh in dicetray's folder"
    elif state == "failed":
        level = Level.WRONG
        text = f"has failed ({found.get('Result', 'unknown')}) after {restarts} restarts"
        advice = "see the end of its log: journalctl -u dicetray -n 50"
    elif state != "active":
        text = f"is not running ({state} {found.get('SubState', '')})"
        advice = "start it: sudo systemctl start dicetray"
    elif found.get("UnitFileState") not in ("enabled", "enabled-runtime"):
        text = "runs, but will not start with the machine"
        advice = "sudo systemctl enable dicetray"
    elif restarts >= _MANY:
        text = f"runs, but was restarted {restarts} times"
        advice = "see why: journalctl -u dicetray | grep -i error"
    else:
        level, text = Level.OK, f"runs, restarted {restarts} times"
    yield Finding("service", level, text, advice)


def check_power_off(ask: Callable[[], str] = may_power_off) -> Iterator[Finding]:
    """Whether whoever runs this may switch the machine off, as the service must for SHUT DOWN."""
    subject = "switching off"
    again = "run the installer again: its polkit rule lets the service's user shut down"
    match ask():
        case "yes":
            yield Finding(subject, Level.OK, "this user may switch the machine off")
        case "challenge":
            text = "this user may only with a password"
            advice = "the service's user needs none: sudo -u dicetray dicetray doctor --only power"
            yield Finding(subject, Level.NOTE, text, advice)
        case "no":
            yield Finding(subject, Level.WRONG, "this user may not switch the machine off", again)
        case "na":
            yield Finding(subject, Level.NOTE, "this machine cannot switch itself off")
        case _:
            yield Finding(subject, Level.NOTE, "logind does not answer: SHUT DOWN cannot work")
