#!/usr/bin/env python3
"""Measures a game's writes: lines, bytes, syncs, and how long a turn's lines take on a slow disk.

    .venv/bin/python scripts/bench_writes.py [--games 5] [--sync-ms 0 20 200]

Simulated players play through the appliance, with a journal on disk; the tray reports directly what
lies in it. Bytes and syncs are those of the files with the games, until the game is in its pack and
its copy. With `--sync-ms` each sync takes so much longer, and what is timed is a round of the
appliance in which lines are written, from the throw or press to the picture.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import mean, median, quantiles
from typing import BinaryIO

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.inputs import Button, Pressed
from appliance.journal.files import Files, folder_of
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.simulator.people.player import SimulatedPlayer
from appliance.table.session.session import Setup
from tests.proofs.soak.rooms import UnpicturedRoom
from tests.rigs.proof.games import SETUPS
from vision.frame import Frame

STEP_S = 0.5


class Dark:
    """A board that nobody looks at."""

    def show(self, picture: Picture) -> None:
        """Shows nothing."""


class Presses:
    """Buttons without wires."""

    def __init__(self) -> None:
        self._pressed: list[Pressed] = []

    def press(self, button: Button) -> None:
        """Presses a button."""
        self._pressed.append(Pressed(button))

    def hold(self, button: Button) -> None:
        """Long-presses a button."""
        self._pressed.append(Pressed(button, long=True))

    def poll(self) -> tuple[Pressed, ...]:
        """The presses since the last call."""
        pressed, self._pressed = tuple(self._pressed), []
        return pressed

    def stuck(self) -> frozenset[Button]:
        """None of them."""
        return frozenset()

    def light(self, slots: frozenset[int]) -> None:
        """Has no lamps."""


class Counted(Files):
    """Files on a disk whose syncs take longer; what is written and synced is counted.

    Args:
        sync_s: seconds that each sync takes besides.
    """

    def __init__(self, folder: Path, sync_s: float) -> None:
        super().__init__(folder)
        self._sync_s = sync_s
        self.syncs = self.bytes = 0

    def _write(self, name: str, file: BinaryIO, data: bytes, at: int) -> None:
        self.bytes += len(data)
        super()._write(name, file, data, at)

    def _sync(self, name: str, file: BinaryIO) -> None:
        self._wait()
        super()._sync(name, file)

    def _sync_names(self, folder: str) -> None:
        self._wait()
        super()._sync_names(folder)

    def _wait(self) -> None:
        self.syncs += 1
        if self._sync_s:
            time.sleep(self._sync_s)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=5, help="of each kind")
    parser.add_argument("--clumsy", type=float, default=0.1)
    parser.add_argument("--sync-ms", type=float, nargs="*", default=[])
    parser.add_argument("--folder", type=Path, help="where the games are kept meanwhile")
    options = parser.parse_args()
    if options.sync_ms:
        measure_times(options)
        return 0
    print("| game | players | throws | lines | syncs | kB written | syncs a throw |")
    print("|---|---|---|---|---|---|---|")
    for game, setups in SETUPS.items():
        setup = setups[min(1, len(setups) - 1)]
        found = [play(setup, seed, options.clumsy) for seed in range(options.games)]
        throws, lines, syncs, written = (mean(values) for values in zip(*found, strict=True))
        cells = [game, len(setup.players), round(throws), round(lines), round(syncs)]
        print(f"| {' | '.join(map(str, cells))} | {written / 1e3:.0f} | {syncs / throws:.1f} |")
    return 0


def measure_times(options: argparse.Namespace) -> None:
    """Prints how long the rounds take in which lines are written, a line for each kind of disk."""
    setup = SETUPS["classic"][1]
    print("| a sync takes (ms) | rounds | median (ms) | 95th percentile (ms) | longest (ms) |")
    print("|---|---|---|---|---|")
    for sync_ms in options.sync_ms:
        took: list[float] = []
        for seed in range(options.games):
            with tempfile.TemporaryDirectory(dir=options.folder) as folder:
                path = Path(folder) / "games.sqlite3"
                with Journal(path, files=Counted(folder_of(path), sync_ms / 1e3)) as journal:
                    played(setup, journal, seed, options.clumsy, took)
        last = quantiles(took, n=20)[-1]
        cells = [f"{ms * 1e3:.1f}" for ms in (median(took), last, max(took))]
        print(f"| {sync_ms:g} | {len(took)} | {' | '.join(cells)} |", flush=True)


def play(setup: Setup, seed: int, clumsy: float) -> tuple[int, int, int, int]:
    """Plays a game; returns throws, lines, syncs and bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite3"
        files = Counted(folder_of(path), 0.0)
        with Journal(path, files=files) as journal:
            throws, lines = played(setup, journal, seed, clumsy)
            # The next game begins, and the one before is put into a pack.
            load_session(journal, setup, fresh=True)
            while journal.tidy():
                pass
    return throws, lines, files.syncs, files.bytes


def played(
    setup: Setup, journal: Journal, seed: int, clumsy: float, took: list[float] | None = None
) -> tuple[int, int]:
    """Plays a game to its end; returns throws and lines, and the seconds of rounds that wrote."""
    room = UnpicturedRoom(seed)
    room.play_with(setup.game)
    keys = Presses()
    player = SimulatedPlayer(room.tray, keys, np.random.default_rng(seed), clumsy=clumsy)
    session = load_session(journal, setup, fresh=True)
    appliance = Appliance(
        Devices(Dark(), keys, chance=Random(seed)),
        Tray(room.watcher()),
        journal,
        session=session,
        listen=player.notice,
    )
    player.begin(session)
    appliance.start()
    for frame in frames():
        before, started = len(appliance.session.record.log), time.perf_counter()
        appliance.feed(frame)
        if took is not None and len(appliance.session.record.log) != before:
            took.append(time.perf_counter() - started)
        player.act(appliance.prompt, frame.time_s)
        if player.done:
            return player.hands.throws, len(appliance.session.record.log)
    raise AssertionError("frames never end")


def frames() -> Iterator[Frame]:
    blank = np.zeros((4, 4, 3), np.uint8)
    index = 0
    while True:
        yield Frame(blank, index * STEP_S, index)
        index += 1


if __name__ == "__main__":
    sys.exit(main())
