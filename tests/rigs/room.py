"""A game without tray or buttons that publishes what happens, and the score page beside it."""

import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Self

import numpy as np

from appliance.inputs import Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.service.snapshot import Publisher
from appliance.service.view import Viewer
from appliance.table.session.session import Setup
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.paths import ROOT
from tests.profiles import make_profile
from tests.rigs.memory_scoreboard import MemoryScoreboard
from vision.events import TrayEvent
from vision.frame import Frame

PIN = "135790"
SETUP = Setup("classic", ("ANNA", "BOB"), (("first", 0),))


def free_port() -> int:
    """A port that is free at the moment."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


class Room:
    """A player's service, running round after round in a thread.

    Args:
        folder: for the socket and the games.
        port: port of the page.
        told: whether anything is published.
        pause_s: seconds between two rounds.

    Attributes:
        rounds_s: CPU seconds that each round took.
    """

    def __init__(
        self, folder: Path, port: int, *, told: bool = True, pause_s: float = 0.02
    ) -> None:
        self.folder, self.port, self._told, self._pause_s = folder, port, told, pause_s
        self.keys, self.watcher = ScriptedKeys(), ScriptedWatcher()
        self._journal = Journal(folder / "games")
        page = {"host": "127.0.0.1", "port": port}
        profile = make_profile()
        self._viewer = Viewer(lambda: profile)
        self.publisher = Publisher(folder, self._viewer, "appliance", page)
        self.appliance = Appliance(
            Devices(MemoryScoreboard(), self.keys),
            Tray(self.watcher),
            self._journal,
            session=load_session(self._journal, SETUP),
            listen=self._viewer.hear,
        )
        self.appliance.start()
        settings = replace(self.appliance.console.settings, pin=PIN + 32 * "a")
        self.appliance.console = replace(self.appliance.console, settings=settings)
        self._image = np.full((864, 1536, 3), 90, np.uint8)
        self._count, self._over, self._lock = 0, threading.Event(), threading.Lock()
        self._thread = threading.Thread(target=self._go_on, daemon=True)
        self.rounds_s = list[float]()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self.publisher.close()
        self._journal.close()

    def _go_on(self) -> None:
        while not self._over.wait(self._pause_s):
            with self._lock:
                self.round()

    def round(self) -> None:
        """Feeds one frame and publishes the result."""
        begun_s = time.thread_time()
        frame = Frame(self._image, self._count / 3, self._count)
        self._count += 1
        self._viewer.look(frame)
        self.appliance.feed(frame)
        if self._told:
            self.publisher.publish(self.appliance)
        self.rounds_s.append(time.thread_time() - begun_s)

    def does(self, *events: TrayEvent, presses: tuple[Button, ...] = ()) -> None:
        """Makes something happen at the tray, and publishes it."""
        with self._lock:
            self.watcher.events = list(events)
            self.keys.presses = [Pressed(button) for button in presses]
            self.round()


def serve(folder: Path, port: int) -> "subprocess.Popen[bytes]":
    """Starts `dicetray web`; returns once it listens."""
    command = [sys.executable, "-m", "appliance.cli.program", "web", "--folder", str(folder)]
    page = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    while page.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return page
    raise RuntimeError(f"expected a page at port {port}, found exit status {page.returncode}")
