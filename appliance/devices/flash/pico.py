"""Puts the firmware on a Pico through its USB port, and does not believe it without proof.

The files are copied with mpremote, MicroPython's own tool. `main.py` is deleted first and copied
last, so that any interruption leaves a Pico that waits at its REPL to be flashed again. The layout
and the owner's own settings stay as they are unless others are given.
"""

import hashlib
import importlib.util
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from appliance.devices.flash import layouts
from appliance.devices.flash.layouts import Layout
from appliance.devices.flash.package import LOCAL_CONFIG_FILE, START_FILE, Package
from appliance.devices.flash.settings import PROGRAM, Settings, as_text
from appliance.devices.scoreboard.base import LinkState
from appliance.devices.scoreboard.serial_port import SerialScoreboard, ask_firmware_to_exit
from appliance.devices.scoreboard.usb import SYSFS, usb_device_behind
from appliance.errors import FirmwareError
from firmware import framing

OLDEST_MICROPYTHON = (1, 25)
"""The oldest MicroPython that the firmware is tested with."""

_TIMEOUT_S = 120.0
_MAX_TRIES = 8
_INSTALL = "install it: .venv/bin/pip install -r requirements/base.txt"
_PLATFORM_PROGRAM = """
import sys
print('dicetray', sys.platform, *sys.implementation[1][:2])
"""
_REMOVE_START_PROGRAM = f"""
import os
try:
    os.remove('{START_FILE}')
except OSError:
    pass
"""
_HASH_FUNCTION = """
import hashlib, binascii
def h(name):
    s = hashlib.sha256()
    try:
        with open(name, 'rb') as f:
            while True:
                d = f.read(512)
                if not d:
                    break
                s.update(d)
    except OSError:
        return '-'
    return binascii.hexlify(s.digest()).decode()
"""
_HASH_PROGRAM = f"""{_HASH_FUNCTION}
for n in {{names!r}}:
    print('dicetray', n, h(n))
"""
_PREVIOUS_LOCAL_FILE = "local_config_before.py"
_KEPT_LINE = "dicetray kept"
_KEEP_LOCAL_PROGRAM = f"""{_HASH_FUNCTION}
import os
if h({LOCAL_CONFIG_FILE!r}) not in ('-', {{digest!r}}):
    try:
        os.remove({_PREVIOUS_LOCAL_FILE!r})
    except OSError:
        pass
    os.rename({LOCAL_CONFIG_FILE!r}, {_PREVIOUS_LOCAL_FILE!r})
    print({_KEPT_LINE!r})
"""


class RemoteError(FirmwareError):
    """mpremote ran and failed."""


Remote = Callable[[Sequence[str]], str]
"""Runs mpremote with these arguments and returns what it printed; raises FirmwareError, in the
form of RemoteError if trying again may help."""


@dataclass(frozen=True, slots=True)
class Flashed:
    """The state of the Pico after flashing.

    Attributes:
        files: how many files were compared by their hashes.
        layout: the name of the layout that the board has, or the settings that make it.
        version: what the board says in HELLO.
        build: the same.
        unique_id: the same.
    """

    files: int
    layout: str
    version: str
    build: str
    unique_id: str


def mpremote(arguments: Sequence[str]) -> str:
    """Runs mpremote in a separate process.

    Raises:
        RemoteError: it failed.
        FirmwareError: it is not installed, or did not finish.
    """
    if importlib.util.find_spec("mpremote") is None:
        raise FirmwareError(f"mpremote is not installed; {_INSTALL}")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "mpremote", *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TIMEOUT_S,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise FirmwareError(
            f"mpremote was not ready within {_TIMEOUT_S:.0f} s; plug the Pico in again and repeat"
        ) from error
    if done.returncode:
        raise failure(done.stdout, done.stderr)
    return done.stdout


