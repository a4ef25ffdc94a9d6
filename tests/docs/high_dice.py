"""High Dice, the example of the developer's guide: a whole game in one file.

Five dice, two rolls a turn, three rounds; the sum of the dice counts, the highest total wins.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from appliance.rules.game import (
    Ask,
    BadOptions,
    Choice,
    Choose,
    Corrected,
    Die,
    Event,
    Face,
    Goal,
    IllegalEvent,
    Keep,
    Options,
    OptionValue,
    Outcome,
    Points,
    Rolled,
    TableView,
    Throw,
    check_names,
)
from appliance.rules.notation.events import Verb, Words, quote
from appliance.rules.notation.positions import five, next_is, slots, slots_word

NAME = "high-dice"
TITLE = "HIGH DICE"
EDITION = "1"
MIN_PLAYERS = 1
MAX_PLAYERS = 6
OPTIONS: Mapping[str, tuple[OptionValue, ...]] = {"first": tuple(range(MAX_PLAYERS))}
"""Every game has `first` (or `dealer`): the seat that begins."""

ROUNDS, ROLLS, DICE = 3, 2, 5
_KEEPS = tuple(Keep(kept) for n in range(DICE) for kept in combinations(range(DICE), n))


@dataclass(frozen=True, slots=True)
class Bank(Choice):
    """The only choice of the game: the dice count."""

    @property
    def label(self) -> str:
        """For the board, ten capitals at most."""
        return "BANK"


@dataclass(frozen=True, slots=True)
class Row:
    """A round on a player's sheet."""

    label: str
    points: int | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the board shows of a player's points."""

    rows: tuple[Row, ...]
    total: int


@dataclass(frozen=True, slots=True)
class State:
    """`banked`: the points of each seat by round. `roll`: how many rolls lie behind this turn.

    `held`: what is kept for the throw that is due; None where a choice is due.
    """

    players: tuple[str, ...]
    first: int
    banked: tuple[tuple[int, ...], ...]
    roll: int = 0
    faces: tuple[int, ...] = ()
    held: tuple[int, ...] | None = ()

    @property
    def turns(self) -> int:
        """How many turns are over."""
        return sum(map(len, self.banked))

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return (self.first + self.turns) % len(self.players)


def start(players: Sequence[str], options: Options) -> State:
    """The first state; raises BadOptions."""
    check_names(players)
    first = options.get("first", 0)
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS or set(options) - set(OPTIONS):
        raise BadOptions(f"expected 1 to 6 players and no option but first, got {options}")
    if type(first) is not int or not 0 <= first < len(players):
        raise BadOptions(f"option first: expected a seat below {len(players)}, got {first!r}")
    return State(tuple(players), first, ((),) * len(players))


def ask(state: State) -> Ask | None:
    """A throw, a choice, or None at the end."""
    if state.turns == ROUNDS * len(state.players):
        return None
    if state.held is None:
        return Choose(state.seat, state.roll, ROLLS, "BANK")
    thrown = tuple(Die(slot) for slot in range(DICE) if slot not in state.held)
    return Throw(state.seat, thrown, state.roll + 1, ROLLS)


def choices(state: State) -> Sequence[Choice]:
    """To bank; before the last roll also what may be kept."""
    if not isinstance(ask(state), Choose):
        return ()
    return (Bank(), *(_KEEPS if state.roll < ROLLS else ()))


def preview(state: State, choice: Choice) -> Points | None:
    """What banking gives."""
    if choice not in choices(state):
        raise IllegalEvent(f"expected one of {choices(state)}, got {choice!r}")
    return Points(sum(state.faces)) if isinstance(choice, Bank) else None


def apply(state: State, event: Event) -> State:
    """The state after an event; raises IllegalEvent."""
    now = ask(state)
    match event:
        case Rolled(faces) if isinstance(now, Throw) and len(faces) == len(now.dice):
            lying = list(state.faces or (0,) * DICE)
            for die, face in zip(now.dice, faces, strict=True):
                lying[die.slot] = _checked(face)
            return replace(state, roll=state.roll + 1, faces=tuple(lying), held=None)
        case Corrected(slot, face) if state.held is None and 0 <= slot < DICE:
            right = (*state.faces[:slot], _checked(face), *state.faces[slot + 1 :])
            return replace(state, faces=right)
        case Keep(kept) if event in choices(state):
            return replace(state, held=kept)
        case Bank() if event in choices(state):
            banked = list(state.banked)
            banked[state.seat] += (sum(state.faces),)
            return State(state.players, state.first, tuple(banked))
    raise IllegalEvent(f"expected an answer to {now}, got {event!r}")


def _checked(face: Face) -> int:
    if type(face) is not int or not 1 <= face <= 6:
        raise IllegalEvent(f"expected a face from 1 to 6, got {face!r}")
    return face


def dice(state: State) -> tuple[Face | None, ...]:
    """What lies on the table."""
    kept = range(DICE) if state.held is None else state.held
    return tuple(state.faces[slot] if slot in kept else None for slot in range(DICE))


def held(state: State) -> tuple[int, ...]:
    """What is held for the throw that is due."""
    return state.held or ()


def sheet(state: State, seat: int) -> Sheet:
    """A player's rounds."""
    points = (*state.banked[seat], *(None,) * ROUNDS)[:ROUNDS]
    rows = tuple(Row(f"ROUND {n}", found) for n, found in enumerate(points, 1))
    return Sheet(rows, sum(state.banked[seat]))


def goals(state: State, seat: int) -> Sequence[Goal]:
    """There are no bonuses."""
    return ()


def table_view(state: State) -> TableView:
    """There is nothing on the table but dice."""
    return TableView()


def scores(state: State) -> tuple[int, ...]:
    """Points so far."""
    return tuple(map(sum, state.banked))


def outcome(state: State) -> Outcome | None:
    """Who has won; None until the game is over."""
    return None if ask(state) else Outcome.of_totals(scores(state))


# What follows makes games that can be written down, saved and replayed.


def turn(state: State) -> int:
    """The round."""
    return state.turns // len(state.players) + 1


def describe(state: State) -> Sequence[str]:
    """How it stands, for people."""
    return [f"{n}: {s}" for n, s in zip(state.players, scores(state), strict=True)]


def position_to_text(state: State) -> str:
    """The state in one line."""
    words = [f"first {state.first + 1}"]
    if state.roll:
        words.append(f"roll {state.roll} dice {''.join(map(str, state.faces))}")
        words += [f"hold {slots_word(state.held)}"] if state.held is not None else []
    for name, banked in zip(state.players, state.banked, strict=True):
        words.append(f"| {quote(name)} {' '.join(map(str, banked))}".rstrip())
    return " ".join(words)


def position_from_text(words: Words) -> State:
    """The state from its line; raises RecordError."""
    words.literal("first")
    first = words.number(1, MAX_PLAYERS, "a seat") - 1
    roll = 0
    faces: tuple[int, ...] = ()
    kept: tuple[int, ...] | None = ()
    if next_is(words, "roll"):
        roll = words.number(1, ROLLS, "a roll")
        words.literal("dice")
        faces = five(words)
        kept = slots(words, DICE) if next_is(words, "hold") else None
    players, banked = [], []
    while next_is(words, "|"):
        players.append(words.quoted("a name"))
        points: list[int] = []
        while words and words.peek() != "|":
            points.append(words.number(5, 30, "points"))
        banked.append(tuple(points))
    check_names(players)
    return State(tuple(players), first, tuple(banked), roll, faces, kept)


VERBS: tuple[Verb[Any], ...] = (Verb("bank", Bank, lambda _: "", lambda _: Bank()),)
