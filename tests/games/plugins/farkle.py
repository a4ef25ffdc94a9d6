"""Farkle: six dice, of which those that score are set aside while luck lasts.

A game as somebody else's package brings it. In a turn all six dice are thrown. After each throw one
or more of those that score must be set aside, and the rest may be thrown again; who throws nothing
that scores loses the points of the turn. When all six dice have scored, all may be thrown again.
Whoever first has the target banked gives each of the others one more turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

from games.checks import corrected_number, numbered_faces, refusal, who_begins
from games.dice import face_counts, keeps_of
from games.game import Game
from games.notation.positions import (
    SEAT,
    Codec,
    Field,
    Form,
    faces_word,
    hold_field,
    number,
    read_slots,
    roll_field,
    several,
    slots_word,
)
from games.notation.verbs import plain_verb
from games.notation.words import MAX_SEATS
from games.values import (
    WHO_BEGINS,
    Ask,
    Choice,
    Choose,
    Corrected,
    Die,
    DieKind,
    Event,
    Face,
    IllegalEvent,
    Keep,
    Options,
    OptionWords,
    Pass,
    Points,
    Rolled,
    Throw,
)
from games.views import Row, Sheet

_SLOTS = range(6)
_SINGLES = {1: 100, 5: 50}


@cache
def score(faces: tuple[int, ...]) -> int:
    """The points of dice in ascending order; 0 unless each of them scores."""
    counts = face_counts(faces)
    if counts == (1,) * 6 or sorted(counts)[3:] == [2, 2, 2]:
        return 1500
    total = 0
    for face, count in enumerate(counts, 1):
        if count >= 3:
            total += (1000 if face == 1 else 100 * face) << count - 3
        elif count and face not in _SINGLES:
            return 0
        else:
            total += count * _SINGLES.get(face, 0)
    return total


@cache
def best_score(faces: tuple[int, ...]) -> int:
    """The most that some of the dice score, in ascending order."""
    parts = (part for n in _SLOTS for part in combinations(faces, n + 1))
    return max(map(score, parts), default=0)


@dataclass(frozen=True, slots=True)
class Bank(Choice):
    """All dice that score are set aside, and the points of the turn count."""


def _of(faces: Sequence[int], slots: Sequence[int]) -> tuple[int, ...]:
    """The faces in these slots, ascending."""
    return tuple(sorted([faces[slot] for slot in slots]))


@lru_cache(maxsize=4096)
def _choices(faces: tuple[int, ...], aside: tuple[int, ...]) -> tuple[Choice, ...]:
    thrown = tuple(slot for slot in _SLOTS if slot not in aside)
    if not best_score(_of(faces, thrown)):
        return (Pass(),)
    parts = (part for n in range(1, len(thrown)) for part in combinations(thrown, n))
    keeps = [Keep(tuple(sorted((*aside, *part)))) for part in parts if score(_of(faces, part))]
    # With all six aside all are thrown again.
    return (Bank(), *([Keep(())] if score(_of(faces, thrown)) else ()), *keeps)


@dataclass(frozen=True, slots=True)
class State:
    """`banked`: the points of each seat by turn. `pot`: the points set aside in this turn.

    `aside`: the slots set aside since all six were thrown. `held`: what is kept for the throw that
    is due; None when a choice is due.
    """

    players: tuple[str, ...]
    first: int
    target: int
    banked: tuple[tuple[int, ...], ...]
    roll: int = 0
    pot: int = 0
    faces: tuple[int, ...] = ()
    aside: tuple[int, ...] = ()
    held: tuple[int, ...] | None = ()

    @property
    def turns(self) -> int:
        """How many turns are over."""
        return sum(map(len, self.banked))

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return (self.first + self.turns) % len(self.players)

    @property
    def is_over(self) -> bool:
        """True once everybody has had a turn after the first who reached the target."""
        reached = [seat for seat, all_ in enumerate(self.banked) if sum(all_) >= self.target]
        if not reached or self.roll:
            return False
        # The seat to play has reached it: the others have had their turns.
        return self.seat in reached

    @property
    def thrown(self) -> tuple[int, ...]:
        """The slots of the last throw."""
        return tuple(slot for slot in _SLOTS if slot not in self.aside)

    @property
    def best(self) -> int:
        """The most that the last throw scores."""
        return best_score(_of(self.faces, self.thrown))


class Farkle(Game[State]):
    """Farkle: bank, or push your luck."""

    def start(self, players: Sequence[str], options: Options) -> State:
        """The first state; raises BadOptions."""
        self.check_start(players, options)
        target = options.get("target", self.options["target"][0])
        first = who_begins(options, len(players)) or 0
        return State(tuple(players), first, int(target), ((),) * len(players))

    def ask(self, state: State) -> Ask | None:
        """A throw, a choice, or None at the end."""
        if state.is_over:
            return None
        if state.held is None:
            return Choose(state.seat, state.roll, state.roll, "bank")
        dice = tuple(Die(slot) for slot in _SLOTS if slot not in state.held)
        return Throw(state.seat, dice, state.roll + 1, state.roll + 1)

    def choices(self, state: State) -> Sequence[Choice]:
        """To bank, or what to set aside; to pass where nothing scores."""
        if not isinstance(self.ask(state), Choose):
            return ()
        return _choices(state.faces, state.aside)

    def preview(self, state: State, choice: Choice) -> Points | None:
        """The points that banking would score."""
        if choice not in self.choices(state):
            raise self._refusal(state, choice)
        if isinstance(choice, Bank):
            return Points(state.pot + state.best)
        return Points(0) if isinstance(choice, Pass) else None

    def _refusal(self, state: State, event: Event) -> IllegalEvent:
        chosen = f"one of {[choice.key for choice in self.choices(state)]}"
        return refusal(state.players, self.ask(state), event, thrown="faces, thrown", chosen=chosen)

    def apply(self, state: State, event: Event) -> State:
        """The state after an event; raises IllegalEvent."""
        now = self.ask(state)
        match event:
            case Rolled(faces) if isinstance(now, Throw) and (
                found := numbered_faces(faces, len(now.dice))
            ):
                lying = list(state.faces or (0,) * 6)
                for die, face in zip(now.dice, found, strict=True):
                    lying[die.slot] = face
                return replace(state, roll=state.roll + 1, faces=tuple(lying), held=None)
            case Corrected(slot) if state.held is None and slot in state.thrown:
                lying = list(state.faces)
                lying[slot] = corrected_number(event)
                return replace(state, faces=tuple(lying))
            case Keep(kept) if event in self.choices(state):
                new = state.thrown if not kept else set(kept) - set(state.aside)
                pot = state.pot + score(_of(state.faces, tuple(new)))
                return replace(state, pot=pot, aside=kept, held=kept)
            case Bank() | Pass() if event in self.choices(state):
                won = state.pot + state.best if isinstance(event, Bank) else 0
                mine = (*state.banked[state.seat], won)
                banked = (*state.banked[: state.seat], mine, *state.banked[state.seat + 1 :])
                return State(state.players, state.first, state.target, banked)
        raise self._refusal(state, event)

    def dice(self, state: State) -> tuple[Face | None, ...]:
        """The dice on the table."""
        kept = _SLOTS if state.held is None else state.held
        return tuple(state.faces[slot] if slot in kept else None for slot in _SLOTS)

    def sheet(self, state: State, seat: int) -> Sheet:
        """What a player has banked, and what is aside now."""
        pot = state.pot if seat == state.seat else 0
        total = sum(state.banked[seat])
        return Sheet((Row("banked", total), Row("aside", pot)), total)

    def turn(self, state: State) -> int:
        """The round."""
        return state.turns // len(state.players) + 1

    def describe(self, state: State) -> Sequence[str]:
        """How it stands, for people."""
        return [f"{n}: {s}" for n, s in zip(state.players, self.scores(state), strict=True)]


def _make(*, players: tuple[str, ...], **fields: Any) -> State:
    """A position: by default nobody has banked, and after a roll a choice is due."""
    due = None if fields.get("roll") else ()
    banked: tuple[tuple[int, ...], ...] = ((),) * len(players)
    return State(players, **{"first": 0, "target": 10000, "banked": banked, "held": due, **fields})


_POINTS = number(0, 10**6, "points")
_POSITIONS = Codec(
    _make,
    table=(
        Field("first", SEAT),
        Field("target", number(1, 10**6, "the target")),
        Field("pot", _POINTS, absent=0),
        roll_field(10**6),
        Field("dice", faces_word(len(_SLOTS), "six faces such as 111233"), "faces", absent=()),
        Field("aside", Form(slots_word, lambda words: read_slots(words, len(_SLOTS))), absent=()),
        hold_field(len(_SLOTS), lambda state: state.roll and state.held is not None),
    ),
    seat=(Field("", several(_POINTS), "banked", absent=()),),
)
"""`first 1 target 2000 pot 300 roll 1 dice 111233 aside 123 | "Ann" 500 | "Bob"`"""

GAME = Farkle(
    name="farkle",
    edition="1",
    options={"first": tuple(range(MAX_SEATS)), "target": (10000, 5000, 2000)},
    option_words={"first": WHO_BEGINS, "target": OptionWords("target")},
    dice_kinds=(DieKind.BLACK,) * 6,
    verbs=(plain_verb("bank", Bank), plain_verb("pass", Pass)),
    example="1 1 1 5 2 3: six dice",
    keeps=keeps_of(6),
    position_codec=_POSITIONS,
)
