"""High Dice, the example of the developer's guide: a whole game in one file.

Five black dice and a red one, two rolls a turn, three rounds; the sum of the dice counts, the red
one once or, as an option, twice. The highest total wins.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.checks import (
    check_names,
    check_slot,
    check_start,
    corrected_number,
    numbered_faces,
    refusal,
    who_begins,
    with_item,
)
from games.defaults import DICE_KEYS as DICE_KEYS
from games.defaults import LATECOMERS as LATECOMERS
from games.defaults import first_throws as first_throws
from games.defaults import goals as goals
from games.defaults import kinds as kinds
from games.defaults import name_hand as name_hand
from games.defaults import table_view as table_view
from games.defaults import unseen as unseen
from games.dice import keeps_of
from games.game import (
    WHO_BEGINS,
    Ask,
    BadOptions,
    Choice,
    Choose,
    Corrected,
    Die,
    DieKind,
    Event,
    Face,
    Hint,
    IllegalEvent,
    Keep,
    Measure,
    Options,
    OptionValue,
    OptionWords,
    Outcome,
    Points,
    Rolled,
    Throw,
)
from games.notation.events import Verb, Words, plain_verb, quote
from games.notation.positions import read_five, read_slots, slots_word, take_if_next
from games.views import Row, Sheet

NAME = "high-dice"
EDITION = "1"
MIN_PLAYERS = 1
MAX_PLAYERS = 6
OPTIONS: Mapping[str, tuple[OptionValue, ...]] = {
    "first": tuple(range(MAX_PLAYERS)),
    "red_counts": (1, 2),
}
OPTION_WORDS: Mapping[str, OptionWords] = {
    "first": WHO_BEGINS,
    "red_counts": OptionWords("red-counts", {1: "once", 2: "twice"}),
}
RAREST: tuple[str, ...] = ("all-sixes",)
EXAMPLE = "1 2 3 4 5 6: five black dice, then the red one"
DICE: tuple[DieKind, ...] = (*(DieKind.BLACK,) * 5, DieKind.RED)
KEEPS: tuple[Keep, ...] = keeps_of(len(DICE))

ROUNDS = 3
ROLLS = 2
_SLOTS = range(len(DICE))
_MEAN = 3.5


@dataclass(frozen=True, slots=True)
class Bank(Choice):
    """The game's only choice of its own: the dice count. On the board it is called BANK."""


@dataclass(frozen=True, slots=True)
class State:
    """`banked`: the points of each seat by round. `roll`: how many rolls this turn has had.

    `red`: how often the red die counts. `held`: what is kept for the throw that is due; None when
    a choice is due.
    """

    players: tuple[str, ...]
    first: int
    red: int
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
    check_start("High Dice", players, range(MIN_PLAYERS, MAX_PLAYERS + 1), options, OPTIONS)
    first = who_begins(options, len(players)) or 0
    red = options.get("red_counts", 1)
    if type(red) is not int or red not in OPTIONS["red_counts"]:
        raise BadOptions(f"option red_counts: expected 1 or 2, got {red!r}")
    return State(tuple(players), first, red, ((),) * len(players))


def ask(state: State) -> Ask | None:
    """A throw, a choice, or None at the end."""
    if state.turns == ROUNDS * len(state.players):
        return None
    if state.held is None:
        return Choose(state.seat, state.roll, ROLLS, "bank")
    thrown = tuple(Die(slot, DICE[slot]) for slot in _SLOTS if slot not in state.held)
    return Throw(state.seat, thrown, state.roll + 1, ROLLS)


def choices(state: State) -> Sequence[Choice]:
    """To bank, and before the last roll also every way to keep dice."""
    if not isinstance(ask(state), Choose):
        return ()
    return (Bank(), *(KEEPS if state.roll < ROLLS else ()))


def preview(state: State, choice: Choice) -> Points | None:
    """The points that banking would score."""
    if choice not in choices(state):
        raise _refusal(state, choice)
    if not isinstance(choice, Bank):
        return None
    return Points(_worth(state, state.faces), "all-sixes" if set(state.faces) == {6} else "")


def _refusal(state: State, event: Event) -> IllegalEvent:
    chosen = f"one of {choices(state)}"
    return refusal(state.players, ask(state), event, thrown="faces, thrown", chosen=chosen)


def _worth(state: State, faces: Sequence[float]) -> int:
    return int(sum(faces[:-1]) + state.red * faces[-1])


