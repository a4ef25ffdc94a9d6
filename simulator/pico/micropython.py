"""Finds a MicroPython interpreter to run the scoreboard's firmware on this machine."""

import os
import platform
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

INTERPRETER_VARIABLE = "DICETRAY_MICROPYTHON"
_CHECKOUT = Path(__file__).parents[2]
_STUBS_FOLDER = Path(__file__).parents[1] / "micropython_stubs"
FIRMWARE_FOLDER = _CHECKOUT / "firmware"
_FETCH_SCRIPT = _CHECKOUT / "scripts" / "get-micropython"
_CACHE_FOLDER = _CHECKOUT / ".cache" / "micropython"
_MIN_VERSION = (1, 20)
_DOWNLOAD_TIMEOUT_S = 300.0
_END_TIMEOUT_S = 1.0


@dataclass(frozen=True, slots=True)
class Interpreter:
    """The interpreter that runs the firmware.

    Attributes:
        path: the executable.
        real: MicroPython; otherwise CPython with a stand-in for MicroPython's own modules.
        sentence: which one it is and why, for people.
    """

    path: Path
    real: bool
    sentence: str

    def command(self, firmware: Path, state: Path) -> Sequence[str]:
        """The command that runs the firmware's main.py.

        Args:
            firmware: folder with main.py.
            state: folder with local_config.py; the command runs there too.
        """
        if self.real:
            # About the heap of a Pico; a word is twice as long here.
            return [str(self.path), "-X", "heapsize=400k", str(firmware / "main.py")]
        run = str(_STUBS_FOLDER / "cpython" / "run.py")
        return [str(self.path), "-I", "-B", run, str(firmware), str(state)]

    def environment(self, firmware: Path, state: Path) -> dict[str, str]:
        """Environment variables for that command, in addition to those of this process."""
        if not self.real:
            return {}
        paths = (_STUBS_FOLDER / "clock", _STUBS_FOLDER, firmware, state)
        return {"MICROPYPATH": os.pathsep.join(map(str, paths))}


def find_interpreter(
    environment: Mapping[str, str] | None = None,
    *,
    cache: Path = _CACHE_FOLDER,
    script: Path = _FETCH_SCRIPT,
    download: bool = True,
) -> Interpreter:
    """The interpreter to use, in this order.

    The one named by DICETRAY_MICROPYTHON ("cpython" for none), one on the PATH, one unpacked
    earlier into the checkout's cache, one that scripts/get-micropython can fetch from this
    machine's own package sources, CPython with a stand-in.

    Args:
        environment: used instead of this process's.
        cache: folder where fetched interpreters are kept.
        script: the program that fetches one into the folder it is given.
        download: whether that program may be run.
    """
    environment = os.environ if environment is None else environment
    named = environment.get(INTERPRETER_VARIABLE, "")
    if named == "cpython":
        return _cpython_stand_in(f"{INTERPRETER_VARIABLE} asks for it")
    if named:
        path = shutil.which(named) or named
        return _interpreter_at(Path(path), f"named by {INTERPRETER_VARIABLE}") or _cpython_stand_in(
            f"{named}, named by {INTERPRETER_VARIABLE}, is no MicroPython "
            f"{_version_text(_MIN_VERSION)} or later"
        )
    on_path = shutil.which("micropython", path=environment.get("PATH"))
    if on_path and (found := _interpreter_at(Path(on_path), "on the PATH")):
        return found
    launcher = cache / "micropython"
    if launcher.exists() and (
        found := _interpreter_at(launcher, "unpacked in the checkout's cache")
    ):
        return found
    if not download:
        return _cpython_stand_in("no MicroPython is installed")
    if reason := _fetch_interpreter(script, cache, environment):
        return _cpython_stand_in(reason)
    fetched = _interpreter_at(launcher, "just unpacked into the checkout's cache")
    return fetched or _cpython_stand_in(
        "the MicroPython package that was fetched does not run here"
    )


def _fetch_interpreter(script: Path, cache: Path, environment: Mapping[str, str]) -> str:
    """Runs the script; returns why it failed, or an empty string."""
    if not script.exists():
        return "no MicroPython is installed, and this is no checkout that could fetch one"
    try:
        with TemporaryDirectory(prefix="dicetray-fetch-") as scratch:
            status, said = _run_script(script, cache, {**environment, "TMPDIR": scratch})
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"MicroPython could not be fetched: {error}"
    if status:
        lines = said.strip().splitlines() or ["no reason given"]
        return f"MicroPython could not be fetched: {lines[-1]}"
    return ""


def _run_script(script: Path, cache: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Its exit status, and what it said on stderr."""
    with subprocess.Popen(
        ["sh", str(script), str(cache)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    ) as process:
        try:
            _, said = process.communicate(timeout=_DOWNLOAD_TIMEOUT_S)
        finally:
            # Whatever ends this ends what the script has begun, too; it then tidies up.
            _end_session(process)
    return process.returncode, said


def _end_session(process: "subprocess.Popen[str]") -> None:
    if sys.platform == "win32":
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_END_TIMEOUT_S)


def _interpreter_at(path: Path, where: str) -> Interpreter | None:
    version = _micropython_version(path)
    if version is None or version < _MIN_VERSION:
        return None
    return Interpreter(
        path.absolute(), True, f"real MicroPython {_version_text(version)} ({where})"
    )


def _micropython_version(path: Path) -> tuple[int, ...] | None:
    program = "import sys; print(sys.implementation[0], *sys.implementation[1][:3])"
    try:
        done = subprocess.run(
            [str(path), "-c", program],
            capture_output=True,
            text=True,
            timeout=20,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = done.stdout.split()
    numbers = all(word.isdecimal() for word in words[1:])
    if done.returncode or len(words) != 4 or words[0] != "micropython" or not numbers:
        return None
    return tuple(int(word) for word in words[1:])


def _cpython_stand_in(why: str) -> Interpreter:
    sentence = f"CPython {platform.python_version()} with a stand-in for MicroPython ({why})"
    return Interpreter(Path(sys.executable), False, sentence)


def _version_text(version: Sequence[int]) -> str:
    return ".".join(map(str, version))
