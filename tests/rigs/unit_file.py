"""What the unit of the service tells systemd, and what its ExecStopPost does."""

import re
import subprocess
from pathlib import Path

from tests.paths import ROOT

_UNIT = (ROOT / "systemd/dicetray.service").read_text()


def value_of(key: str) -> str:
    """The value of a key that is there once."""
    (value,) = re.findall(rf"^{key}=(.*)$", _UNIT, re.MULTILINE)
    assert isinstance(value, str)
    return value


def stop_post(folder: Path, result: str) -> None:
    """Runs ExecStopPost as systemd does after an end with this `$SERVICE_RESULT`."""
    (script,) = re.findall(r"^-/bin/sh -c '(.*)'$", value_of("ExecStopPost"))
    script = script.replace("%t/dicetray", str(folder)).replace("$$", "$")
    subprocess.run(["/bin/sh", "-c", script], env={"SERVICE_RESULT": result}, check=True)
