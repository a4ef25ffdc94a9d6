"""Runs `dicetray` with a fault in one phase of its start, which hangs or crashes there.

    python -m tests.rigs.start_faults voice hangs run --config dicetray.toml

Faults are `hangs`, `spins` (without end, but nothing is read or written), `holds` (hangs with
Python's lock held, as a driver may), `crashes` (ends the process), `raises` (an error of ours) and
`drags`, which is none: for 40 s it writes something now and then, as mending on a slow card does.
"""

import ctypes
import os
import sys
import time
from collections.abc import Callable
from tempfile import TemporaryFile
from typing import Any

from appliance.service.phase import Phase

FOREVER_S = 3600


def _hangs() -> None:
    time.sleep(FOREVER_S)


def _spins() -> None:
    end_s = time.monotonic() + FOREVER_S
    while time.monotonic() < end_s:
        pass


def _holds() -> None:
    # Functions of a PyDLL keep the lock while they run.
    ctypes.PyDLL(None).sleep(FOREVER_S)


def _drags() -> None:
    with TemporaryFile(buffering=0) as file:
        for _ in range(10):
            time.sleep(4)
            file.write(b"a row")


def _crashes() -> None:
    os.abort()


def _raises() -> None:
    raise RuntimeError("a bug")


FAULTS: dict[str, Callable[[], None]] = {
    "hangs": _hangs,
    "spins": _spins,
    "holds": _holds,
    "drags": _drags,
    "crashes": _crashes,
    "raises": _raises,
}


def _after(fault: Callable[[], None], real: Any, when: Callable[..., bool]) -> Any:
    """A function with the fault before it whenever its arguments say so."""

    def faulty(*args: Any, **others: Any) -> Any:
        if when(*args, **others):
            fault()
        return real(*args, **others)

    return faulty


def _always(*_: Any, **__: Any) -> bool:
    return True


def plant(phase: Phase, fault: Callable[[], None]) -> None:
    """Puts a fault into what a phase does; imports no more than the program has by then."""
    if phase is Phase.PLUG_INS:
        from games import plugins

        plugins.entry_points = _after(fault, plugins.entry_points, _always)  # type: ignore[attr-defined]
        return
    from appliance.cli import run

    if phase is Phase.SETTINGS:
        run.load = _after(fault, run.load, _always)  # type: ignore[attr-defined]
        return
    from appliance.cli.shared import cameras, publishing, start, starting, wiring
    from appliance.devices import buttons
    from appliance.service import opening

    places: dict[Phase, tuple[Any, str, Callable[..., bool]]] = {
        Phase.PROGRAM: (wiring, "wire", _always),
        Phase.TRAY: (start, "CalibratedTray", lambda file, **_: file is not None),
        Phase.BOARD: (start, "open_board", lambda name, *_, **__: name != "none"),
        Phase.BUTTONS: (buttons, "use_header", _always),
        Phase.GAMES: (opening, "open_and_mend", _always),
        Phase.VOICE: (start, "device_for_speech", _always),
        Phase.CAMERA: (cameras, "open_camera", _always),
        Phase.PROMPT: (publishing, "Publisher", _always),
    }
    module, name, when = places[phase]
    setattr(module, name, _after(fault, getattr(module, name), when))
    starting.can_speak = lambda: True  # type: ignore[attr-defined]


def main() -> int:
    """Plants the fault that is named, or none, and runs the program."""
    from appliance.cli.main import main as dicetray

    key, fault, *arguments = sys.argv[1:]
    phase = Phase.of(key)
    if phase is not None:
        plant(phase, FAULTS[fault])
    return dicetray(arguments)


if __name__ == "__main__":
    sys.exit(main())
