"""A player who looks at the board and the dice, throws, and presses buttons."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import dist
from typing import Protocol

import numpy as np

from appliance.rules.game import Choice, DieKind, Face, Points, Rolled, Shown, ShownDie
from appliance.service import Happened
from appliance.simulator.acts import Mishap
from appliance.simulator.cups import Bag
from appliance.simulator.dice_sets import ODD
from appliance.simulator.umpire import Umpire
from appliance.table.desk_prompts import DeskPrompt, NoticePrompt, RollOffPrompt
from appliance.table.holdem_prompts import (
    BetPrompt,
    ColourPrompt,
    DealPrompt,
    HandPrompt,
    PotPrompt,
    ShowPrompt,
)
from appliance.table.inputs import HOLDS, Button, Drawn
from appliance.table.matching import Why
from appliance.table.prompts import (
    ChoicePrompt,
    ClashPrompt,
    CountPrompt,
    DicePrompt,
    OverPrompt,
    TellPrompt,
    ThrowPrompt,
    UndoPrompt,
)
from appliance.table.session import Session
from vision.events import Found, Roll, TrackedDie
from vision.reading import POWER_FACES, DieState, Kind

PATIENCE_S = 4.0
"""Seconds that this player waits for the board after a throw before doing something else."""

STOPS = 0.1
"""Share of decisions in which this player scores although dice may be thrown again."""
STAYS = 0.8
"""Share of the lists of bets in which this player does not want to fold."""


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
    """Plays all seats: throws when the board says so, holds, looks through the list, chooses.

    What the dice really show and what was really meant goes to an umpire; when it is written down
    there is told by the appliance (a throw was counted), what is written comes from the player.

    Args:
        tray: the dice.
        fingers: on the buttons.
        rng: decides what the dice will show.
        think_s: seconds between actions, of the frames' time.
        clumsy: share of throws, holds and presses in which something goes wrong.

    Attributes:
        umpire: the true account of the game; None before one has begun.
        slips: how often each thing went wrong.
        throws: throws made.
        read: thrown dice that the appliance read.
        doubted: how many of them it was not sure of.
        misread: how many of them it took for something else.
        done: whether the end of the game was seen.
    """

    def __init__(
        self,
        tray: Tray,
        fingers: Hands,
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
        self._bag = Bag(rng)
        self.umpire: Umpire | None = None
        self.slips: Counter[str] = Counter()
        self.throws = self.read = self.doubted = self.misread = 0
        self.done = False
        self._serial = 0
        self._forget()

    def _forget(self) -> None:
        self._faces: dict[int, Face] = {}
        self._bodies: dict[int, int] = {}
        self._asked: tuple[int, ...] = ()
        self._first_slot = 0
        self._pending: set[int] = set()
        self._wants: tuple[int, ...] | None = None
        self._saved: set[int] = set()
        self._presses_holds = True
        self._chooses = False
        self._waits = False
        self._misses = 0
        self._counted = 0
        self._known = 0
        self._meant: str | None = None
        self._regrets = False
        self._rights: int | None = None
        self._puts_right: int | None = None
        self._players: tuple[str, ...] = ()

    def begin(self, session: Session) -> None:
        """A game begins, or goes on with what is on record."""
        self._forget()
        self._serial = session.serial
        self._players = session.setup.players
        self.umpire = Umpire(session.setup, session.events)
        self._known = len(session.events)
        self._counted = _throws(session)
        faces = session.rules.dice(session.state)
        self._faces = {slot: face for slot, face in enumerate(faces) if face is not None}
        self._bodies = {slot: slot for slot in self._faces}

    def notice(self, happened: Happened) -> None:
        """Sees which die the board means by which slot, and when something was counted."""
        session = happened.session
        if session is None:
            return
        if session.serial != self._serial:
            self.begin(session)
        umpire = self.umpire
        if isinstance(happened.input, Roll | Found):
            if self._waits:
                self._waits = False
                self._next_s = happened.time_s + self._think_s
            self._look(happened.input.dice, session)
        if len(session.events) == self._known or umpire is None:
            return
        grown = len(session.events) > self._known
        self._known = len(session.events)
        throws, self._counted = self._counted, _throws(session)
        if self._counted > throws:
            self._throw_counted(umpire)
        elif isinstance(happened.input, Drawn):
            if not self._regrets:
                umpire.drawn(happened.input.lot)
        elif grown and self._meant is not None and isinstance(session.events[-1], Choice):
            umpire.chosen(self._meant)
            self._meant = self._rights = None
            self._wants = None

    def _throw_counted(self, umpire: Umpire) -> None:
        if self._shows_colours:
            dice = self._asked
            kinds = [DieKind(self._tray.kind(die).value) for die in dice]
            shown = zip(kinds, (self._faces[die] for die in dice), strict=True)
            umpire.shown([ShownDie(kind, int(face)) for kind, face in shown])
        else:
            umpire.thrown(self._faces, sorted(self._pending))
        self._pending.clear()
        self._wants = self._rights = None
        self._chooses = False

    @property
    def _shows_colours(self) -> bool:
        return bool(self._bag.cups)

    def _look(self, dice: Sequence[TrackedDie], session: Session) -> None:
        places = self._tray.places()
        if not places:
            return
        nearest: dict[int, int] = {}
        for die in dice:
            place = die.reading.center
            body = min(places, key=lambda b: dist(places[b], place))
            nearest[die.slot] = body
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
        self._bodies = {slots.get(slot, slot): body for slot, body in nearest.items()}
        # A die that was not found is one that the board has no slot for.
        unseen = [body for body in self._faces if body not in self._bodies.values()]
        empty = [slot for slot in range(len(self._faces)) if slot not in self._bodies]
        self._bodies.update(zip(empty, unseen, strict=False))

    def act(self, prompt: DeskPrompt, time_s: float) -> None:
        """Does the next thing, if it is time and nothing is going on in the tray."""
        if self._tray.busy or self.done:
            # Somebody who has thrown gives the board time to read.
            self._next_s = time_s + (PATIENCE_S if self._waits else self._think_s)
            return
        if time_s < self._next_s:
            return
        self._waits = False
        self._next_s = time_s + self._think_s
        if not isinstance(prompt, CountPrompt | TellPrompt | ColourPrompt):
            self._misses = 0
        if self._regrets:
            self._take_back(prompt)
        elif not self._pressed_wrong(prompt):
            self._answer(prompt)

    def _answer(self, prompt: DeskPrompt) -> None:
        match prompt:
            case ThrowPrompt():
                self._throw_first(prompt.slots)
            case RollOffPrompt():
                self._throw((0,))
            case DicePrompt():
                self._decide(prompt)
            case ChoicePrompt():
                self._choose(prompt)
            case BetPrompt() | HandPrompt() | PotPrompt():
                self._play_holdem(prompt)
            case DealPrompt() | ShowPrompt():
                self._throw_coloured(prompt)
            case TellPrompt():
                self._tell(prompt)
            case ColourPrompt():
                self._tell_colour(prompt)
            case ClashPrompt():
                self._resolve(prompt)
            case CountPrompt():
                self._recount(prompt)
            case OverPrompt():
                self.done = True
            case NoticePrompt():
                pass
            case _:
                self._fingers.press(Button.BACK)

    def throw_asked(self, prompt: DeskPrompt) -> None:
        """Throws what the board asks for, or the dice that are not held."""
        match prompt:
            case ThrowPrompt(slots=slots):
                self._throw_first(slots)
            case RollOffPrompt():
                self._throw((0,))
            case DealPrompt() | ShowPrompt():
                self._throw_coloured(prompt)
            case DicePrompt(dice=dice, held=held):
                self._throw_slots([s for s in range(len(dice)) if s not in held])
            case _:
                self._throw(list(self._pending) or list(self._tray.lying()))

    # Throwing

    def _throw_first(self, slots: Sequence[int]) -> None:
        lying = [body for body in self._tray.lying() if body not in slots]
        if lying:
            self._tray.pick_up(lying)
        self._faces = {slot: self._faces.get(slot, 1) for slot in slots}
        self._asked, self._first_slot = tuple(slots), slots[0]
        self._bag.cups.clear()
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

    # Deciding

    def _decide(self, prompt: DicePrompt) -> None:
        lying = self._tray.lying()
        shown = [(slot, face) for slot, face in enumerate(prompt.dice) if face is not None]
        misread = [slot for slot, face in shown if self._true(slot) not in (None, face)]
        if misread:
            self._puts_right = misread[0]
            self._fingers.hold(HOLDS[misread[0]])
            return
        if self._wants is None:
            self._plan(prompt)
        wants = self._wants or ()
        self._chooses = not prompt.may_roll or len(wants) == len(prompt.dice)
        if self._chooses:
            self._fingers.press(Button.OK)
            return
        kept = [self._bodies.get(slot, slot) for slot in wants]
        away = [body for body in kept if body not in lying]
        aim = wants if self._presses_holds or away else ()
        wrong = [s for s in range(len(prompt.dice)) if (s in aim) != (s in prompt.held)]
        if wrong:
            self._fingers.press(HOLDS[wrong[0]])
            return
        loose = [body for body in kept if body not in self._saved]
        if loose and not away and self._trifles(loose):
            return
        turned = [b for b in kept if b in lying and lying[b][1] not in (None, self._faces[b])]
        if turned:
            self._tray.turn(turned[0], self._faces[turned[0]])
            return
        thrown = [s for s in range(len(prompt.dice)) if s not in wants]
        if wants and self._slips("held die thrown", 0.5):
            thrown.append(wants[0])
        elif len(thrown) > 1 and self._slips("die forgotten", 0.5):
            thrown.pop()
        self._throw_slots(thrown)

    def _true(self, slot: int) -> Face | None:
        return self._faces.get(self._bodies.get(slot, -1))

    def _plan(self, prompt: DicePrompt) -> None:
        every = tuple(range(len(prompt.dice)))
        stops = float(self._rng.random()) < STOPS
        self._wants = every if stops or None in prompt.dice else keep(prompt.dice)
        self._presses_holds = float(self._rng.random()) < 0.7

    def _trifles(self, kept: Sequence[int]) -> bool:
        """Whether something happened to a kept die before the throw."""
        if self._slips("held die knocked", 0.5):
            self._tray.knock(kept[0])
            return True
        if self._tray.kind(kept[0]) is not Kind.POWER and self._slips("held die turned", 0.4):
            face = self._faces[kept[0]]
            self._tray.turn(kept[0], int(face) % 6 + 1)
            return True
        if self._slips("held dice put aside", 0.4):
            self._saved |= {b for b in kept if self._tray.kind(b) is not Kind.POWER}
            self._tray.set_aside(sorted(self._saved))
            return True
        return False

    def _choose(self, prompt: ChoicePrompt) -> None:
        if prompt.dice and not self._chooses:
            # The list came up by a slip: the dice come first.
            self._fingers.press(Button.BACK)
            return
        if self._rights is None:
            self._rights = int(self._rng.integers(min(prompt.count, 4)))
        if self._rights and not prompt.confirm:
            self._rights -= 1
            self._fingers.press(Button.RIGHT)
            return
        asks_again = prompt.points == Points(0) and not prompt.confirm
        self._mean(prompt.label, asks_again=asks_again)

    def _mean(self, label: str, *, asks_again: bool = False) -> None:
        if self._slips("wrong choice", 0.3):
            self._regrets = True
        elif not asks_again:
            self._meant = label
        self._fingers.press(Button.OK)

    def _take_back(self, prompt: DeskPrompt) -> None:
        """Takes a wrong choice back: BACK asks, OK does it."""
        if isinstance(prompt, UndoPrompt):
            self._regrets = False
            self._fingers.press(Button.OK)
        else:
            if isinstance(prompt, ChoicePrompt) and prompt.confirm:
                # The board asked whether it was meant; it was not.
                self._regrets = False
            self._fingers.press(Button.BACK)

    def _pressed_wrong(self, prompt: DeskPrompt) -> bool:
        """Whether the player has pressed something useless."""
        harmless = DicePrompt | ChoicePrompt | ThrowPrompt | BetPrompt | DealPrompt | ShowPrompt
        if not isinstance(prompt, harmless) or not self._slips("wrong press", 0.3):
            return False
        buttons = [Button.LEFT, Button.RIGHT, Button.BACK, Button.HINT, *HOLDS]
        self._fingers.press(buttons[int(self._rng.integers(len(buttons)))])
        return True

    # Questions of the board

    def _resolve(self, prompt: ClashPrompt) -> None:
        body = self._bodies.get(prompt.slot, prompt.slot)
        if prompt.why is Why.CHANGED and body not in self._pending:
            lying = self._tray.lying()
            if body in lying and lying[body][1] not in (None, self._faces[body]):
                self._tray.turn(body, self._faces[body])
            else:
                self._fingers.press(Button.BACK)
        elif prompt.why is Why.SAME:
            self._fingers.press(Button.OK if body in self._pending else Button.BACK)
        elif prompt.why is Why.LAZY and body not in self._pending and self._wants is not None:
            self._throw([body], well=True)
        elif prompt.why is Why.HELD:
            kept = {self._bodies.get(slot, slot) for slot in self._wants or ()}
            self._fingers.press(Button.OK if kept & self._pending else Button.BACK)
        else:
            self._fingers.press(Button.OK)

    def _recount(self, prompt: CountPrompt) -> None:
        if prompt.seen > prompt.expected:
            wanted = set(self._asked) if self._shows_colours else set(self._faces)
            foreign = [body for body in self._tray.lying() if body not in wanted]
            if foreign and not self._shows_colours:
                self._tray.pick_up(foreign)
            else:
                self._throw_again()
        elif self._misses:
            self._fingers.press(Button.OK)
        else:
            self._throw_again()
        self._misses += 1

    def _throw_again(self) -> None:
        """Throws the dice of the throw that did not count."""
        dice = sorted(self._pending) or list(self._tray.lying())
        if self._shows_colours:
            self._let_fall({die: self._faces[die] for die in self._asked}, well=True)
            self._waits = True
        else:
            self._throw(dice, well=True)

    def _tell(self, prompt: TellPrompt) -> None:
        if prompt.state is None:
            self._put_right(prompt)
            return
        body = self._body_asked(prompt)
        lying = self._tray.lying()
        out = prompt.aside or (body in lying and lying[body][1] is None)
        if out or prompt.state in (DieState.LEANING, DieState.STACKED):
            self._throw([body], well=True)
            return
        self._fingers.press(Button.OK if prompt.face == self._faces[body] else Button.RIGHT)

    def _body_asked(self, prompt: TellPrompt) -> int:
        """The die that the board asks about: one whose face it does not show yet."""
        if self._shows_colours:
            return self._bodies[self._slot_named(prompt.name)]
        if prompt.name.endswith(" DIE"):
            return ODD
        left = [b for b in sorted(self._faces) if self._tray.kind(b) is not Kind.POWER]
        for index, face in enumerate(prompt.dice):
            known = next((b for b in left if self._faces[b] == face), None)
            if index != prompt.index and face is not None and known is not None:
                left.remove(known)
        lying = self._tray.lying()
        left = [b for b in left if b in self._pending] or left or [self._asked[0]]
        bad = [b for b in left if b in lying and lying[b][1] is None]
        beside = self._bodies.get(prompt.index)
        if prompt.aside and beside in left:
            return beside
        return (bad or left)[0] if prompt.state is not DieState.UNSURE else _good(left, bad)

    def _put_right(self, prompt: TellPrompt) -> None:
        slot = prompt.index if prompt.name.startswith("DIE") else ODD
        body = self._bodies.get(slot, slot)
        if prompt.turned is not None:
            face = self._tray.lying().get(body, ((0, 0), None))[1]
            if face is not None and face != self._faces[body]:
                self._tray.turn(body, self._faces[body])
            else:
                self._fingers.press(Button.BACK)
        elif self._puts_right is None:
            self._fingers.press(Button.BACK)
        elif prompt.face == self._faces.get(body):
            self._fingers.press(Button.OK)
            if not self._shows_colours:
                self._puts_right = None
        else:
            self._fingers.press(Button.RIGHT)

    def _slot_named(self, name: str) -> int:
        word, number = name.split()
        return int(number) - 1 if word == "DIE" else int(number) + 4

    # Hold'em

    def _tell_colour(self, prompt: ColourPrompt) -> None:
        if not prompt.pending and self._puts_right is None:
            self._fingers.press(Button.BACK)
            return
        body = self._bodies[self._slot_named(prompt.name)]
        right = self._tray.kind(body).value == prompt.kind.value
        if right and not prompt.pending:
            self._puts_right = None
        self._fingers.press(Button.OK if right else Button.RIGHT)

    def _throw_coloured(self, prompt: DealPrompt | ShowPrompt) -> None:
        if isinstance(prompt, ShowPrompt):
            self._show(prompt.player)
            return
        if prompt.surplus:
            self._tray.pick_up(list(self._tray.lying()))
            return
        if not self._pending:
            self._asked = self._bag.throw_for_all(prompt.purpose, prompt.count)
            self._first_slot = len(prompt.dice)
        self._throw(self._asked)

    def _show(self, player: str) -> None:
        """Lays the pocket dice into the tray; those of all may stay there or not."""
        others = [b for cup in self._bag.cups.values() for b in cup if b in self._tray.lying()]
        if others and float(self._rng.random()) < 0.7:
            self._tray.pick_up(others)
        elif self._tray.lying() and float(self._rng.random()) < 0.2:
            self._tray.pick_up(list(self._tray.lying()))
        self._asked, self._first_slot = self._bag.cups[player], 5
        for die in self._asked:
            if die not in self._pending:
                self._faces[die] = int(self._rng.integers(6)) + 1
        self._pending.update(self._asked)
        self._waits = True
        self._let_fall({die: self._faces[die] for die in self._asked}, well=True)

    def _play_holdem(self, prompt: BetPrompt | HandPrompt | PotPrompt) -> None:
        if isinstance(prompt, HandPrompt):
            self._mean(prompt.label)
            return
        if isinstance(prompt, PotPrompt):
            self._bag.deal(self._players)
            self._mean("TAKE POT")
            return
        if not self._bag.cups:
            self._bag.deal(self._players)
        for slot, die in enumerate(prompt.dice):
            body = self._bodies.get(slot, -1)
            if body in self._faces and (die.face, die.kind.value) != (
                self._faces[body],
                self._tray.kind(body).value,
            ):
                self._puts_right = slot
                self._fingers.hold(HOLDS[slot])
                return
        if self._rights is None:
            self._rights = int(self._rng.integers(prompt.count))
        folds = prompt.label == "FOLD" and float(self._rng.random()) < STAYS
        if self._rights or folds:
            self._rights = max(0, self._rights - 1)
            self._fingers.press(Button.RIGHT)
            return
        self._mean(prompt.label)


def _good(left: Sequence[int], bad: Sequence[int]) -> int:
    return next((body for body in left if body not in bad), left[0])


def _throws(session: Session) -> int:
    return sum(isinstance(event, Rolled | Shown) for event in session.events)
