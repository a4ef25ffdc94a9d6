"""A player who looks at the board and the dice, throws, and presses buttons."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

import numpy as np

from appliance.rules.game import Face
from appliance.service import Happened
from appliance.simulator.fingers import Fingers
from appliance.table.inputs import HOLDS, Button
from appliance.table.prompts import (
    ChoicePrompt,
    ClashPrompt,
    CountPrompt,
    DicePrompt,
    OverPrompt,
    Prompt,
    TellPrompt,
    ThrowPrompt,
)
from vision.events import Found, Roll
from vision.reading import POWER_FACES

GOOD_ENOUGH = 25
"""Points from which this player scores rather than throws again."""

PATIENCE_S = 4.0
"""Seconds that this player waits for the board after a throw before doing something else."""


class Dice(Protocol):
    """What the player needs of the tray."""

    @property
    def busy(self) -> bool:
        """Whether the hand is at work or dice roll."""

    def is_power(self, die: int) -> bool:
        """Whether this is the Power die."""

    def throw(self, faces: Mapping[int, Face], leaning: Collection[int] = ()) -> None:
        """Takes these dice, throws them, and they will show these faces, or lean on the wall."""

    def rest_hand(self) -> None:
        """Lets a hand rest in the tray for a while."""

    def knock(self, die: int) -> None:
        """Pushes a die aside; its face stays up."""

    def pick_up(self, dice: Sequence[int]) -> None:
        """Takes these dice out of the tray."""

    def lying(self) -> Mapping[int, tuple[tuple[float, float], Face | None]]:
        """Dice in the tray: middle of the top face in pixels, and its face; None if it leans."""


def keep(dice: Sequence[Face | None]) -> tuple[int, ...]:
    """The slots that a simple player keeps: a run of four, else what there is most of.

    A Power die is kept, whatever it shows.
    """
    power = tuple(i for i, f in enumerate(dice) if isinstance(f, str))
    return (*_keep_numbered(dice[: len(dice) - len(power)]), *power)


def _keep_numbered(dice: Sequence[Face | None]) -> tuple[int, ...]:
    faces = [f for f in dice if isinstance(f, int)]
    for run in ((2, 3, 4, 5), (1, 2, 3, 4), (3, 4, 5, 6)):
        if set(run) <= set(faces):
            return tuple(sorted(dice.index(n) for n in run))
    face, count = max(Counter(faces).items(), key=lambda item: (item[1], item[0]))
    pairs = [f for f, n in Counter(faces).items() if n == 2]
    if count == 2 and len(pairs) == 2:
        return tuple(i for i, f in enumerate(dice) if f in pairs)
    return tuple(i for i, f in enumerate(dice) if f == face)


class SimulatedPlayer:
    """Plays all seats: throws when the board says so, holds, looks through the list, scores.

    Args:
        tray: the dice.
        fingers: on the buttons.
        rng: decides what the dice will show.
        think_s: seconds between actions, of the frames' time.
        clumsy: share of throws and holds in which something goes wrong.

    Attributes:
        throws: throws made.
        read: thrown dice that the appliance read.
        doubted: how many of them it was not sure of.
        misread: how many of them it took for something else.
        done: whether the end of the game was seen.
    """

    def __init__(
        self,
        tray: Dice,
        fingers: Fingers,
        rng: np.random.Generator,
        *,
        think_s: float = 0.5,
        clumsy: float = 0.0,
    ) -> None:
        self._tray = tray
        self._fingers = fingers
        self._rng = rng
        self._think_s = think_s
        self._clumsy = clumsy
        self._next_s = 0.0
        self._bodies: dict[int, int] = {}
        self._wants: tuple[int, ...] | None = None
        self._waits = False
        self._last: tuple[int, ...] = ()
        self._misses = 0
        self.throws = 0
        self.read = 0
        self.doubted = 0
        self.misread = 0
        self.done = False

    def notice(self, happened: Happened) -> None:
        """Sees which die the board means by which slot."""
        if not isinstance(happened.input, Roll | Found) or not self._tray.lying():
            return
        self._wants = None
        if self._waits:
            self._waits = False
            self._next_s = happened.time_s + self._think_s
        lying = self._tray.lying()
        slots = dict(happened.session.places)
        self._bodies = {}
        for die in happened.input.dice:
            place = die.reading.center
            body = min(lying, key=lambda b: float(np.hypot(*np.subtract(lying[b][0], place))))
            self._bodies[slots.get(die.slot, die.slot)] = body
            if isinstance(happened.input, Roll) and die.thrown:
                self.read += 1
                self.doubted += not die.reading.sure
                self.misread += die.reading.sure and die.reading.value != lying[body][1]

        # A die that was not found is one that the board has no slot for.
        unseen = [body for body in lying if body not in self._bodies.values()]
        empty = [slot for slot in range(len(lying)) if slot not in self._bodies]
        self._bodies.update(zip(empty, unseen, strict=False))

    def act(self, prompt: Prompt, time_s: float) -> None:
        """Does the next thing, if it is time and nothing is going on in the tray."""
        if self._tray.busy or self.done:
            # Somebody who has thrown gives the board time to read.
            self._next_s = time_s + (PATIENCE_S if self._waits else self._think_s)
            return
        if time_s < self._next_s:
            return
        self._waits = False
        self._next_s = time_s + self._think_s
        if not isinstance(prompt, CountPrompt | TellPrompt):
            self._misses = 0
        match prompt:
            case ThrowPrompt():
                self._throw(prompt.slots)
            case DicePrompt():
                self._decide(prompt)
            case ChoicePrompt() | ClashPrompt():
                self._fingers.press(Button.OK)
            case TellPrompt():
                self._tell(prompt)
            case CountPrompt():
                # A die that the board does not find is thrown again with its fellows, then told.
                if prompt.seen < prompt.expected and self._misses:
                    self._fingers.press(Button.OK)
                else:
                    self._throw(self._last)
                self._misses += 1
            case OverPrompt():
                self.done = True
            case _:
                self._fingers.press(Button.BACK)

    def throw_asked(self, prompt: Prompt) -> None:
        """Throws what the board asks for, or the dice that are not held."""
        match prompt:
            case ThrowPrompt(slots=slots):
                self._throw(slots)
            case DicePrompt(dice=dice, held=held):
                self._throw_slots([s for s in range(len(dice)) if s not in held])
            case _:
                self._throw(list(self._tray.lying()))

    def _throw_slots(self, slots: Sequence[int]) -> None:
        self._throw([self._bodies[slot] for slot in slots if slot in self._bodies])

    def _throw(self, dice: Sequence[int]) -> None:
        if not dice:
            return
        self.throws += 1
        self._waits = True
        self._last = tuple(dice)
        faces: dict[int, Face] = {}
        for die in dice:
            number = int(self._rng.integers(6))
            faces[die] = POWER_FACES[number] if self._tray.is_power(die) else number + 1
        leaning = [d for d in faces if self._slips(0.3)]
        if self._slips():
            self._tray.rest_hand()
        self._tray.throw(faces, leaning[:1])

    def _slips(self, share: float = 1.0) -> bool:
        return float(self._rng.random()) < self._clumsy * share

    def _decide(self, prompt: DicePrompt) -> None:
        if self._wants is None:
            self._wants = keep(prompt.dice)
        wants = self._wants
        if not prompt.may_roll or len(wants) == len(prompt.dice):
            self._fingers.press(Button.OK)
            return
        wrong = [s for s in range(len(prompt.dice)) if (s in wants) != (s in prompt.held)]
        if wrong:
            self._fingers.press(HOLDS[wrong[0]])
            return
        if wants and self._slips():
            self._tray.knock(self._bodies.get(wants[0], 0))
            return
        self._throw_slots([s for s in range(len(prompt.dice)) if s not in wants])

    def _tell(self, prompt: TellPrompt) -> None:
        lying = self._tray.lying()
        body = self._bodies.get(prompt.index, -1)
        face = lying[body][1] if body in lying else prompt.face
        if face is None:
            self._throw([body])
            return
        self._fingers.press(Button.OK if prompt.face == face else Button.RIGHT)