def hint(state: State) -> Hint | None:
    """To keep every die above the mean; to bank when no roll is left or all dice are above it."""
    if not isinstance(ask(state), Choose):
        return None
    high = tuple(slot for slot in _SLOTS if state.faces[slot] > _MEAN)
    if state.roll == ROLLS or len(high) == len(DICE):
        return Hint(Bank(), _worth(state, state.faces), Measure.GAIN)
    mean = [float(state.faces[slot]) if slot in high else _MEAN for slot in _SLOTS]
    return Hint(Keep(high), sum(mean[:-1]) + state.red * mean[-1], Measure.GAIN)


def apply(state: State, event: Event) -> State:
    """The state after an event; raises IllegalEvent."""
    now = ask(state)
    match event:
        case Rolled(faces) if isinstance(now, Throw) and (
            found := numbered_faces(faces, len(now.dice))
        ):
            lying = list(state.faces or (0,) * len(DICE))
            for die, face in zip(now.dice, found, strict=True):
                lying[die.slot] = face
            return replace(state, roll=state.roll + 1, faces=tuple(lying), held=None)
        case Corrected(slot) if state.held is None:
            check_slot(event, len(DICE))
            return replace(state, faces=with_item(state.faces, slot, corrected_number(event)))
        case Keep(kept) if event in choices(state):
            return replace(state, held=kept)
        case Bank() if event in choices(state):
            mine = (*state.banked[state.seat], _worth(state, state.faces))
            banked = with_item(state.banked, state.seat, mine)
            return State(state.players, state.first, state.red, banked)
    raise _refusal(state, event)


def dice(state: State) -> tuple[Face | None, ...]:
    """The dice on the table."""
    kept = _SLOTS if state.held is None else state.held
    return tuple(state.faces[slot] if slot in kept else None for slot in _SLOTS)


def held(state: State) -> tuple[int, ...]:
    """The slots held for the throw that is due."""
    return state.held or ()


def sheet(state: State, seat: int) -> Sheet:
    """A player's rounds."""
    points = (*state.banked[seat], *(None,) * ROUNDS)[:ROUNDS]
    rows = tuple(Row(f"round {n}", found) for n, found in enumerate(points, 1))
    return Sheet(rows, sum(state.banked[seat]))


def scores(state: State) -> tuple[int, ...]:
    """Points so far."""
    return tuple(map(sum, state.banked))


def outcome(state: State) -> Outcome | None:
    """Who has won; None until the game is over."""
    return None if ask(state) else Outcome.of_totals(scores(state))


# What follows lets games be written down, saved and replayed.


def turn(state: State) -> int:
    """The round."""
    return state.turns // len(state.players) + 1


def describe(state: State) -> Sequence[str]:
    """How it stands, for people."""
    return [f"{n}: {s}" for n, s in zip(state.players, scores(state), strict=True)]


def position_to_text(state: State) -> str:
    """The state in one line."""
    words = [f"first {state.first + 1} red {state.red}"]
    if state.roll:
        *black, red = state.faces
        words.append(f"roll {state.roll} dice {''.join(map(str, black))} {red}")
        words += [f"hold {slots_word(state.held)}"] if state.held is not None else []
    for name, banked in zip(state.players, state.banked, strict=True):
        words.append(f"| {quote(name)} {' '.join(map(str, banked))}".rstrip())
    return " ".join(words)


def position_from_text(words: Words) -> State:
    """The state from its line; raises RecordError."""
    words.literal("first")
    first = words.number(1, MAX_PLAYERS, "a seat") - 1
    words.literal("red")
    counts = words.number(1, 2, "how often the red die counts")
    roll = 0
    faces: tuple[int, ...] = ()
    kept: tuple[int, ...] | None = ()
    if take_if_next(words, "roll"):
        roll = words.number(1, ROLLS, "a roll")
        words.literal("dice")
        faces = (*read_five(words), words.number(1, 6, "a face"))
        kept = read_slots(words, len(DICE)) if take_if_next(words, "hold") else None
    players, banked = [], []
    while take_if_next(words, "|"):
        players.append(words.quoted("a name"))
        points: list[int] = []
        while words and words.peek() != "|":
            points.append(words.number(6, 42, "points"))
        banked.append(tuple(points))
    check_names(players)
    return State(tuple(players), first, counts, tuple(banked), roll, faces, kept)


VERBS: tuple[Verb[Any], ...] = (plain_verb("bank", Bank),)
