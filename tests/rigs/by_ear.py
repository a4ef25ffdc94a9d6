"""Whole games of two, played by ear or by eye: the same dice, the same plan, the same hands.

Time is the appliance's: what is said takes as long as espeak-ng does, what is read as long as the
board leaves for it; a press and a throw take both players as long.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from appliance.devices.speech_time import speech_s
from appliance.inputs import HOLD_BUTTONS, Button
from appliance.screens.draw import film
from appliance.screens.drawing.film import reading_s
from appliance.service.environment import Environment
from appliance.table.menu.options import seat_option
from appliance.table.prompts.betting import BetPrompt
from appliance.table.prompts.looking import StripPrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, OverPrompt, ThrowPrompt
from appliance.table.session.session import Setup
from appliance.words import Label
from games.values import Choose, Face, OptionValue, Reveal, Throw
from tests.builders import die, roll
from tests.rigs.at_table import AtTable
from tests.rigs.listener import Listener
from tests.rigs.plan import LOOKED_AT, Roll, best_choice, is_bet_taken, places_to_hold
from vision.reading import POWER_FACES, Kind

PRESS_S = 0.4
THROW_S = 4.0
"""Seconds to press a button, and to gather dice, throw them, and have them read."""
MAX_STEPS = 6000
PLAYERS = ("ANNA", "BEN")
BOXES = ("classic", "yatzy", "power")
Rules = tuple[tuple[str, OptionValue], ...]


@dataclass
class Ear:
    """What would be handed to espeak-ng, and until when that would speak."""

    silent: bool = False
    clock: Callable[[], float] = lambda: 0.0
    ends_s: float = 0.0
    heard: list[tuple[str, ...]] = field(default_factory=list)
    fresh: list[str] = field(default_factory=list)

    def speak(self, sentences: Sequence[str], language: str) -> None:
        """Keeps it; what was being said is cut short, as espeak-ng is."""
        self.heard.append(tuple(sentences))
        self.fresh = list(sentences)
        self.ends_s = self.clock() + speech_s(sentences, language)

    def stop(self) -> None:
        """Falls silent."""
        self.ends_s = self.clock()


@dataclass
class Hands:
    """Press buttons and throw dice, which land as chance has it, whoever throws them."""

    table: AtTable
    presses: int = 0

    def press(self, button: Button, long: bool = False) -> None:
        """Presses a button."""
        self.presses += 1
        self.table.wait(step_s=PRESS_S)
        self.table.press(button, long=long)

    def throw(self, keep: Collection[int] | None = None) -> None:
        """Throws the dice that are asked for, or with places to keep all others."""
        self.table.wait(step_s=THROW_S)
        record = self.table.session.record
        if keep is None or not isinstance(record.ask, Choose):
            self.table.throw()
            return
        lying = []
        for slot, old in enumerate(record.dice):
            if old is None:
                continue
            kind = Kind(record.rules.dice_kinds[slot].value)
            faces: tuple[Face, ...] = POWER_FACES if kind is Kind.POWER else (1, 2, 3, 4, 5, 6)
            new = self.table.random.choice(faces)
            lying.append(die(slot, old if slot in keep else new, kind, thrown=slot not in keep))
        self.table.watcher.events = [roll(*lying)]
        self.table.wait()


@dataclass(frozen=True, slots=True)
class Played:
    """How a game of two went."""

    table: AtTable
    ear: Ear
    presses: int
    turns: int

    @property
    def points(self) -> tuple[int, ...]:
        """The points at the end."""
        record = self.table.session.record
        return tuple(record.rules.scores(record.state))

    @property
    def turn_s(self) -> float:
        """Seconds a turn."""
        return self.table.time_s / self.turns


def table_of(game: str, ear: Ear, rules: Rules = (), speaks: bool = True) -> AtTable:
    """A table at which a game of two is about to begin."""
    stack = (("stack", 50),) if game == "holdem" else ()
    options = tuple(sorted(((seat_option(game), 0), *stack, *rules)))
    environment = Environment(speaks=speaks)
    table = AtTable(":memory:", Setup(game, PLAYERS, options), 7, environment, voice=ear)
    ear.clock = lambda: table.time_s
    return table


def play_by_ear(
    game: str, rules: Rules = (), listens: type[Listener] = Listener, has_boxes: bool | None = None
) -> Played:
    """A whole game by one who only listens, to the words and until they end."""
    ear = Ear()
    table = table_of(game, ear, rules)
    hands = Hands(table)
    listener = listens(hands.press, hands.throw, game in BOXES if has_boxes is None else has_boxes)
    for _ in range(MAX_STEPS):
        table.wait()
        if ear.ends_s > table.time_s:
            table.wait(step_s=ear.ends_s - table.time_s)
        said, ear.fresh = " ".join(ear.fresh), []
        listener.heard(said)
        if listener.over:
            return _played(table, ear, hands)
    raise AssertionError(ear.heard[-20:])


def play_by_eye(game: str, rules: Rules = ()) -> Played:
    """The same by one who reads the board, and is told what the pages are drawn of."""
    ear = Ear()
    table = table_of(game, ear, rules, speaks=False)
    seeing = Seeing(table, Hands(table), game in BOXES)
    for _ in range(MAX_STEPS):
        table.wait()
        if isinstance(table.appliance.prompt, OverPrompt):
            return _played(table, ear, seeing.hands)
        seeing.act()
    raise AssertionError(table.appliance.prompt)


def _played(table: AtTable, ear: Ear, hands: Hands) -> Played:
    record = table.session.record
    return Played(table, ear, hands.presses, record.rules.turn(record.state))


@dataclass
class Seeing:
    """Plays by what the board shows."""

    table: AtTable
    hands: Hands
    has_boxes: bool
    _open: frozenset[str] = frozenset()
    _knows_open: bool = False
    _seen: list[tuple[str, int]] = field(default_factory=list)

    def act(self) -> None:
        """Reads what is shown, and does what it asks for."""
        prompt = self.table.appliance.prompt
        shown = film(prompt)
        pages = shown.loop
        if isinstance(prompt, ChoicePrompt) and prompt.index:
            # One who walks over a list looks for the points alone.
            pages = pages[:1]
        self.table.wait(step_s=sum(reading_s(still.picture) for still in (*shown.opening, *pages)))
        match prompt:
            case ThrowPrompt():
                if self.has_boxes and not self._knows_open and len(prompt.slots) >= 5:
                    self.hands.press(Button.RIGHT)
                else:
                    self.hands.throw()
            case StripPrompt():
                self._knows_open = True
                self._open = frozenset(_box(row) for row, p in prompt.boxes if p is None)
                self.hands.throw()
            case DicePrompt():
                self._hold_and_throw(prompt)
            case BetPrompt():
                takes = is_bet_taken(prompt.label) and prompt.possible
                self.hands.press(Button.OK if takes else Button.RIGHT)
            case ChoicePrompt():
                self._choose(prompt)
            case _ if isinstance(self.table.session.record.ask, Throw | Reveal):
                self.hands.throw()
            case _:
                self.hands.press(Button.OK)

    def _hold_and_throw(self, prompt: DicePrompt) -> None:
        spots = prompt.table.spots if prompt.table is not None else ()
        made = max((spot.points or 0 for spot in spots if spot.fits), default=0)
        wanted = self._open
        if not self.has_boxes:
            aims = prompt.table.aims if prompt.table is not None and prompt.table.ring else ()
            wanted = frozenset(_box(spot.label) for spot in aims)
        roll, rolls = (prompt.roll, prompt.rolls) if prompt.rolls > 1 else (1, 1)
        dice = [face for face in prompt.dice if face is not None]
        hold = places_to_hold(Roll(dice, roll, rolls, wanted, made))
        self._seen, self._knows_open = [], False
        if hold is None:
            self.hands.press(Button.OK)
            return
        for place in sorted(hold ^ {*prompt.held}):
            self.hands.press(HOLD_BUTTONS[place])
        self.hands.throw(hold)

    def _choose(self, prompt: ChoicePrompt) -> None:
        if not self.has_boxes or prompt.confirm or prompt.count == 1:
            self.hands.press(Button.OK)
            return
        if prompt.index == len(self._seen):
            self._seen.append((_box(prompt.label), prompt.points.points))
            if len(self._seen) < min(LOOKED_AT, prompt.count):
                self.hands.press(Button.RIGHT)
                return
        best = best_choice(self._seen)
        self.hands.press(Button.OK if prompt.index == best else Button.LEFT)


def _box(label: str) -> str:
    """The box that a label names."""
    assert isinstance(label, Label)
    return re.sub(r"^(zero|cross) | \d$", "", label.key)
