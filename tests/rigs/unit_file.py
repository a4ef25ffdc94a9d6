"""Settings that the unit of the service gives systemd, and what its ExecStopPost does."""

import re
import signal
import subprocess
from pathlib import Path

from tests.paths import ROOT

_UNIT = (ROOT / "systemd/dicetray.service").read_text()


def value_of(key: str) -> str:
    """The value of a key that is there once."""
    (value,) = re.findall(rf"^{key}=(.*)$", _UNIT, re.MULTILINE)
    assert isinstance(value, str)
    return value


def result_of(status: int) -> str:
    """`$SERVICE_RESULT` after an end with this status, or by a signal if it is negative.

    As systemd's is_clean_exit has it for a service (src/shared/exit-status.c).
    """
    if status < 0:
        clean = {signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGPIPE}
        return "success" if -status in clean else "signal"
    return "success" if status in (0, int(value_of("SuccessExitStatus"))) else "exit-code"


def stop_post(folder: Path, result: str) -> None:
    """Runs ExecStopPost as systemd does after an end with this `$SERVICE_RESULT`."""
    (script,) = re.findall(r"^-/bin/sh -c '(.*)'$", value_of("ExecStopPost"))
    script = script.replace("%t/dicetray", str(folder)).replace("$$", "$")
    subprocess.run(["/bin/sh", "-c", script], env={"SERVICE_RESULT": result}, check=True)
