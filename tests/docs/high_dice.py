"""High Dice, the example of the developer's guide: a whole game in one file.

Five black dice and a red one, two rolls a turn, three rounds; the sum of the dice counts, the red
one once or, as an option, twice. The highest total wins.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.checks import (
    check_slot,
    corrected_number,
    numbered_faces,
    refusal,
    who_begins,
    with_item,
)
from games.dice import keeps_of
from games.game import Game
from games.notation.positions import (
    SEAT,
    Codec,
    Field,
    faces_word,
    hold_field,
    number,
    roll_field,
    several,
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
    Hint,
    IllegalEvent,
    Keep,
    Measure,
    Options,
    OptionWords,
    Points,
    Rolled,
    Throw,
)
from games.views import Row, Sheet
from games.wording import Wording

_DICE = (*(DieKind.BLACK,) * 5, DieKind.RED)
ROUNDS = 3
ROLLS = 2
_SLOTS = range(len(_DICE))
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


def _worth(state: State, faces: Sequence[float]) -> int:
    return int(sum(faces[:-1]) + state.red * faces[-1])


class HighDice(Game[State]):
    """High Dice: bank after one roll or two."""

    def start(self, players: Sequence[str], options: Options) -> State:
        """The first state; raises BadOptions."""
        self.check_start(players, options)
        first = who_begins(options, len(players)) or 0
        red = int(self.chosen(options)["red_counts"])
        return State(tuple(players), first, red, ((),) * len(players))

    def ask(self, state: State) -> Ask | None:
        """A throw, a choice, or None at the end."""
        if state.turns == ROUNDS * len(state.players):
            return None
        if state.held is None:
            return Choose(state.seat, state.roll, ROLLS, "bank")
        thrown = tuple(Die(slot, _DICE[slot]) for slot in _SLOTS if slot not in state.held)
        return Throw(state.seat, thrown, state.roll + 1, ROLLS)

    def choices(self, state: State) -> Sequence[Choice]:
        """To bank, and before the last roll also every way to keep dice."""
        if not isinstance(self.ask(state), Choose):
            return ()
        return (Bank(), *(self.keeps if state.roll < ROLLS else ()))

    def preview(self, state: State, choice: Choice) -> Points | None:
        """The points that banking would score."""
        if choice not in self.choices(state):
            raise self._refusal(state, choice)
        if not isinstance(choice, Bank):
            return None
        return Points(_worth(state, state.faces), "all-sixes" if set(state.faces) == {6} else "")

    def _refusal(self, state: State, event: Event) -> IllegalEvent:
        chosen = f"one of {self.choices(state)}"
        return refusal(state.players, self.ask(state), event, thrown="faces, thrown", chosen=chosen)

    def hint(self, state: State) -> Hint | None:
        """To keep every die above the mean; to bank after the last roll, or if all are above it."""
        if not isinstance(self.ask(state), Choose):
            return None
        high = tuple(slot for slot in _SLOTS if state.faces[slot] > _MEAN)
        if state.roll == ROLLS or len(high) == len(_DICE):
            return Hint(Bank(), _worth(state, state.faces), Measure.GAIN)
        mean = [float(state.faces[slot]) if slot in high else _MEAN for slot in _SLOTS]
        return Hint(Keep(high), sum(mean[:-1]) + state.red * mean[-1], Measure.GAIN)

    def apply(self, state: State, event: Event) -> State:
        """The state after an event; raises IllegalEvent."""
        now = self.ask(state)
        match event:
            case Rolled(faces) if isinstance(now, Throw) and (
                found := numbered_faces(faces, len(now.dice))
            ):
                lying = list(state.faces or (0,) * len(_DICE))
                for die, face in zip(now.dice, found, strict=True):
                    lying[die.slot] = face
                return replace(state, roll=state.roll + 1, faces=tuple(lying), held=None)
            case Corrected(slot) if state.held is None:
                check_slot(event, len(_DICE))
                return replace(state, faces=with_item(state.faces, slot, corrected_number(event)))
            case Keep(kept) if event in self.choices(state):
                return replace(state, held=kept)
            case Bank() if event in self.choices(state):
                mine = (*state.banked[state.seat], _worth(state, state.faces))
                banked = with_item(state.banked, state.seat, mine)
                return State(state.players, state.first, state.red, banked)
        raise self._refusal(state, event)

    def dice(self, state: State) -> tuple[Face | None, ...]:
        """The dice on the table."""
        kept = _SLOTS if state.held is None else state.held
        return tuple(state.faces[slot] if slot in kept else None for slot in _SLOTS)

    def sheet(self, state: State, seat: int) -> Sheet:
        """A player's rounds."""
        points = (*state.banked[seat], *(None,) * ROUNDS)[:ROUNDS]
        rows = tuple(Row(f"round {n}", found) for n, found in enumerate(points, 1))
        return Sheet(rows, sum(state.banked[seat]))

    def closing(self, state: State, seat: int) -> str:
        """The last round."""
        return "last-round" if len(state.banked[seat]) == ROUNDS - 1 else ""

    # What follows lets games be written down, saved and replayed.

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
    return State(players, **{"first": 0, "red": 1, "banked": banked, "held": due, **fields})


_POSITIONS = Codec(
    _make,
    table=(
        Field("first", SEAT),
        Field("red", number(1, 2, "how often the red die counts")),
        roll_field(ROLLS),
        Field("dice", faces_word(len(_DICE), "six faces such as 665514"), "faces", absent=()),
        hold_field(len(_DICE), lambda state: state.roll and state.held is not None),
    ),
    seat=(Field("", several(number(6, 42, "points")), "banked", absent=()),),
)
"""`first 2 red 1 roll 1 dice 665514 hold 12 | "Ann" 20 | "Bob" 31 26`"""

GAME = HighDice(
    name="high-dice",
    edition="1",
    title="High Dice",
    options={"first": tuple(range(MAX_SEATS)), "red_counts": (1, 2)},
    option_words={
        "first": WHO_BEGINS,
        "red_counts": OptionWords("red-counts", {1: "once", 2: "twice"}),
    },
    dice_kinds=_DICE,
    rarest=("all-sixes",),
    verbs=(plain_verb("bank", Bank),),
    example="1 2 3 4 5 6: five black dice, then the red one",
    keeps=keeps_of(len(_DICE)),
    position_codec=_POSITIONS,
    wording={
        "en": Wording(
            telling=(
                ("FIVE BLACK DICE", "AND A RED ONE"),
                ("TWO ROLLS:", "HOLD HIGH DICE"),
                ("THREE ROUNDS", "ADD THEM ALL UP"),
            ),
            pitch="two rolls, and all dice count",
            played="five dice and a red one, one to six players, three rounds",
        ),
        "de": Wording(
            {
                "high-dice": "HOHE WÜRFEL",
                "red-counts": "ROT ZÄHLT",
                "twice": "DOPPELT",
                "round": "RUNDE",
                "all-sixes": "NUR SECHSER",
            },
            telling=(
                ("FÜNF SCHWARZE,", "EIN ROTER"),
                ("ZWEI WÜRFE:", "HALTE HOHE"),
                ("DREI RUNDEN,", "ALLES ZÄHLT"),
            ),
        ),
    },
)
