#!/usr/bin/env python3
"""Plugs in and pulls out USB sticks of a virtual machine; not part of the test run.

    .venv/bin/python tests/lab/check_stick.py LAB

LAB holds a running virtual machine, as check_usb.py says; its QEMU answers on `vm/qmp` there. Our
own units mount the sticks and serve them, from the files of this checkout. To see what is said in
the moment before systemd hears of a pull, systemd-udevd is stopped meanwhile. One line per check;
exit status 1 if any fails.

Needs `apt install dosfstools exfatprogs e2fsprogs` here.
"""

import argparse
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDER = "/opt/dicetray/current"
STICK = "/run/dicetray-stick/sda"
STATE, RUN = "/var/lib/dicetray", "/run/dicetray"
AS_TRAY = "runuser -u dicetray --"
ROOMS = ("appliance", "calibration", "firmware", "games", "simulator", "vision")
MAKE = {
    "vfat": ("mkfs.vfat", "-F", "32"),
    "exfat": ("mkfs.exfat", "-q"),
    "ext4": ("mkfs.ext4", "-q", "-F"),
}
STICK_BYTES = 64_000_000
PATIENCE_S = 600
"""An emulated machine is slow."""
NOT_DONE = "NOT DONE\nTRY OTHER\nSTICK"

PROGRAM = f"""\
import importlib.metadata, sys
sys.path.insert(0, "{FOLDER}/lib")
importlib.metadata.version = lambda name: "1.0.0"
from appliance.cli.main import main
sys.exit(main())
"""
PLAY = f"""\
import sys
sys.path.insert(0, "{FOLDER}/lib")
from pathlib import Path
from appliance.journal.journal import Journal
with Journal(Path("{STATE}/games.sqlite3")) as journal:
    for player in ("ANNA", "BEN", "CLEO"):
        number = journal.begin("power", "2009", [player], (), "0")
        journal.append(number, 0, ["roll 1 2 3 4 5 power", "keep 1"])
"""
LIST = f"""\
import sys
sys.path.insert(0, "{FOLDER}/lib")
from pathlib import Path
from appliance.errors import StickGone
from appliance.journal.stick_files import names_in
try:
    print(sum(bool(names_in(Path(sys.argv[1]))) for _ in range(200)), "of 200")
except StickGone:
    print("gone")
"""


