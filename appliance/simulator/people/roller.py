"""Hands that throw dice and know which die the board means by each slot, and what they intend."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist

import numpy as np

from appliance.inputs import Button
from appliance.simulator.people.ports import Presser, Tray, kinds_of_dice_in
from appliance.table.session.session import Session
from games.values import Face, Rolled, Shown
from simulator.motion.acts import Mishap
from simulator.scenes.random_setup import random_face
from vision.events import TrackedDie, TrackId
from vision.reading import Kind


class Roller:
    """Throws dice, and knows what they show.

    Args:
        tray: the dice.
        rng: decides what the dice will show.
        clumsy: share of throws in which something goes wrong.

    Attributes:
        kinds: the dice of the game, by their numbers.
        faces: what each die really shows, or will when the throw is over.
        bodies: the die that the board means by each slot.
        asked: the dice of the last throw that began a turn or came from the bag.
        first_slot: the first slot of the dice asked for.
        pending: dice thrown since the last throw that counted.
        thrown: dice of the last throw.
        saved: dice put into the holder.
        waits: whether a throw was made of which nothing has been seen yet.
        serial: serial number of the present game; 0 before one has begun.
        counted: how many throws the appliance has counted in this game.
        slips: how often each thing went wrong.
        throws: throws made.
        read: thrown dice that the appliance read.
        doubted: how many of them it was not sure of.
        misread: how many of them it was sure of and read wrong.
        next_mishap: what goes wrong with a die of the next throw; None leaves it to chance.
    """

    def __init__(self, tray: Tray, rng: np.random.Generator, *, clumsy: float = 0.0) -> None:
        self.tray = tray
        self.rng = rng
        self._clumsy = clumsy
        self.slips: Counter[str] = Counter()
        self.throws = self.read = self.doubted = self.misread = 0
        self.next_mishap: Mishap | None = None
        self.leave_game()

    def leave_game(self) -> None:
        """Forgets the game and its dice: others may be played with next."""
        self.serial = 0
        self.kinds: Mapping[int, Kind] = {}
        self.faces: dict[int, Face] = {}
        self.bodies: dict[int, int] = {}
        self.asked: tuple[int, ...] = ()
        self.first_slot = 0
        self.pending: set[int] = set()
        self.saved: set[int] = set()
        self.waits = False
        self.counted = 0
        self.thrown = frozenset[int]()
        self.remember()

    def remember(self) -> None:
        """Remembers how everything is before a throw, which may be taken back."""
        thrown = self.asked, self.first_slot, self.waits, self.throws
        self._before = dict(self.faces), {*self.pending}, {*self.saved}, thrown

    def take_back(self) -> None:
        """Everything is as it was before the last throw; its dice are in the hand, or still lie."""
        self.faces, self.pending, self.saved, thrown = self._before
        self.asked, self.first_slot, self.waits, self.throws = thrown

    def begin(self, session: Session) -> None:
        """Begins a game, or resumes one from what is on record."""
        self.leave_game()
        self.serial = session.record.serial
        self.kinds = kinds_of_dice_in(session.record.setup.game)
        self.counted = count_throws_on_record(session)
        faces = session.record.dice
        self.faces = {slot: face for slot, face in enumerate(faces) if face is not None}
        self.bodies = {slot: slot for slot in self.faces}

    def body_of_slot(self, slot: int) -> int:
        """The die the board means by a slot; the one of that number if nothing was seen yet."""
        return self.bodies.get(slot, slot)

    def match_bodies_to_slots(
        self, dice: Sequence[TrackedDie], session: Session, *, by_colour: bool = False
    ) -> None:
        """Works out which die the board means by each slot.

        Args:
            dice: what the appliance has read.
            session: the game after it.
            by_colour: whether dice from the bag are thrown, which are known by their colours.
        """
        own = self.kinds
        places = {die: place for die, place in self.tray.places().items() if die in own}
        if not places:
            return
        nearest = _nearest_bodies(places, dice)
        for die in dice:
            body = nearest[die.track_id]
            # What is seen while a hand throws is the previous throw, whose faces are forgotten.
            if die.thrown and body in self.pending and not self.tray.busy:
                self.read += 1
                self.doubted += not die.reading.sure
                self.misread += die.reading.sure and die.reading.value != self.faces.get(body)
        if by_colour:
            seen = sorted((d.reading.center, nearest[d.track_id]) for d in dice)
            order = [body for _, body in seen if body in self.asked]
            order += [body for body in self.asked if body not in order]
            self.bodies |= {self.first_slot + i: body for i, body in enumerate(order)}
            return
        slots = session.tracked.slots
        # Anything seen besides the game's dice has no slot in the game.
        placed: dict[int, int] = {
            slots[track]: body for track, body in nearest.items() if track in slots
        }
        in_order: dict[int, int] = dict(nearest.items())
        self.bodies = placed or in_order
        # Dice that were not found get the slots that are left.
        unseen = [body for body in self.faces if body not in self.bodies.values()]
        empty = [slot for slot in range(len(self.faces)) if slot not in self.bodies]
        self.bodies.update(zip(empty, unseen, strict=False))

    def throw_first(self, slots: Sequence[int]) -> None:
        """Throws the dice that begin a turn; others are taken out of the tray."""
        lying = [body for body in self.tray.lying() if body not in slots]
        if lying:
            self.tray.pick_up(lying)
        self.faces = {slot: self.faces.get(slot, 1) for slot in slots}
        self.asked = tuple(slots)
        self.first_slot = slots[0]
        self.saved.clear()
        self.throw(slots)

    def throw(self, dice: Sequence[int], *, well: bool = False) -> None:
        """Throws dice; now and then something goes wrong, unless it must go well."""
        if not dice:
            return
        self.throws += 1
        self.waits = True
        for die in dice:
            self.faces[die] = random_face(self.rng, self.tray.kind(die))
        self.pending.update(dice)
        self.saved.difference_update(dice)
        self.throw_to_show({die: self.faces[die] for die in dice}, well=well)

    def throw_to_show(self, faces: Mapping[int, Face], *, well: bool = False) -> None:
        """Throws dice to show these faces; with chance mishaps, unless it must go well."""
        mishaps: dict[int, Mishap] = {}
        if self.next_mishap is not None and faces:
            mishaps[min(faces)] = self.next_mishap
            self.next_mishap = None
        for die in () if well else faces:
            for mishap in Mishap:
                if not mishaps and self.slip(mishap.value, 0.1):
                    mishaps[die] = mishap
        if not well and self.slip("resting hand", 0.5):
            self.tray.rest_hand()
        self.thrown = frozenset(faces)
        self.tray.throw(faces, mishaps)
        if not well and self.slip("picked up too early", 0.3):
            self.tray.pick_up(list(faces))

    def slip(self, what: str, share: float = 1.0) -> bool:
        """True if this goes wrong now, in this share of the clumsy acts; counts it if it does."""
        if float(self.rng.random()) >= self._clumsy * share:
            return False
        self.slips[what] += 1
        return True


def _nearest_bodies(
    places: Mapping[int, tuple[float, float]], dice: Sequence[TrackedDie]
) -> dict[TrackId, int]:
    """The die that lies, or lay, nearest to where each tracked one was read; none is used twice."""
    gaps = sorted((dist(places[b], d.reading.center), d.track_id, b) for d in dice for b in places)
    found: dict[TrackId, int] = {}
    for _, track, body in gaps:
        if track not in found and body not in found.values():
            found[track] = body
    # If more dice were read than there are, the nearest will do for the rest.
    return {track: body for _, track, body in reversed(gaps)} | found


def count_throws_on_record(session: Session) -> int:
    """How many throws count in this game."""
    return sum(isinstance(event, Rolled | Shown) for event in session.record.events)


@dataclass(slots=True)
class Intent:
    """The player's intent from one press to the next; a new one for each game.

    Attributes:
        keeps: slots of the dice to keep for the next throw; None while nothing is planned.
        looks: entries of a list still to be looked at; None before the list is shown.
        label: the choice that was meant; None where it was a slip.
        slipped: whether a wrong choice was pressed that is not on record yet.
        regrets: whether the last choice was wrong and is about to be taken back.
        puts_right: slot of a die that the board has wrong; None if there is none.
        allowed: the slots that the rules let a player keep for another throw.
    """

    keeps: tuple[int, ...] | None = None
    looks: int | None = None
    label: str | None = None
    slipped: bool = False
    regrets: bool = False
    puts_right: int | None = None
    allowed: frozenset[tuple[int, ...]] = frozenset()

    def choose(
        self, label: str, hands: Roller, buttons: Presser, *, asks_again: bool = False
    ) -> None:
        """Presses OK at a choice, on purpose or by a slip; the board may ask to confirm it."""
        self.slipped = hands.slip("wrong choice", 0.3)
        if self.slipped:
            self.label = None
        elif not asks_again:
            self.label = label
        buttons.press(Button.OK)
