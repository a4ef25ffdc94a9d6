"""Leaves a program at any moment and in any way, and looks at what is left of it.

A start that is interrupted is the state nobody plans: threads are inside native code, the terminal
is half taken over, children have just begun.
"""

import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import cv2
import numpy as np

from tests.paths import ROOT
from tests.rigs.by_hand.terminal import Stuck, Terminal
from tests.rigs.programs import answer, stand_in
from tests.rigs.stream import streamed

GONE_WITHIN_S = 3.0
"""Seconds from the last signal, or from a key that is read, to the end of the process."""
STARTS_WITHIN_S = 6.0
"""Seconds from the start until keys are read: one that was pressed before waits for that."""
HANGS_AFTER_S = 15.0
"""Seconds after which it is killed."""
WINDOW = (100, 40)
DICE_PICTURE = ROOT / "tests/vision/regression/shining_die.jpg"
MENU_QUESTION = b"B or Q?"
SPEAKS_LONG = "cat >/dev/null; exec sleep 60"
"""What espeak-ng does in the middle of a long sentence."""

KEY = "q"
HAMMERED = "Ctrl-C again and again"
CLOSED = "window closed"
WAYS: dict[str, signal.Signals | None] = {
    KEY: None,
    "Ctrl-C": signal.SIGINT,
    "SIGTERM": signal.SIGTERM,
    "SIGHUP": signal.SIGHUP,
    HAMMERED: signal.SIGINT,
    CLOSED: signal.SIGHUP,
}
"""Ways to leave, and the signal that each sends."""
_BLOWS, _BLOW_INTERVAL_S = 8, 0.12
EXIT_UNREAD = 141
"""Exit status where nobody can read any more what the program says."""
MENU_KEYS = ("W", "P", "T", "C", "B")
PROGRAMS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(MENU_KEYS, ("play",)),
    "menu": ("play",),
    "look": ("look", "--board", "terminal", "--camera", "{camera}"),
    "phone": ("look", "--board", "terminal", "--camera", "phone"),
    "run": (
        *("run", "--camera", "{camera}", "--players", "ANNA", "--config", "{voice}"),
        *("--board", "terminal", "--buttons", "keyboard"),
    ),
    "service": (
        *("run", "--camera", "{camera}", "--players", "ANNA", "--config", "{voice}"),
        *("--board", "sim", "--buttons", "none"),
    ),
    "calibrate": (
        *("calibrate", "--camera", "{camera}", "--profile", "{folder}/tray.profile"),
        *("--board", "terminal"),
    ),
}
"""Programs to start: a key of the menu of `play`, or a command with a stand-in for the camera."""
_DEAF_TO_KEYS = frozenset({"B", "service"})
"""Those that read no keys of a terminal: they are left by Ctrl-C after q did nothing."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One of `PROGRAMS`, left in one of `WAYS`, this many seconds after it was started."""

    program: str
    way: str
    moment_s: float

    @property
    def limit_s(self) -> float:
        """Seconds after which it must be gone; a key may come before keys are read."""
        waits = self.way == KEY and self.moment_s < STARTS_WITHIN_S
        return GONE_WITHIN_S + waits * STARTS_WITHIN_S


@dataclass(frozen=True, slots=True)
class Left:
    """How a program ended.

    Attributes:
        status: its exit status; negative for the signal that it died of.
        took_s: seconds from the last signal or key.
        said: what it printed, in plain text.
        wrong: what was wrong; empty if nothing was.
    """

    status: int | None
    took_s: float
    said: str
    wrong: tuple[str, ...]


def documented_statuses(trial: Trial) -> frozenset[int]:
    """The exit statuses that docs/troubleshooting.md allows for how a program was left."""
    number = WAYS[trial.way] or (signal.SIGINT if trial.program in _DEAF_TO_KEYS else None)
    # As a shell reports it; before it is handled, the signal itself ends the program.
    told = frozenset[int]() if number is None else frozenset({128 + number, -number})
    done = {1} if trial.program == "calibrate" else {0}
    return told | done | ({EXIT_UNREAD} if trial.way == CLOSED else set())


@contextmanager
def stand_in_camera() -> Iterator[str]:
    """The spec of a camera in the network that shows a picture of dice."""
    picture = np.asarray(cv2.imread(str(DICE_PICTURE)), np.uint8)
    with streamed(lambda: picture) as address:
        yield address


