"""A process that plays without end and prints what the board shows, to be killed at any moment."""

import random
import sys

import numpy as np

from appliance.inputs import Button, Pressed
from appliance.journal.log import line_to_text
from appliance.journal.mending import open_and_mend
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.table.session.session import Setup
from vision.events import Roll, TrackedDie, TrackId, TrayEvent
from vision.frame import Frame
from vision.reading import DieReading, DieState, Kind

SETUP = Setup("classic", ("ANNA", "BOB"))


FRAME_S = 0.6
"""Seconds from frame to frame: what a press has done can be read before the next one."""
FRAMES_TO_A_THROW = 3


class Throws:
    """Throws random dice in one frame of a few; in the others buttons are pressed."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def feed(self, frame: Frame) -> tuple[TrayEvent, ...]:
        if frame.index % FRAMES_TO_A_THROW:
            return ()
        dice = tuple(
            TrackedDie(
                TrackId(slot),
                DieReading(
                    Kind.BLACK, self._rng.randint(1, 6), DieState.OK, (), 1.0, (slot, 0.0), ()
                ),
                True,
            )
            for slot in range(5)
        )
        return (Roll(frame.index, frame.time_s, dice, 0),)

    def finish(self) -> tuple[TrayEvent, ...]:
        """Has nothing left to report."""
        return ()

    def expect(self, count: int | None) -> None:
        """Throws at random whatever is expected."""


class Presses:
    """Presses random buttons."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def poll(self) -> tuple[Pressed, ...]:
        buttons = (Button.OK, Button.OK, Button.HOLD1, Button.RIGHT, Button.BACK)
        return tuple(Pressed(self._rng.choice(buttons)) for _ in range(self._rng.randint(0, 3)))

    def stuck(self) -> frozenset[Button]:
        """None of them."""
        return frozenset()

    def light(self, slots: frozenset[int]) -> None:
        """Has no lamps."""


class PrintingBoard:
    """Prints the game and its log whenever a picture is shown."""

    appliance: Appliance

    def show(self, picture: Picture) -> None:
        session = self.appliance.session
        lines = [line_to_text(session.record.setup, line) for line in session.record.log]
        print(f"{session.record.serial}|{';'.join(lines)}", flush=True)


def main(path: str, seed: int) -> None:
    rng = random.Random(seed)
    journal, _ = open_and_mend(path)
    with journal:
        board = PrintingBoard()
        session = load_session(journal, SETUP)
        board.appliance = Appliance(
            Devices(board, Presses(rng)),
            Tray(Throws(rng)),
            journal,
            session=session,
        )
        board.appliance.start()
        blank = np.zeros((4, 4, 3), np.uint8)
        index = 0
        while True:
            board.appliance.feed(Frame(blank, index * FRAME_S, index))
            index += 1


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