def failure(out: str, err: str) -> RemoteError:
    """What mpremote says of its failure: a line of its own, or the end of a traceback."""
    said = (err.strip() or out.strip()).splitlines() or ["no reason given"]
    why = re.sub(r"^(mpremote: |mpremote\.[\w.]+: )", "", said[-1])
    return RemoteError(f"mpremote failed: {why}")


def flash(
    port: str,
    package: Package,
    *,
    layout: Layout | None = None,
    local: bytes | None = None,
    remote: Remote = mpremote,
    report: Callable[[str], None] = lambda line: None,
    to_repl: Callable[[str, bytes], bool] = ask_firmware_to_exit,
    sleep: Callable[[float], None] = time.sleep,
    sysfs: Path = SYSFS,
    timeout: float = 30.0,
) -> Flashed:
    """Puts a package on the Pico at a port and waits until it says HELLO with that build.

    Args:
        port: the serial port.
        package: what goes onto it.
        layout: how the modules are mounted; None keeps the layout that the Pico was given.
        local: content for local_config.py, the owner's own settings; what they were is kept beside
            them. None keeps them.
        remote: runs mpremote.
        report: called with each line of progress.
        to_repl: sends a running firmware to its REPL.
        sleep: waits.
        sysfs: where Linux lists USB devices.
        timeout: how long to wait for HELLO, in seconds.

    Raises:
        ScoreboardError: the port cannot be opened.
        FirmwareError: there is no MicroPython, it is too old, what arrived is not what was sent, or
            the settings on the Pico cannot be used or overrule the layout.
    """
    # The real name: mpremote recognises a pty, which tests use, by its name.
    port = str(Path(port).resolve())
    report(f"looking at {port}")
    heard = to_repl(port, framing.SERVICE_REPL)
    report("the firmware was asked to leave" if heard else "no firmware answers; trying the REPL")
    report(_await_micropython(port, remote, heard, sleep, sysfs))
    before = Settings.from_output(remote(["connect", port, "exec", PROGRAM]))
    if layout is not None and local is None:
        try:
            before.check_room_for(layout)
        except FirmwareError:
            remote(["connect", port, "reset"])
            raise
    files = dict(package.files)
    if layout is not None:
        files[layouts.LAYOUT_FILE] = layout.file()
    if local is not None:
        files[LOCAL_CONFIG_FILE] = local
    with tempfile.TemporaryDirectory(prefix="dicetray-flash-") as folder:
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
        names = [name for name in files if name != START_FILE]
        paths = [str(Path(folder) / name) for name in names]
        report(f"copying {len(files)} files")
        # First without main.py, which follows only once everything else has been compared.
        hashes = _HASH_PROGRAM.format(names=names)
        copying = ["exec", _REMOVE_START_PROGRAM, "+", "cp", *paths, ":", "+", "exec", hashes]
        if local is not None:
            keep = _KEEP_LOCAL_PROGRAM.format(digest=hashlib.sha256(local).hexdigest())
            copying[3:3] = ["exec", keep, "+"]
        said = remote(["connect", port, *copying, "+", "exec", PROGRAM])
        if _KEPT_LINE in said:
            report(f"the earlier {LOCAL_CONFIG_FILE} is kept on the Pico as {_PREVIOUS_LOCAL_FILE}")
        _check_hashes(files, names, said)
        after = Settings.from_output(said)
        wiring = after.check(layout)
        if layout is None and local is None and before.wiring not in (None, wiring):
            report(_note_changed_layout(before))
        names.append(START_FILE)
        start = str(Path(folder) / START_FILE)
        said = remote(
            ["connect", port, "cp", start, ":", "+", "exec", _HASH_PROGRAM.format(names=names)]
        )
        _check_hashes(files, names, said)
    report(f"{len(files)} files are there, all hashes are right; starting them")
    remote(["connect", port, "reset"])
    return _await_hello(port, package, len(files), after.name(), timeout)


