"""Ten Thousand (Zehntausend): six dice, set aside while luck lasts; nothing counts below 350.

A game as somebody else's package brings it. All six dice are thrown; after each throw one or more
of those that score must be set aside, and the rest may be thrown again. Who throws nothing that
scores loses the points of the turn. When all six have scored, all are thrown again if the player
goes on. Only a turn of some points may be written down, and the first one needs more. Families
differ on these two, on the target, on what more than three alike bring, on straights and pairs.
Once somebody has the target, each of the others has one more turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

from games.checks import (
    check_slot,
    corrected_number,
    numbered_faces,
    refusal,
    who_begins,
    with_item,
)
from games.dice import face_counts, keeps_of
from games.game import Game
from games.notation.positions import (
    SEAT,
    Codec,
    Field,
    Form,
    Parts,
    faces_word,
    hold_field,
    number,
    one_of,
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
from games.wording import Wording

DICE = 6
SLOTS = range(DICE)
SINGLES = {1: 100, 5: 50}
STRAIGHT = (1, 2, 3, 4, 5, 6)
DOUBLING, ADDING = "double", "add"


@dataclass(frozen=True, slots=True)
class House:
    """What a family has agreed on.

    Attributes:
        target: the points that end the game.
        entry: the points of the first turn that is written down.
        least: the points of every other turn that is.
        more: what each die beyond three alike brings: it doubles their points, or adds them again.
        straight: the points of 1 2 3 4 5 6.
        pairs: the points of three pairs; 0 where they are none.
    """

    target: int = 10000
    entry: int = 500
    least: int = 350
    more: str = DOUBLING
    straight: int = 2000
    pairs: int = 1000


@cache
def score(faces: tuple[int, ...], house: House) -> int:
    """The points of dice in ascending order; 0 unless each of them scores."""
    counts = face_counts(faces)
    whole = 0
    if faces == STRAIGHT:
        whole = house.straight
    elif len(faces) == DICE and all(count % 2 == 0 for count in counts):
        whole = house.pairs
    each = 0
    for face, count in enumerate(counts, 1):
        if count >= 3:
            three = 1000 if face == 1 else 100 * face
            each += three << count - 3 if house.more == DOUBLING else three * (count - 2)
        elif count and face not in SINGLES:
            return whole
        else:
            each += count * SINGLES.get(face, 0)
    return max(whole, each)


@cache
def best_score(faces: tuple[int, ...], house: House) -> int:
    """The most that some of the dice score, in ascending order."""
    parts = (part for n in SLOTS for part in combinations(faces, n + 1))
    return max((score(part, house) for part in parts), default=0)


@dataclass(frozen=True, slots=True)
class Bank(Choice):
    """All dice that score are set aside, and the points of the turn are written down."""


@dataclass(frozen=True, slots=True)
class State:
    """A game between two events.

    Attributes:
        players: the names by seat.
        first: who began.
        house: what was agreed on.
        banked: the points of each seat by turn.
        roll: how many throws the turn has had.
        pot: the points set aside in this turn.
        faces: what the dice show.
        aside: the slots set aside since all six were thrown.
        held: what is kept for the throw that is due; None when a choice is due.
    """

    players: tuple[str, ...]
    first: int
    house: House
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
    def ahead(self) -> bool:
        """Whether somebody has reached the target."""
        return any(sum(turns) >= self.house.target for turns in self.banked)

    @property
    def is_over(self) -> bool:
        """Whether the seat to play has reached the target: all others have had their turns."""
        return not self.roll and sum(self.banked[self.seat]) >= self.house.target

    @property
    def thrown(self) -> tuple[int, ...]:
        """The slots of the last throw."""
        return tuple(slot for slot in SLOTS if slot not in self.aside)

    @property
    def points(self) -> int:
        """What the turn brings if it ends now."""
        return self.pot + best_score(_of(self.faces, self.thrown), self.house)

    @property
    def needs(self) -> int:
        """The points that the turn must have to be written down."""
        return self.house.least if any(self.banked[self.seat]) else self.house.entry


def _of(faces: Sequence[int], slots: Sequence[int]) -> tuple[int, ...]:
    """The faces in these slots, ascending."""
    return tuple(sorted([faces[slot] for slot in slots]))


@lru_cache(maxsize=4096)
def _keeps(faces: tuple[int, ...], aside: tuple[int, ...], house: House) -> tuple[Keep, ...]:
    """What may be kept: to throw all six again first, if all have scored."""
    thrown = tuple(slot for slot in SLOTS if slot not in aside)
    parts = (part for n in range(1, len(thrown)) for part in combinations(thrown, n))
    some = [
        Keep(tuple(sorted((*aside, *part)))) for part in parts if score(_of(faces, part), house)
    ]
    return (*((Keep(()),) if score(_of(faces, thrown), house) else ()), *some)


class TenThousand(Game[State]):
    """Ten Thousand: bank, or push your luck."""

    def start(self, players: Sequence[str], options: Options) -> State:
        """The first state; raises BadOptions."""
        self.check_start(players, options)
        agreed = {name: value for name, value in options.items() if name != "first"}
        house = House(**agreed)  # type: ignore[arg-type]
        first = who_begins(options, len(players)) or 0
        return State(tuple(players), first, house, ((),) * len(players))

    def ask(self, state: State) -> Ask | None:
        """A throw, a choice, or None at the end."""
        if state.is_over:
            return None
        if state.held is None:
            return Choose(state.seat, state.roll, 0, "bank")
        dice = tuple(Die(slot) for slot in SLOTS if slot not in state.held)
        return Throw(state.seat, dice, state.roll + 1, 0)

    def choices(self, state: State) -> Sequence[Choice]:
        """To bank if the points suffice, and what to set aside; to pass where nothing scores."""
        if not isinstance(self.ask(state), Choose):
            return ()
        keeps = _keeps(state.faces, state.aside, state.house)
        if not keeps:
            return (Pass(),)
        return (*((Bank(),) if state.points >= state.needs else ()), *keeps)

    def preview(self, state: State, choice: Choice) -> Points | None:
        """The points that banking would bring, and why so many."""
        if choice not in self.choices(state):
            raise self._refusal(state, choice)
        if isinstance(choice, Pass):
            return Points(0)
        if not isinstance(choice, Bank):
            return None
        all_six = len(state.thrown) == DICE
        straight = all_six and tuple(sorted(state.faces)) == STRAIGHT
        return Points(state.points, "straight" if straight else "")

    def asks_again(self, state: State, choice: Choice) -> bool:
        """Nothing: to pass is the only choice where there is one."""
        return False

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
                lying = list(state.faces or (0,) * DICE)
                for die, face in zip(now.dice, found, strict=True):
                    lying[die.slot] = face
                return replace(state, roll=state.roll + 1, faces=tuple(lying), held=None)
            case Corrected(slot) if state.held is None and slot in state.thrown:
                check_slot(event, DICE)
                return replace(state, faces=with_item(state.faces, slot, corrected_number(event)))
            case Keep(kept) if event in self.choices(state):
                new = state.thrown if not kept else set(kept) - set(state.aside)
                pot = state.pot + score(_of(state.faces, tuple(new)), state.house)
                return replace(state, pot=pot, aside=kept, held=kept)
            case Bank() | Pass() if event in self.choices(state):
                won = state.points if isinstance(event, Bank) else 0
                banked = with_item(state.banked, state.seat, (*state.banked[state.seat], won))
                return State(state.players, state.first, state.house, banked)
        raise self._refusal(state, event)

    def dice(self, state: State) -> tuple[Face | None, ...]:
        """The dice on the table."""
        kept = SLOTS if state.held is None else state.held
        return tuple(state.faces[slot] if slot in kept else None for slot in SLOTS)

    def sheet(self, state: State, seat: int) -> Sheet:
        """What a player has written down and needs, what is aside, and how many turns were lost."""
        turns = state.banked[seat]
        total, pot = sum(turns), state.pot if seat == state.seat else 0
        needs = state.house.least if total else state.house.entry
        rows = (
            ("written", total),
            ("aside", pot),
            ("needs", needs),
            ("lost-turns", turns.count(0)),
        )
        return Sheet(tuple(Row(key, number) for key, number in rows), total)

    def closing(self, state: State, seat: int) -> str:
        """The last round, once somebody has the target."""
        return "last-round" if state.ahead else ""

    def turn(self, state: State) -> int:
        """The round."""
        return state.turns // len(state.players) + 1

    def describe(self, state: State) -> Sequence[str]:
        """How it stands, for people."""
        totals = zip(state.players, self.scores(state), strict=True)
        return [*(f"{name}: {total}" for name, total in totals), f"in this turn: {state.pot}"]


_AGREED = House()


def _make(*, players: tuple[str, ...], **fields: Any) -> State:
    """A position: by default nobody has banked, and after a roll a choice is due."""
    agreed = {name: fields.pop(name) for name in _OPTIONS if name in fields}
    due = None if fields.get("roll") else ()
    banked: tuple[tuple[int, ...], ...] = ((),) * len(players)
    usual = {"first": 0, "house": House(**agreed), "banked": banked, "held": due}
    return State(players, **{**usual, **fields})


def _parts(state: State) -> Parts:
    turns = [
        len(state.banked[(state.first + n) % len(state.players)]) for n in range(len(state.players))
    ]
    good = turns == sorted(turns, reverse=True) and turns[0] - turns[-1] <= 1
    yield good, "turns played one after the other", turns
    yield (
        bool(state.faces) == bool(state.roll),
        "dice with a roll, and none without one",
        state.faces,
    )
    good = state.held is None or (state.held == state.aside and bool(state.roll or not state.pot))
    yield good, "that what is aside is held for the throw that is due", state.held
    yield bool(state.roll) or not state.aside, "nothing aside before the first roll", state.aside


_OPTIONS = {
    "target": (10000, 5000, 2000),
    "entry": (500, 1000, 350, 0),
    "least": (350, 500, 300, 0),
    "more": (DOUBLING, ADDING),
    "straight": (2000, 1500, 1000),
    "pairs": (1000, 1500, 500, 0),
}
_POINTS = number(0, 10**6, "points")


def _agreed(name: str) -> Field:
    values = _OPTIONS[name]
    form = one_of({str(value): value for value in values}, f"the points of {name}")
    return Field(name, form, absent=values[0], get=lambda state: getattr(state.house, name))


_POSITIONS = Codec(
    _make,
    table=(
        Field("first", SEAT),
        *map(_agreed, _OPTIONS),
        Field("pot", _POINTS, absent=0),
        roll_field(10**6),
        Field("dice", faces_word(DICE, "six faces such as 111233"), "faces", absent=()),
        Field("aside", Form(slots_word, lambda words: read_slots(words, DICE)), absent=()),
        hold_field(DICE, lambda state: state.roll and state.held is not None),
    ),
    seat=(Field("", several(_POINTS), "banked", absent=()),),
    parts=_parts,
)
"""`first 1 target 2000 pot 300 roll 1 dice 111233 aside 123 | "Ann" 500 | "Bob"`"""

_NONE = {0: "none"}
GAME = TenThousand(
    name="ten-thousand",
    edition="1",
    title="Ten Thousand",
    options={"first": tuple(range(MAX_SEATS)), **_OPTIONS},
    option_words={
        "first": WHO_BEGINS,
        "target": OptionWords("target"),
        "entry": OptionWords("first-turn", _NONE),
        "least": OptionWords("each-turn", _NONE, asked=False),
        "more": OptionWords("more-alike", {DOUBLING: "doubles", ADDING: "adds"}, asked=False),
        "straight": OptionWords("straight", asked=False),
        "pairs": OptionWords("three-pairs", _NONE, asked=False),
    },
    dice_kinds=(DieKind.BLACK,) * DICE,
    rarest=("straight",),
    verbs=(plain_verb("bank", Bank), plain_verb("pass", Pass)),
    example="1 1 1 5 2 3: six dice",
    keeps=keeps_of(DICE),
    position_codec=_POSITIONS,
    wording={
        "en": Wording(
            {"bank": "WRITE DOWN", "pass": "NOTHING"},
            telling=(
                ("THROW SIX DICE", "HOLD WHAT SCORES"),
                ("1 IS 100, 5 IS 50", "THREE ALIKE MORE"),
                ("THROW THE REST", "OR WRITE DOWN"),
                ("NOTHING SCORES?", "THE TURN IS LOST"),
                ("ALL SIX SCORE?", "THROW ALL AGAIN"),
            ),
            pitch="set aside what scores, and stop in time",
            played="six dice, one to six players",
        ),
        "de": Wording(
            {
                "ten-thousand": "ZEHNTAUSEND",
                "target": "ZIEL",
                "first-turn": "EINSTIEG",
                "each-turn": "JEDER ZUG AB",
                "more-alike": "VIER GLEICHE",
                "doubles": "VERDOPPELN",
                "adds": "ADDIEREN",
                "three-pairs": "DREI PAARE",
                "none": "NICHTS",
                "written": "NOTIERT",
                "aside": "BEISEITE",
                "needs": "BRAUCHT",
                "lost-turns": "VERLOREN",
            },
            telling=(
                ("SECHS WÜRFEL:", "HALTE, WAS ZÄHLT"),
                ("1: 100, 5: 50", "DREI GLEICHE MEHR"),
                ("WIRF DEN REST", "ODER SICHERE"),
                ("NICHTS ZÄHLT?", "ZUG VERLOREN"),
                ("ALLE SECHS?", "ALLE NOCH MAL"),
            ),
        ),
    },
)
