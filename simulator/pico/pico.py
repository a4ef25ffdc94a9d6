"""The firmware in a child process, and what its simulated pins say."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from simulator.pico.micropython import Interpreter


@dataclass(frozen=True, slots=True)
class PinRecord:
    """Something that happened at the pins.

    Attributes:
        kind: a letter; the stand-in `machine` has the list.
        data: shifted bytes, level or time-out.
    """

    kind: str
    data: bytes = b""


class PinStream:
    """Cuts what the stand-in `machine` writes to its pipe into records."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[PinRecord]:
        """Takes the next bytes and yields the records that are complete.

        Raises:
            ValueError: the stream holds something else.
        """
        rest = self._rest + data
        at = 0
        while at < len(rest):
            kind = rest[at : at + 1]
            head, size = 1, 0
            if kind == b"S":
                if len(rest) < at + 3:
                    break
                head, size = 3, rest[at + 1] | rest[at + 2] << 8
            elif kind == b"C":
                size = 1
            elif kind == b"W":
                size = 4
            elif kind not in (b"F", b"R", b"B"):
                raise ValueError(f"a pin record expected, got {rest[at : at + 8]!r}")
            end = at + head + size
            if len(rest) < end:
                break
            yield PinRecord(kind.decode(), rest[at + head : end])
            at = end
        self._rest = rest[at:]


class Firmware:
    """One run of the firmware.

    Attributes:
        process: the child process.
        input: non-blocking descriptor to write what comes from the host.
        output: descriptor to read what goes to the host.
        pins: descriptor to read pin records.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        firmware: Path,
        state: Path,
        environment: Mapping[str, str],
        command: Sequence[str] = (),
    ) -> None:
        """Starts it; `state` is its file system, where it also runs.

        `command` replaces the interpreter's own command for main.py.
        """
        self.pins, pins = os.pipe()
        try:
            with (state / "stderr.txt").open("wb") as errors:
                self.process = subprocess.Popen(
                    command or interpreter.command(firmware, state),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    cwd=state,
                    env={
                        **os.environ,
                        **interpreter.environment(firmware, state),
                        **environment,
                        "DICETRAY_BOARD_FD": str(pins),
                    },
                    pass_fds=(pins,),
                    bufsize=0,
                    # Ctrl-C in the terminal is for the program, not for the board.
                    start_new_session=True,
                )
        except OSError:
            os.close(self.pins)
            raise
        finally:
            os.close(pins)
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("a child process without pipes")
        self._files = (self.process.stdin, self.process.stdout)
        self.input = self.process.stdin.fileno()
        self.output = self.process.stdout.fileno()
        for descriptor in (self.input, self.output, self.pins):
            if sys.platform != "win32":
                os.set_blocking(descriptor, False)

    def end(self) -> None:
        """Kills it and closes all descriptors."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        for file in self._files:
            with contextlib.suppress(OSError):
                file.close()
        os.close(self.pins)
