#!/usr/bin/env python3
"""What a game writes: lines, bytes and syncs, counted where SQLite hands them to the system.

    .venv/bin/python scripts/bench_writes.py [--games 5]

Simulated players play through the appliance, with a journal on disk; the tray reports directly what
lies in it.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import mean

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.inputs import Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.service.appliance import Appliance
from appliance.simulator.people.player import SimulatedPlayer
from appliance.table.session.session import Setup
from tests.appliance.journal.crash_disk import Sync, Write, recording
from tests.rigs.proof.games import SETUPS
from tests.rigs.soak.rooms import UnpicturedRoom
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=5, help="of each kind")
    parser.add_argument("--clumsy", type=float, default=0.1)
    options = parser.parse_args()
    print("| game | players | throws | lines | syncs | kB written | syncs a throw |")
    print("|---|---|---|---|---|---|---|")
    for game, setups in SETUPS.items():
        setup = setups[min(1, len(setups) - 1)]
        found = [play(setup, seed, options.clumsy) for seed in range(options.games)]
        throws, lines, syncs, written = (mean(values) for values in zip(*found, strict=True))
        cells = [game, len(setup.players), round(throws), round(lines), round(syncs)]
        print(f"| {' | '.join(map(str, cells))} | {written / 1e3:.0f} | {syncs / throws:.1f} |")
    return 0


def play(setup: Setup, seed: int, clumsy: float) -> tuple[int, int, int, int]:
    """Plays a game; returns throws, lines, syncs and bytes."""
    with tempfile.TemporaryDirectory() as folder, recording() as tape:
        with Journal(Path(folder) / "games.sqlite3") as journal:
            first = len(tape.operations)
            throws, lines = played(setup, journal, seed, clumsy)
        operations = tape.operations[first:]
    written = sum(len(op.data) for op in operations if isinstance(op, Write))
    return throws, lines, sum(isinstance(op, Sync) for op in operations), written


def played(setup: Setup, journal: Journal, seed: int, clumsy: float) -> tuple[int, int]:
    """Plays a game to its end; returns throws and lines."""
    room = UnpicturedRoom(seed)
    room.play_with(setup.game)
    keys = Presses()
    player = SimulatedPlayer(room.tray, keys, np.random.default_rng(seed), clumsy=clumsy)
    session = load_session(journal, setup, fresh=True)
    appliance = Appliance(
        session, journal, room.watcher(), Dark(), keys, player.notice, Random(seed)
    )
    player.begin(session)
    appliance.start()
    for frame in frames():
        appliance.feed(frame)
        player.act(appliance.prompt, frame.time_s)
        if player.done:
            return player.hands.throws, len(appliance.session.log)
    raise AssertionError("frames never end")


def frames() -> Iterator[Frame]:
    blank = np.zeros((4, 4, 3), np.uint8)
    index = 0
    while True:
        yield Frame(blank, index * STEP_S, index)
        index += 1


if __name__ == "__main__":
    sys.exit(main())
