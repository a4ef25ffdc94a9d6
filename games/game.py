"""A game: one value of a class that says what games have, and what most of them share.

A game is a subclass of `Game` with its functions over a frozen state of its own, and one value of
it, by custom `GAME`, with its name and tables:

    class HighDice(Game[State]):
        def start(self, players: Sequence[str], options: Options) -> State:
            ...

    GAME = HighDice(name="high-dice", edition="1", dice_kinds=(DieKind.BLACK,) * 5)

The registry finds it by name. What goes in and comes out is in `games.values`, what can be seen of
a game in `games.views`. A game with a sheet of boxes is a `BoxGame` and has nearly all of it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from games.checks import check_option, check_start
from games.notation.positions import Codec, check_players
from games.notation.verbs import NamedHand, Verb
from games.notation.words import Words
from games.values import (
    Ask,
    Choice,
    DieKind,
    Event,
    Face,
    Hint,
    Keep,
    OptionFile,
    Options,
    OptionValue,
    OptionWords,
    Outcome,
    Points,
    ShownDie,
)
from games.views import BetsView, Goal, SheetView, TableView
from games.wording import ENGLISH, Wording, check_wording


class Played(Protocol):
    """The state of a game, whatever else it has."""

    @property
    def players(self) -> Sequence[str]:
        """The names by seat."""


State = TypeVar("State", bound=Played)


@dataclass(frozen=True, eq=False, kw_only=True)
class Game(ABC, Generic[State]):
    """A game: what it is called and played with, and its rules.

    Attributes:
        name: in records, settings and on the command line: small letters and dashes.
        edition: the edition of its rules, which records name.
        title: how people write it, for errors; by default the name with a capital letter.
        min_players: the fewest players.
        max_players: the most players, not above 6.
        options: the values of each option, the default first. One that has a single value or
            names a seat is not offered as a house rule.
        option_words: the keys of each option.
        dice_kinds: the dice that are needed at the table, by slot; where dice are drawn blind, all
            those in the bag.
        dice_keys: what the dice are called, in the order of their slots: a key, and how many dice
            it is for. A die that is the only one of its kind is called by its kind.
        latecomers: whether players may join in the first round, and play last in it; the game then
            has an option `first`, and the state an attribute of that name.
        rarest: the keys of the rarest things that score, in choices or reasons.
        verbs: how its own events are written.
        example: dice as people write them to have them scored, and how they are interpreted.
        keeps: every way to keep dice for another throw, fewest first; none where nobody may.
        position_codec: how its positions are made, checked, written and read.
        deck: the file with the owner's own cards, in a game that can be played with them.
        shared_rows: whether rows of a sheet that differ in a number only, or in having one, are
            slots of a kind, which share a row on paper.
        wording: what people read of it, by the code of the language; English where one is missing.
        solver: where the class of its solver is, a subclass of `games.strategy.solver.Solver`,
            such as `games.strategy.power:PowerSolver`; it is imported with the first hint. None for
            a game that the solver of all games plays, which looks one throw ahead.
    """

    name: str
    edition: str
    title: str = ""
    min_players: int = 1
    max_players: int = 6
    options: Mapping[str, tuple[OptionValue, ...]] = field(default_factory=dict)
    option_words: Mapping[str, OptionWords] = field(default_factory=dict)
    dice_kinds: tuple[DieKind, ...]
    dice_keys: tuple[tuple[str, int], ...] = (("die", 6),)
    latecomers: bool = False
    rarest: tuple[str, ...] = ()
    verbs: tuple[Verb[Any], ...] = ()
    example: str
    keeps: tuple[Keep, ...] = ()
    position_codec: Codec[State]
    deck: OptionFile | None = None
    shared_rows: bool = False
    wording: Mapping[str, Wording] = field(default_factory=dict)
    solver: str = ""

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", self.name.capitalize())
        check_wording(self.wording)

    def check_start(self, players: Sequence[str], options: Options) -> None:
        """Makes sure that a game can start so.

        Raises:
            BadOptions: for a wrong number of players, a name that is empty or cannot be printed, or
                an unknown option or value. Seats, and the text of a deck, are left to the game.
        """
        counts = range(self.min_players, self.max_players + 1)
        check_start(self.title, players, counts, options, self.options)
        deck = self.deck.option if self.deck else ""
        for name, value in options.items():
            words = self.option_words.get(name)
            if name != deck and not (words and words.seat):
                check_option(name, value, self.options[name])

    def chosen(self, options: Options) -> Options:
        """The value of every option: the one that is given, or the default."""
        return {name: options.get(name, values[0]) for name, values in self.options.items()}

    @abstractmethod
    def start(self, players: Sequence[str], options: Options) -> State:
        """The first state.

        Raises:
            BadOptions: as `check_start`, which it calls.
        """

    @abstractmethod
    def ask(self, state: State) -> Ask | None:
        """The throw, choice, reveal or draw that the game needs next; None when it is over."""

    @abstractmethod
    def choices(self, state: State) -> Sequence[Choice]:
        """Every legal choice now, in a stable order; empty unless `ask` returns a Choose."""

    @abstractmethod
    def preview(self, state: State, choice: Choice) -> Points | None:
        """The points that a choice would score at once; None for one that scores nothing by itself.

        Raises:
            IllegalEvent: for a choice that is not legal now.
        """

    def offers(self, state: State) -> Mapping[Choice, Points | None]:
        """What each choice but the holds would score now, as `preview` says, in their order.

        The one place from which lists, the board, the voice and pages take what dice are worth.
        """
        choices = self.choices(state)
        return {c: self.preview(state, c) for c in choices if not isinstance(c, Keep)}

    @abstractmethod
    def apply(self, state: State, event: Event) -> State:
        """The state after an event.

        Raises:
            IllegalEvent: for one that the rules do not allow now; says what was expected.
        """

    @abstractmethod
    def dice(self, state: State) -> tuple[Face | None, ...]:
        """The dice of the roll on the table by slot; None for one that is not thrown yet."""

    @abstractmethod
    def sheet(self, state: State, seat: int) -> SheetView:
        """A player's sheet."""

    @abstractmethod
    def turn(self, state: State) -> int:
        """The number of the turn (or hand) that the next event belongs to, 0 before the first."""

    @abstractmethod
    def describe(self, state: State) -> Sequence[str]:
        """Lines of plain text that show people how the game stands."""

    def position(self, state: State | None = None, **fields: Any) -> State:
        """A state after a check that its parts are consistent.

        Args:
            state: the state itself; or else
            fields: the fields of a position, such as `players`, `roll` and `dice`, by the names of
                the attributes of a state; what is left out is filled in.

        Raises:
            BadPosition: for inconsistent parts. BadOptions: for names that are not allowed.
            TypeError: for a field that the game does not have.
        """
        found = self.position_codec.of(fields) if state is None else state
        check_players(found.players, self.min_players, self.max_players)
        self.position_codec.check_fields(found)
        self.position_codec.check(found)
        return found

    def position_to_text(self, state: State) -> str:
        """The state in one line that `position_from_text` reads back to an equal state."""
        return self.position_codec.write(state)

    def position_from_text(self, words: Words) -> State:
        """The state from the words; raises RecordError, or RulesError for an impossible one."""
        found = self.position_codec.read(words)
        check_players(found.players, self.min_players, self.max_players)
        self.position_codec.check(found)
        return found

    def scores(self, state: State) -> tuple[int, ...]:
        """Points so far, one for each seat; by default the totals of the sheets."""
        return tuple(self.sheet(state, seat).total for seat in range(len(state.players)))

    def outcome(self, state: State) -> Outcome | None:
        """The outcome, None until the game is over; by default the highest score wins."""
        return None if self.ask(state) is not None else Outcome.of_totals(self.scores(state))

    @property
    def has_bets(self) -> bool:
        """Whether players bet, and hide dice from each other."""
        return type(self).bets is not Game.bets

    @property
    def telling(self) -> tuple[tuple[str, str], ...]:
        """How the game goes, in English pages of two lines; empty if nobody has written it down."""
        return self.wording[ENGLISH].telling if ENGLISH in self.wording else ()

    def first_throws(
        self, start: State, faces: Sequence[Face]
    ) -> Iterable[tuple[State, Sequence[Face]]]:
        """The states, one or more, in which to score a throw without a position, with its faces.

        Args:
            start: the first state of a game that the first seat begins.
            faces: the throw, or several throws one after another.
        """
        return ((start, faces),)

    def held(self, state: State) -> tuple[int, ...]:
        """The slots held for the throw that is asked for; empty when none is."""
        return tuple(getattr(state, "held", None) or ())

    def kinds(self, state: State) -> tuple[DieKind | None, ...]:
        """The colours of the dice on the table by slot, where they count; else always empty."""
        return ()

    def unseen(self, state: State) -> Sequence[DieKind]:
        """The colours that the dice asked for may have, where colours count; else always empty.

        When the same dice are thrown again, just their colours, in the order asked for.
        """
        return ()

    def aside(self, state: State) -> Mapping[int, Face]:
        """The faces by slot of dice before those of `dice` that can still be corrected."""
        return {}

    def goals(self, state: State, seat: int) -> Sequence[Goal]:
        """The bonuses that a player's points count towards; empty where there are none."""
        return ()

    def table_view(self, state: State) -> TableView:
        """The things on the table for all to see; empty where each has a sheet and nothing else."""
        return TableView()

    def bets(self, state: State) -> BetsView | None:
        """The bets and the dice with colours, in a game of bets; None in any other."""
        return None

    def hidden_dice(self, seed: str, state: State, seat: int) -> tuple[ShownDie, ...]:
        """The dice that a computer in this seat hides, by the seed of the game; else empty.

        Neither an undo nor a restart changes them.
        """
        return ()

    def rounds(self, state: State) -> int:
        """How many rounds the game has; 0 if nobody can know before it ends."""
        return 0

    def closing(self, state: State, seat: int) -> str:
        """The key of what is announced as a turn of this seat begins near the end; else empty."""
        return ""

    def banked(self, state: State) -> int:
        """The points of all seats that nobody can take any more, where points are at risk before.

        What is added to them as a turn begins is announced.
        """
        return 0

    def asks_again(self, state: State, choice: Choice) -> bool:
        """Whether people are asked twice about a legal choice: more often a slip than a plan.

        By default about a zero; moving on and the like have a reason.
        """
        return self.preview(state, choice) == Points(0)

    def hint(self, state: State) -> Hint | None:
        """The best move for the seat asked; None for a game that leaves this to its solver."""
        return None

    def name_hand(self, words: Sequence[str]) -> NamedHand | None:
        """The best hand of some dice; None for a game that scores throws.

        Raises:
            RulesError: for words that are not dice, or too few or too many dice.
        """
        return None
