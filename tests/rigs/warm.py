"""Processes of the program that need no second to import it: forks of one that has done so once.

For tests of what takes a process of its own: signals, streams, exit statuses, whatever dies with
it. What must begin with a new interpreter, such as imports, is started as users start it.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Self
from unittest.mock import patch

from appliance.cli.commands import COMMANDS
from appliance.cli.main import LIBRARY_ENVIRONMENT

PROGRAM = "appliance.cli.program:program"
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        *(f"appliance.cli.{name.replace('-', '_')}" for name in COMMANDS),
        *("appliance.cli.program", "appliance.cli.shared.leaving"),
        *("appliance.cli.shared.simulated_game", "appliance.cli.shared.looking"),
        *("appliance.cli.shared.publishing", "appliance.cli.shared.starting"),
        *("appliance.cli.shared.wiring", "appliance.cli.shared.start"),
        *("appliance.service.opening", "appliance.devices.buttons", "appliance.web.page"),
        *("gpiozero.pins.mock", "onnxruntime", "uvicorn", "unittest.mock"),
    ]
)


class Warm:
    """A process that runs a function of no arguments, such as `program`; much as a Popen.

    Args:
        words: its arguments.
        environment: its environment.
        folder: its working folder.
        function: module and name.
        stdout: where its output goes; PIPE for `stdout`.
        stderr: the same for its complaints; STDOUT for the same place as its output.
    """

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        folder: Path | None = None,
        function: str = PROGRAM,
        stdout: int = subprocess.PIPE,
        stderr: int = subprocess.PIPE,
    ) -> None:
        ours: list[TextIOWrapper | None] = []
        theirs = [Connection(os.open(os.devnull, os.O_RDONLY), writable=False)]
        for wanted in (stdout, stderr):
            reading: TextIOWrapper | None = None
            if wanted == subprocess.PIPE:
                end, number = os.pipe()
                reading = os.fdopen(end, encoding="utf-8")
            else:
                number = os.dup(theirs[1].fileno() if wanted == subprocess.STDOUT else wanted)
            ours.append(reading)
            theirs.append(Connection(number, readable=False))
        self.stdout, self.stderr = ours
        arguments = (function, tuple(words), dict(environment), str(folder or Path.cwd()), theirs)
        self._process = _CONTEXT.Process(target=_run, args=arguments)
        # Before NumPy is imported, which reads it.
        with patch.dict(os.environ, LIBRARY_ENVIRONMENT):
            forkserver.ensure_running()
        self._process.start()
        for one in theirs:
            one.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if error is not None:
            self.kill()
        self._process.join()
        for stream in (self.stdout, self.stderr):
            if stream is not None:
                stream.close()

    @property
    def returncode(self) -> int | None:
        """Its exit status, negative for the signal that it died of; None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """Its exit status so far, as `returncode` has it."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status; raises TimeoutExpired where it is not over within so many seconds."""
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("dicetray", timeout or 0.0)
        return self.returncode

    def waits_in(self) -> str:
        """The function of the kernel that it waits in, such as one that writes to a pipe."""
        with suppress(OSError):
            return Path(f"/proc/{self._process.pid}/wchan").read_text()
        return ""

    def send_signal(self, number: signal.Signals) -> None:
        """Sends a signal, unless it is over."""
        if self.returncode is None and self._process.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, number)

    def terminate(self) -> None:
        """Sends SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Sends SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Its remaining output and complaints, until it is over."""
        said = ["", ""]

        def read(place: int, stream: TextIOWrapper) -> None:
            said[place] = stream.read()

        readers = [
            Thread(target=read, args=(place, stream), daemon=True)
            for place, stream in enumerate((self.stdout, self.stderr))
            if stream is not None
        ]
        for reader in readers:
            reader.start()
        self.wait(timeout)
        for reader in readers:
            reader.join()
        return said[0], said[1]


def _run(
    function: str,
    words: Sequence[str],
    environment: Mapping[str, str],
    folder: str,
    streams: Sequence[Connection],
) -> None:
    """Makes of this process what a new one would be, and runs the function in it."""
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
        stream.close()
    sys.stdin = sys.__stdin__ = os.fdopen(0, closefd=False)  # type: ignore[misc]
    unbuffered = bool(environment.get("PYTHONUNBUFFERED"))
    out = os.fdopen(1, "wb", 0 if unbuffered else -1, closefd=False)
    sys.stdout = sys.__stdout__ = TextIOWrapper(  # type: ignore[misc]
        out, line_buffering=out.isatty(), write_through=unbuffered
    )
    sys.stderr = sys.__stderr__ = os.fdopen(2, "w", 1, closefd=False)  # type: ignore[misc]
    # A run of tests in a shell's background ignores Ctrl-C, and so would all that it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["dicetray", *words]
    module, _, name = function.partition(":")
    sys.exit(getattr(import_module(module), name)())
