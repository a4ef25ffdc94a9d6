"""The phases of a start: what the program does before its first prompt, and how long it may take.

Three starts that hang take 25 s each on a slow Pi, and the pauses between them 7 s, so that the
fourth, which leaves out the phase that hung, is up within two minutes of the plug.
"""

from enum import Enum
from typing import Self

SLOW_S = 10.0
"""After so many seconds the board names the phase that is not over."""

LIMIT_S = 15
"""Seconds for which a phase may not get on. It is one for all: systemd takes the longest that it
was asked for, so that of a phase before would count for those after it."""


class Phase(Enum):
    """A phase: as `systemctl status` has it, and its word for the board.

    The name in lower case is that of the record of starts that failed.
    """

    PLUG_INS = ("loads what other packages bring", "PLUG-INS")
    SETTINGS = ("reads the settings", "SETTINGS")
    PROGRAM = ("loads the program", "SOFTWARE")
    TRAY = ("reads what it knows of the tray", "TRAY")
    BOARD = ("looks for the scoreboard", "SCOREBOARD")
    BUTTONS = ("takes the buttons", "BUTTONS")
    GAMES = ("opens the games", "GAMES")
    VOICE = ("looks for a voice", "VOICE")
    CAMERA = ("opens the camera", "CAMERA")
    PROMPT = ("shows the first prompt", "MENU")

    def __init__(self, sentence: str, word: str) -> None:
        self.sentence, self.word = sentence, word

    @property
    def key(self) -> str:
        """As the record has it."""
        return self.name.lower()

    @classmethod
    def of(cls, key: str) -> Self | None:
        """The phase with this key; None if there is none."""
        return next((phase for phase in cls if phase.key == key), None)


LEFT_OUT_WHEN_SAFE = frozenset({Phase.CAMERA, Phase.TRAY})
"""The phases that every safe mode leaves out: most that can crash once the program runs has to do
with these."""

LEFT_OUT_WHEN_SAFEST = LEFT_OUT_WHEN_SAFE | {
    Phase.PLUG_INS,
    Phase.BUTTONS,
    Phase.GAMES,
    Phase.VOICE,
}
"""Phases left out once a safe mode has failed as often itself: all that a board can do without."""
