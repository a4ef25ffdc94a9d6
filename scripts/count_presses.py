#!/usr/bin/env python3
"""Counts the presses of evenings by simulated players, with the pages of the board turning in time.

The whole appliance but the camera: dice are reported without pictures. Prints a row for each game;
presses are to be compared by the line of the log, as games part ways after a slip.
"""

import argparse
import sys
from pathlib import Path
from random import Random

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.inputs import Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.simulator.people.ports import kinds_of_dice_in
from appliance.table.session.session import Setup
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.rigs.memory_scoreboard import MemoryScoreboard
from tests.rigs.proof.games import SETUPS
from tests.rigs.proof.refereed import RefereedPlayer
from tests.rigs.proof.unpictured_tray import UnpicturedTray
from vision.frame import Frame

BLANK = np.zeros((4, 4, 3), np.uint8)
FRAME_S = 0.1
DOUBT = 0.05
"""Share of dice that are read with doubt."""
MOST_FRAMES = 60_000


class CountedButtons:
    """Buttons that count their presses."""

    def __init__(self, keys: ScriptedKeys) -> None:
        self._keys = keys
        self.count = 0

    def press(self, button: Button) -> None:
        """Presses a button and lets it go."""
        self._press(Pressed(button))

    def hold(self, button: Button) -> None:
        """Long-presses a button."""
        self._press(Pressed(button, long=True))

    def _press(self, press: Pressed) -> None:
        self._keys.presses.append(press)
        self.count += 1


def play(setup: Setup, seed: int, clumsy: float, think_s: float) -> tuple[int, int]:
    """Presses and lines of the log of a game; RuntimeError if it does not end."""
    tray = UnpicturedTray(Random(seed), kinds_of_dice_in(setup.game), DOUBT)
    watcher, keys = ScriptedWatcher(), ScriptedKeys()
    buttons = CountedButtons(keys)
    rng = np.random.default_rng(seed)
    player = RefereedPlayer(tray, buttons, rng, clumsy=clumsy, think_s=think_s)
    with Journal(":memory:") as journal:
        session = load_session(journal, setup)
        board = MemoryScoreboard()
        chance = Random(seed)
        appliance = Appliance(
            Devices(board, keys, chance=chance),
            Tray(watcher),
            journal,
            session=session,
            listen=player.notice,
        )
        appliance.start()
        player.begin(appliance.session)
        for number in range(1, MOST_FRAMES):
            player.act(appliance.prompt, number * FRAME_S)
            watcher.events.extend(tray.events())
            appliance.feed(Frame(BLANK, number * FRAME_S, number))
            if player.done:
                return buttons.count, len(appliance.session.record.log)
    raise RuntimeError(f"expected an end of {setup}, seed {seed}, found none")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=8, help="of each kind")
    parser.add_argument("--clumsy", type=float, default=0.1, help="share of acts with a slip")
    parser.add_argument("--think", type=float, default=0.5, help="seconds from act to act")
    args = parser.parse_args()
    print("| game | presses | lines | presses a line |")
    print("|---|---:|---:|---:|")
    for name, setups in SETUPS.items():
        played = [
            play(setups[seed % len(setups)], seed, args.clumsy, args.think)
            for seed in range(args.games)
        ]
        presses, lines = (sum(column) for column in zip(*played, strict=True))
        print(f"| {name} | {presses} | {lines} | {presses / lines:.3f} |", flush=True)


if __name__ == "__main__":
    main()
