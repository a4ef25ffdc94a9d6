#!/usr/bin/env python3
"""Unplugs and replugs a real USB serial device; not part of the test run.

    .venv/bin/python tests/lab/check_usb.py LAB [--rounds 6]

LAB holds a running virtual machine: `vm.sh COMMAND` runs something in it as root, `vm.sh -cp
SOURCE... FOLDER` copies into it, and `demos/usb_pico.py` makes a USB device with a Pico's identity
there (the kernel's dummy_hcd and ACM gadget), which the kernel's own cdc_acm turns into
/dev/ttyACM0. On one side of it runs this program's host end, on the other the firmware in
MicroPython: usb_in_vm.py has the checks. One line per check; exit status 1 if any fails.

An emulated machine is slow. How slow is measured by timing a loop both here and there; the second
within which a picture must be back is extended accordingly.
"""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = "/opt/dicetray-lab"
PYTHON = "/opt/lab/bin/python"
LOOP = "import time; t = time.process_time(); sum(map(hash, range(3000000))); "
LOOP += "print(time.process_time() - t)"
ROOMS = ("appliance", "calibration", "firmware", "games", "simulator", "systemd", "tests", "vision")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lab", type=Path)
    parser.add_argument("--rounds", type=int, default=6, help="how often the cable is pulled")
    options = parser.parse_args()
    vm = str(options.lab / "vm.sh")
    files = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *ROOMS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n")
    wanted = [name for name in files if name and not name.endswith((".npz", ".jpg", ".png"))]
    packed = subprocess.run(
        ["tar", "-C", str(ROOT), "-c", *wanted], stdout=subprocess.PIPE, check=True
    ).stdout
    subprocess.run(
        [vm, f"rm -rf {FOLDER}; mkdir -p {FOLDER}; tar -x -C {FOLDER} --no-same-owner"],
        input=packed,
        check=True,
    )
    subprocess.run([vm, "-cp", str(options.lab / "demos" / "usb_pico.py"), FOLDER], check=True)
    here = subprocess.run(
        [sys.executable, "-c", LOOP], capture_output=True, text=True, check=True
    ).stdout
    there = subprocess.run(
        [vm, f"{PYTHON} -c '{LOOP}'"],
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
    ).stdout
    slowness = max(1.0, float(there) / float(here))
    run = f"tests/lab/usb_in_vm.py --rounds {options.rounds} --slowness {slowness:.1f}"
    return subprocess.run(
        [vm, f"cd {FOLDER} && PYTHONPATH=. {PYTHON} {run}"],
        stdin=subprocess.DEVNULL,
        check=False,
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