class Machine:
    """The virtual machine: commands as root, and sticks."""

    def __init__(self, lab: Path, python: str) -> None:
        self._lab, self._python = lab, python
        qemu = socket.socket(socket.AF_UNIX)
        qemu.connect(str(lab / "vm" / "qmp"))
        self._qemu = qemu.makefile("rw")
        self._qemu.readline()
        self._ask("qmp_capabilities")

    def _ask(self, what: str, **arguments: object) -> dict[str, Any]:
        self._qemu.write(json.dumps({"execute": what, "arguments": arguments}) + "\n")
        self._qemu.flush()
        while True:
            said: dict[str, Any] = json.loads(self._qemu.readline())
            if "return" in said or "error" in said:
                return said

    def __call__(self, line: str, given: bytes = b"") -> str:
        """What a shell's line prints."""
        command = [str(self._lab / "vm.sh"), line]
        done = subprocess.run(command, input=given, capture_output=True, check=False)
        return (done.stdout + done.stderr).decode().strip()

    def run(self, program: str, *words: str, who: str = "") -> str:
        """What a program in Python prints."""
        return self(f"{who} {self._python} - {' '.join(words)}", program.encode())

    def lay(self) -> None:
        """Puts program and units there, as our installer does."""
        files = [*ROOMS, "systemd"]
        packed = subprocess.run(
            ["tar", "-C", str(ROOT), "--exclude=__pycache__", "-c", *files],
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        self(f"rm -rf {FOLDER}; mkdir -p {FOLDER}/bin {FOLDER}/lib {FOLDER}/share")
        self(f"tar -x -C {FOLDER}/lib --no-same-owner", packed)
        self(f"cat >{FOLDER}/bin/dicetray", PROGRAM.encode())
        starter = f'#!/bin/sh\nexec {self._python} "$@"\n'.encode()
        self(f"cat >{FOLDER}/bin/python; chmod 755 {FOLDER}/bin/python", starter)
        self(
            f"set -e; cd {FOLDER}; mv lib/systemd share/; cd share/systemd;"
            " cp dicetray-mount@.service dicetray-stick@.service /etc/systemd/system/;"
            " cp udev.rules /etc/udev/rules.d/70-dicetray.rules;"
            " cp sysusers.conf /usr/lib/sysusers.d/dicetray.conf; systemd-sysusers;"
            " systemctl daemon-reload; udevadm control --reload"
        )

    def plug(self, image: Path) -> None:
        """Plugs a stick in."""
        file = {"driver": "file", "filename": str(image)}
        self._ask("blockdev-add", driver="raw", file=file, **{"node-name": "stick"})
        self._ask("device_add", driver="usb-storage", id="stick", drive="stick")

    def pull(self) -> None:
        """Pulls it out, whatever is mounted."""
        self._ask("device_del", id="stick")
        until(lambda: "return" in self._ask("blockdev-del", **{"node-name": "stick"}), "unplugged")
        until(lambda: "sda" not in self("ls /sys/block"), "no stick")

    def ask(self, word: str) -> str:
        """What the board would show after somebody chose this."""
        self(f"rm -f {RUN}/answer; {AS_TRAY} tee {RUN}/ask", f"{word}\n".encode())
        until(lambda: self(f"ls {RUN}/answer && echo there").endswith("there"), f"answer to {word}")
        return self(f"cat {RUN}/answer")

    def offered(self) -> str:
        """What the board offers."""
        return self(f"cat {RUN}/offer 2>/dev/null")


def until(holds: Callable[[], object], what: str) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end_s:
            raise TimeoutError(what)
        time.sleep(0.5)


class Checks:
    """Prints each check."""

    failed = 0

    def __call__(self, what: str, good: object, saw: str) -> None:
        self.failed += not good
        print(f"{'ok    ' if good else 'FAILED'}  {what}: {' / '.join(saw.split(chr(10)))}")


def served(vm: Machine, checks: Checks, kind: str, image: Path) -> None:
    """A stick that our units serve."""
    vm(f"mkdir -p {STATE}; rm -rf {STATE}/*; chown dicetray: {STATE}")
    vm.run(PLAY, who=AS_TRAY)
    vm.plug(image)
    until(lambda: "SAVE GAMES" in vm.offered(), "an offer")
    said = vm.ask("SAVE GAMES")
    checks(f"{kind}: saved", said.startswith("SAVED\n3 GAMES"), said)
    said = vm.run(LIST, STICK)
    checks(f"{kind}: healthy", said == "200 of 200", said)
    for word in ("SAVE GAMES", "RESTORE"):
        vm(f"rm -f {STATE}/copied")
        if word == "RESTORE":
            vm(f"rm -rf {STATE}/*")
            vm.plug(image)
            until(lambda: "RESTORE" in vm.offered(), "an offer")
        vm("systemctl kill --signal=STOP systemd-udevd.service")
        vm.pull()
        said = vm.ask(word)
        vm("systemctl kill --signal=CONT systemd-udevd.service")
        checks(f"{kind}: {word} of a pulled one", said == f"{word}\n{NOT_DONE}", said)
        checks(f"{kind}: not noted as a copy", "copied" not in vm(f"ls {STATE}"), "")
        until(lambda: not vm(f"ls -d {STICK} 2>/dev/null"), "the end of its unit")
        checks(f"{kind}: offered of it", not vm.offered(), vm.offered() or "nothing")
    vm.plug(image)
    until(lambda: "RESTORE" in vm.offered(), "an offer")
    said = vm.ask("RESTORE")
    checks(f"{kind}: restored once it is back", said.startswith("RESTORED\n3 GAMES"), said)
    vm.pull()
    until(lambda: not vm(f"ls -d {STICK} 2>/dev/null"), "the end of its unit")


def mounted(vm: Machine, checks: Checks, kind: str, image: Path) -> None:
    """One with a file system that our units do not mount, by hand."""
    vm.plug(image)
    until(lambda: "sda" in vm("ls /dev/sda"), "the stick")
    vm("mkdir -p /mnt/stick; mount /dev/sda /mnt/stick; mkdir /mnt/stick/dicetray")
    said = vm.run(LIST, "/mnt/stick")
    checks(f"{kind}: healthy", said == "200 of 200", said)
    vm.pull()
    said = vm.run(LIST, "/mnt/stick")
    checks(f"{kind}: pulled", said == "gone", said)
    vm("umount --lazy /mnt/stick")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lab", type=Path)
    parser.add_argument("--python", default="/opt/lab/bin/python", help="there, with NumPy, OpenCV")
    parser.add_argument("--kinds", nargs="+", choices=MAKE, default=list(MAKE))
    options = parser.parse_args()
    vm, checks = Machine(options.lab.resolve(), options.python), Checks()
    vm.lay()
    print(vm("uname -r"))
    for kind in options.kinds:
        image = options.lab.resolve() / "vm" / f"{kind}.img"
        image.write_bytes(b"")
        with image.open("r+b") as file:
            file.truncate(STICK_BYTES)
        subprocess.run([*MAKE[kind], str(image)], check=True, stdout=subprocess.DEVNULL)
        (mounted if kind == "ext4" else served)(vm, checks, kind, image)
    return bool(checks.failed)


if __name__ == "__main__":
    sys.exit(main())
