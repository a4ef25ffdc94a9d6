"""A real broker on a free loopback port, for the tests and the bench of a club evening."""

import shutil
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

PROGRAM = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")


def free_port() -> int:
    """A port that is free at the moment."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


class Mosquitto:
    """Mosquitto, with its files in a folder; retained messages survive a restart.

    Args:
        folder: where its files are.
        settings: further lines of its configuration, for a password or TLS for instance.
    """

    def __init__(self, folder: Path, *settings: str) -> None:
        self.port = free_port()
        self._file = folder / "mosquitto.conf"
        lines = (
            f"listener {self.port} 127.0.0.1",
            "user root",
            "persistence true",
            f"persistence_location {folder}/",
            "log_dest stderr",
            *(settings or ("allow_anonymous true",)),
        )
        self._file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        """The URL as it stands in the settings."""
        return f"mqtt://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The id of its process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Starts it, and waits until it listens."""
        assert PROGRAM is not None
        command = [PROGRAM, "-c", str(self._file)]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE)
        assert self._process.stderr is not None
        said = b""
        for line in self._process.stderr:
            said += line
            if line.rstrip().endswith(b"running"):
                # Nobody reads any further; a full pipe would block it.
                self._process.stderr.close()
                return
        raise RuntimeError(f"mosquitto does not start: {said.decode()}")

    def stop(self, *, kill: bool = False) -> None:
        """Stops it, cleanly or not."""
        if self._process is not None:
            self._end(self._process, kill=kill)
            self._process = None

    def _end(self, process: subprocess.Popen[bytes], *, kill: bool) -> None:
        for _ in range(120):
            # It forgets a signal that comes between its last word and the beginning of its loop.
            process.kill() if kill else process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(1)
                return
        raise RuntimeError("mosquitto does not end")