def leave(trial: Trial, camera: str) -> Left:
    """Starts a program in a terminal of its own, leaves it, and looks at what is left."""
    with TemporaryDirectory(prefix="leaving-") as name:
        folder = Path(name)
        mark = f"DICETRAY_TRIAL={uuid4()}"
        places = {"camera": camera, "folder": name, "voice": str(_prepare(folder))}
        words = [word.format(**places) for word in PROGRAMS[trial.program]]
        command = [str(Path(sys.executable).with_name("dicetray")), *words]
        with Terminal(command, _environment(folder, mark), WINDOW) as terminal:
            try:
                _start_and_wait(terminal, trial)
                opened = set(_temporary_files(mark))
                left_s = _leave(terminal, trial)
                _read_for(terminal, HANGS_AFTER_S)
                if terminal.status is None:
                    terminal.signal(signal.SIGKILL)
                said = terminal.ended()
            except Stuck as stuck:
                return Left(None, float("inf"), str(stuck), ("it hangs",))
            took_s = terminal.ended_s - left_s
            wrong = [*_wrong_end(trial, terminal, said, took_s)]
        wrong += [f"a child lives on: {_words_of(one)}" for one in _those_with(mark)]
        wrong += [f"left in /tmp: {path.name}" for path in (folder / "tmp").iterdir()]
        wrong += [f"left: {path}" for path in opened if path.exists()]
    return Left(terminal.status, took_s, said, tuple(wrong))


def _prepare(folder: Path) -> Path:
    """Makes what a program finds: a voice, and the configuration that wants it."""
    for place in ("bin", "tmp"):
        (folder / place).mkdir()
    stand_in(folder / "bin", "espeak-ng", {"*": answer("espeak-ng", "heard")}, SPEAKS_LONG)
    config = folder / "voice.toml"
    config.write_text("[sound]\nvoice = true\n")
    return config


def _environment(folder: Path, mark: str) -> dict[str, str]:
    name, _, value = mark.partition("=")
    others = {
        key: text
        for key, text in os.environ.items()
        if key not in ("COLUMNS", "LINES", "DISPLAY", "WAYLAND_DISPLAY")
    }
    return {
        **others,
        name: value,
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "TERM": "xterm-256color",
        "TMPDIR": str(folder / "tmp"),
        "XDG_STATE_HOME": str(folder / "state"),
    }


def _start_and_wait(terminal: Terminal, trial: Trial) -> None:
    """Starts what is to be left, and waits for the moment."""
    if PROGRAMS[trial.program] == PROGRAMS["menu"]:
        while MENU_QUESTION not in terminal.latest and terminal.read():
            pass
        if trial.program in MENU_KEYS:
            terminal.press(trial.program.encode())
    _read_for(terminal, trial.moment_s)


def _leave(terminal: Terminal, trial: Trial) -> float:
    """Leaves; returns when, in monotonic seconds."""
    number = WAYS[trial.way]
    if number is None:
        terminal.press(KEY.encode())
        if trial.program in _DEAF_TO_KEYS:
            _read_for(terminal, 0.2)
            number = signal.SIGINT
    if trial.way == CLOSED:
        terminal.hang_up()
    elif number is not None:
        terminal.signal(number)
    left_s = time.monotonic()
    for _ in range(_BLOWS if trial.way == HAMMERED else 0):
        _read_for(terminal, _BLOW_INTERVAL_S)
        terminal.signal(signal.SIGINT)
    return left_s


def _read_for(terminal: Terminal, seconds: float) -> None:
    until_s = time.monotonic() + seconds
    while (rest_s := until_s - time.monotonic()) > 0 and terminal.read(rest_s):
        pass


def _wrong_end(trial: Trial, terminal: Terminal, said: str, took_s: float) -> Iterator[str]:
    if "Traceback" in said and "appliance" not in said and trial.moment_s < STARTS_WITHIN_S:
        # Python itself was starting: nothing of ours can catch a Ctrl-C there.
        return
    if terminal.status not in documented_statuses(trial):
        yield f"exit status {terminal.status}"
    if took_s > trial.limit_s:
        yield f"it took {took_s:.1f} s"
    if found := re.search("Traceback|terminate called|Exception ignored|internal error", said):
        yield f"it says {found[0]}"
    if trial.way == CLOSED:
        return
    if terminal.unlike:
        yield terminal.unlike
    # What is typed where no keys are read is echoed.
    printed = said.rstrip(f"{KEY}{trial.program}")
    if printed and not printed.endswith("\n"):
        yield "the last line is cut off"


def _those_with(mark: str) -> Iterator[Path]:
    """The folders in /proc of processes that have this in their environment."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (process / "environ").read_bytes().split(b"\0"):
                yield process


def _temporary_files(mark: str) -> Iterator[Path]:
    """The files that those processes have open in memory or among temporary files of everybody."""
    for process in _those_with(mark):
        with suppress(OSError):
            for descriptor in (process / "fd").iterdir():
                with suppress(OSError):
                    path = descriptor.readlink()
                    if path.parts[:3] == ("/", "dev", "shm") or path.parent == Path("/tmp"):
                        yield path


def _words_of(process: Path) -> str:
    with suppress(OSError):
        return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
    return process.name
