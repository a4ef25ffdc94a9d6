"""Somebody who throws dice and knows afterwards which die the board means by which slot."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import dist
from typing import Protocol

import numpy as np

from appliance.inputs import Button
from appliance.rules.game import Face, Rolled, Shown
from appliance.simulator.motion.acts import Mishap
from appliance.simulator.people.cups import dice_of
from appliance.table.session.session import Session
from vision.events import TrackedDie
from vision.reading import POWER_FACES, Kind


class Tray(Protocol):
    """What the player needs of the tray."""

    @property
    def busy(self) -> bool:
        """Whether the hand is at work or dice roll."""

    def kind(self, die: int) -> Kind:
        """Which kind of die this is."""

    def throw(self, faces: Mapping[int, Face], mishaps: Mapping[int, Mishap]) -> None:
        """Takes these dice, throws them, and they show these faces, unless something goes wrong."""

    def rest_hand(self) -> None:
        """Lets a hand rest in the tray for a while."""

    def knock(self, die: int) -> None:
        """Pushes a die aside; its face stays up."""

    def turn(self, die: int, face: Face) -> None:
        """Turns a die where it lies, so that it shows another face."""

    def set_aside(self, dice: Sequence[int]) -> None:
        """Puts dice into the holder beside the tray, as they lie."""

    def pick_up(self, dice: Sequence[int]) -> None:
        """Takes these dice out of the tray."""

    def lying(self) -> Mapping[int, tuple[tuple[float, float], Face | None]]:
        """Dice in and beside the tray: their place, and their face; None if it has none."""

    def places(self) -> Mapping[int, tuple[float, float]]:
        """Where each die lies, or lay before it was picked up."""


class Hands(Protocol):
    """What the player needs of the buttons."""

    def press(self, button: Button) -> None:
        """Presses a button and lets it go."""

    def hold(self, button: Button) -> None:
        """Presses a button for long."""


class Roller:
    """Throws dice, and knows what they show.

    Args:
        tray: the dice.
        fingers: on the buttons.
        rng: decides what the dice will show.
        clumsy: share of throws in which something goes wrong.

    Attributes:
        slips: how often each thing went wrong.
        throws: throws made.
        read: thrown dice that the appliance read.
        doubted: how many of them it was not sure of.
        misread: how many of them it took for something else.
    """

    def __init__(
        self, tray: Tray, fingers: Hands, rng: np.random.Generator, *, clumsy: float = 0.0
    ) -> None:
        self._tray = tray
        self._fingers = fingers
        self._rng = rng
        self._clumsy = clumsy
        self.slips: Counter[str] = Counter()
        self.throws = self.read = self.doubted = self.misread = 0
        self._serial = 0
        self._forget()

    def _forget(self) -> None:
        self._kinds: Mapping[int, Kind] = {}
        self._faces: dict[int, Face] = {}
        self._bodies: dict[int, int] = {}
        self._asked: tuple[int, ...] = ()
        self._first_slot = 0
        self._pending: set[int] = set()
        self._saved: set[int] = set()
        self._waits = False
        self._known = 0
        self._counted = 0

    @property
    def counted(self) -> int:
        """How many throws the appliance has counted in this game."""
        return self._counted

    def begin(self, session: Session) -> None:
        """A game begins, or goes on with what is on record."""
        self._forget()
        self._serial = session.serial
        self._kinds = dice_of(session.setup.game)
        self._known = len(session.events)
        self._counted = throws_counted(session)
        faces = session.rules.dice(session.state)
        self._faces = {slot: face for slot, face in enumerate(faces) if face is not None}
        self._bodies = {slot: slot for slot in self._faces}

    @property
    def _shows_colours(self) -> bool:
        """Whether dice of the bag are thrown, which are known by their colours."""
        return False

    def _look(self, dice: Sequence[TrackedDie], session: Session) -> None:
        own = self._kinds
        places = {die: place for die, place in self._tray.places().items() if die in own}
        if not places:
            return
        nearest = _nearest(places, dice)
        for die in dice:
            body = nearest[die.slot]
            if die.thrown and body in self._pending:
                self.read += 1
                self.doubted += not die.reading.sure
                self.misread += die.reading.sure and die.reading.value != self._faces.get(body)
        if self._shows_colours:
            seen = sorted((d.reading.center, nearest[d.slot]) for d in dice)
            order = [body for _, body in seen if body in self._asked]
            order += [body for body in self._asked if body not in order]
            self._bodies |= {self._first_slot + i: body for i, body in enumerate(order)}
            return
        slots = dict(session.places)
        # What is seen besides the game's dice has no slot of the game.
        placed = {slots[slot]: body for slot, body in nearest.items() if slot in slots}
        self._bodies = placed or nearest
        # A die that was not found is one that the board has no slot for.
        unseen = [body for body in self._faces if body not in self._bodies.values()]
        empty = [slot for slot in range(len(self._faces)) if slot not in self._bodies]
        self._bodies.update(zip(empty, unseen, strict=False))

    def _throw_first(self, slots: Sequence[int]) -> None:
        lying = [body for body in self._tray.lying() if body not in slots]
        if lying:
            self._tray.pick_up(lying)
        self._faces = {slot: self._faces.get(slot, 1) for slot in slots}
        self._asked, self._first_slot = tuple(slots), slots[0]
        self._saved.clear()
        self._throw(slots)

    def _throw_slots(self, slots: Sequence[int]) -> None:
        self._throw([self._bodies.get(slot, slot) for slot in slots])

    def _throw(self, dice: Sequence[int], *, well: bool = False) -> None:
        """Throws dice; with something going wrong now and then, unless it must go well."""
        if not dice:
            return
        self.throws += 1
        self._waits = True
        for die in dice:
            number = int(self._rng.integers(6))
            power = self._tray.kind(die) is Kind.POWER
            self._faces[die] = POWER_FACES[number] if power else number + 1
        self._pending.update(dice)
        self._saved.difference_update(dice)
        self._let_fall({die: self._faces[die] for die in dice}, well=well)

    def _let_fall(self, faces: Mapping[int, Face], *, well: bool = False) -> None:
        mishaps: dict[int, Mishap] = {}
        for die in () if well else faces:
            for mishap in Mishap:
                if not mishaps and self._slips(mishap.value, 0.1):
                    mishaps[die] = mishap
        if not well and self._slips("resting hand", 0.5):
            self._tray.rest_hand()
        self._tray.throw(faces, mishaps)
        if not well and self._slips("picked up too early", 0.3):
            self._tray.pick_up(list(faces))

    def _slips(self, what: str, share: float = 1.0) -> bool:
        if float(self._rng.random()) >= self._clumsy * share:
            return False
        self.slips[what] += 1
        return True


def _nearest(
    places: Mapping[int, tuple[float, float]], dice: Sequence[TrackedDie]
) -> dict[int, int]:
    """The die that lies, or lay, where each slot's die was read; none stands for two of them."""
    gaps = sorted((dist(places[b], d.reading.center), d.slot, b) for d in dice for b in places)
    found: dict[int, int] = {}
    for _, slot, body in gaps:
        if slot not in found and body not in found.values():
            found[slot] = body
    # More dice were read than there are: the nearest will do for those.
    return {slot: body for _, slot, body in reversed(gaps)} | found


def throws_counted(session: Session) -> int:
    """How many throws count in this game."""
    return sum(isinstance(event, Rolled | Shown) for event in session.events)