def _note_changed_layout(before: Settings) -> str:
    """Says that the layout is another one now although nobody asked for it, and how to go back."""
    name = layouts.name_of(before.wiring) if before.wiring else ""
    back = (
        f"--layout {name}" if name else f"--local-config FILE, with {as_text(before.layout)} in it"
    )
    return (
        f"NOTE: until now this board's layout was {before.name()}. If it was right then and is "
        f"scrambled now: dicetray flash {back}"
    )


def _await_micropython(
    port: str, remote: Remote, heard: bool, sleep: Callable[[float], None], sysfs: Path
) -> str:
    """Waits for the REPL and checks what runs there; a reset takes a second or two."""
    for left in reversed(range(_MAX_TRIES if heard else 2)):
        try:
            said = remote(["connect", port, "exec", _PLATFORM_PROGRAM])
            break
        except RemoteError as error:
            if not left:
                raise FirmwareError(f"{error}; {_explain_no_repl(port, sysfs)}") from error
            sleep(1.0)
    found = re.search(r"^dicetray (\S+) (\d+) (\d+)", said, re.MULTILINE)
    if not found:
        raise FirmwareError(f"expected MicroPython on {port}, it said {said[:60]!r}")
    version = (int(found.group(2)), int(found.group(3)))
    if version < OLDEST_MICROPYTHON:
        raise FirmwareError(
            f"expected MicroPython {_version_text(OLDEST_MICROPYTHON)} or later on the Pico, found "
            f"{_version_text(version)}",
            "hold BOOTSEL, plug it in, and copy a newer .uf2 onto its drive",
        )
    return f"MicroPython {_version_text(version)} ({found.group(1)}) answers"


def _explain_no_repl(port: str, sysfs: Path) -> str:
    """An explanation where no MicroPython answers at a port: what may be there, and what to do."""
    device = usb_device_behind(port, sysfs)
    if device is not None and not device.is_micropython:
        return (
            f"{port} is {device}, expected a Pico with MicroPython: name the Pico's port with "
            f"--port; if this is the Pico, copy MicroPython {_version_text(OLDEST_MICROPYTHON)} or "
            "later onto it first"
        )
    return (
        f"expected MicroPython's REPL on {port}: if another program has the port, end it "
        "(systemctl stop dicetray); if it is a scoreboard whose firmware hangs, hold GP22 to GND "
        "while plugging it in; if it is a new Pico, copy MicroPython "
        f"{_version_text(OLDEST_MICROPYTHON)} or later onto it first"
    )


def _check_hashes(files: Mapping[str, bytes], names: list[str], said: str) -> None:
    found = dict(re.findall(r"^dicetray (\S+) ([0-9a-f]{64}|-)\s*$", said, re.MULTILINE))
    wrong = [name for name in names if found.get(name) != hashlib.sha256(files[name]).hexdigest()]
    if wrong:
        raise FirmwareError(
            f"the Pico holds other bytes than were sent in {', '.join(wrong)}; repeat, and if it "
            "happens again its flash is worn or full"
        )


def _await_hello(port: str, package: Package, files: int, layout: str, timeout: float) -> Flashed:
    with closing(SerialScoreboard(port)) as board:
        try:
            status = board.wait(lambda s: s.connected or s.state is LinkState.REFUSED, timeout)
        except TimeoutError as error:
            raise FirmwareError(
                f"all files are on the Pico, but it said no HELLO within {timeout:.0f} s: "
                f"{board.status.reason}"
            ) from error
    hello = status.hello
    if hello is None or status.state is LinkState.REFUSED:
        raise FirmwareError(f"all files are on the Pico, but: {status.reason}")
    if (hello.version, hello.build) != (package.version, package.build):
        raise FirmwareError(
            f"expected HELLO from {package.version} build {package.build}, the board says "
            f"{hello.version} build {hello.build}; plug it in again and repeat"
        )
    return Flashed(files, layout, hello.version, hello.build, hello.unique_id)


def _version_text(version: Sequence[int]) -> str:
    return ".".join(map(str, version))
