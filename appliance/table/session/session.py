"""The state of the session: the game's record, and what the players are doing with it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Generic, TypeVar

from appliance.table.session.modes import (
    EnteringColour,
    EnteringFace,
    Mode,
    Playing,
    mode_behind_hint,
)
from appliance.table.session.tray import TrackedDice, TraySeen
from appliance.words import Label
from games import values as games
from games.computers import deciding_computer, strength_of
from games.game import Game
from games.lots import SEED_PATTERN, draw_lot
from games.registry import find_game
from vision.events import TrackedDie, TrackId

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Drawn:
    """Chance has drawn one of the lots that the game asked for, such as a card from the deck."""

    lot: games.Choice


@dataclass(frozen=True, slots=True)
class Decided:
    """A computer player has decided: what it holds or chooses, or the dice that it shows."""

    event: games.Event


@dataclass(frozen=True, slots=True)
class Hinted:
    """A solver's answer to a request for a hint; None where it has none."""

    hint: games.Hint | None


@dataclass(frozen=True, slots=True)
class Advised:
    """The best choice for a beginner, to stand first in the list; None where nobody knows."""

    choice: games.Choice | None


@dataclass(frozen=True, slots=True)
class Sight:
    """The camera no longer sees the tray, or sees it again."""

    blind: bool


@dataclass(frozen=True, slots=True)
class Setup:
    """A game to be started: its name in `games.registry`, players and options.

    Players are in seat order, as the board shows them, options sorted by name.
    """

    game: str
    players: tuple[str, ...]
    options: tuple[tuple[str, games.OptionValue], ...] = ()

    @property
    def rules(self) -> Game[Any]:
        """The module that knows this game."""
        return find_game(self.game)

    def with_house_rules(self, house: Mapping[str, games.OptionValue]) -> "Setup":
        """This setup with those of the house rules that the game has."""
        known = {name: value for name, value in house.items() if name in self.rules.options}
        return replace(self, options=tuple(sorted({**dict(self.options), **known}.items())))


@dataclass(frozen=True, slots=True)
class Played:
    """A line of the log: an event of the game."""

    event: games.Event


@dataclass(frozen=True, slots=True)
class Undone:
    """A line of the log: this many of the last events were taken back."""

    events: int


@dataclass(frozen=True, slots=True)
class Holding:
    """A line of the log: these slots are held now."""

    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seeded:
    """The first line of the log of a game that draws lots: the seed they follow from.

    It is in the format of `games.lots`; other text where it was blanked out.
    """

    seed: str


Correction = games.Corrected | games.Recoloured
LogLine = Played | Undone | Holding | Seeded


@dataclass(frozen=True, slots=True)
class Scored:
    """The result of the last choice, shown until something new happens.

    Attributes:
        points: what the player's total has grown by; in a round of bets, the chips won.
        reason: why the choice is worth what it is.
        later: whether some of what it is worth counts later, once it is banked.
        won: where pots were paid out, each winner's seat and chips.
        taken_from: the seat whose card it took; None for nobody's.
        all_in: whether a bet has put in the player's last chips.
        out: in a game of bets, the seats that a pot leaves without chips.
    """

    seat: int
    choice: games.Choice
    points: int
    reason: str
    celebrated: bool = False
    later: bool = False
    won: tuple[tuple[int, int], ...] = ()
    taken_from: int | None = None
    all_in: bool = False
    out: tuple[int, ...] = ()

    @property
    def is_zero(self) -> bool:
        """True for a zero in a box; what is worth nothing for a reason, or passes, is none."""
        nothing = not (self.points or self.reason or self.later or self.won)
        return nothing and not isinstance(self.choice, games.Pass)


@dataclass(frozen=True, slots=True)
class OnRecord:
    """A game as it is on record. The log is authoritative; state and holds follow from it.

    Attributes:
        serial: counts the games of this session; a new number means a new record.
        events: the events in force, without what was undone.
        log: everything that happened; append-only.
        holds: slots held by buttons.
        rules: the module that knows this game.
    """

    setup: Setup
    serial: int
    state: Any
    events: tuple[games.Event, ...] = ()
    log: tuple[LogLine, ...] = ()
    holds: frozenset[games.Slot] = frozenset()
    rules: Game[Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # A press asks for them dozens of times.
        object.__setattr__(self, "rules", self.setup.rules)

    @property
    def ask(self) -> games.Ask | None:
        """The act that the game is waiting for; None once it is over."""
        return self.rules.ask(self.state)

    @property
    def choices(self) -> Sequence[games.Choice]:
        """Every choice that the rules allow now."""
        return self.rules.choices(self.state)

    @property
    def dice(self) -> tuple[games.Face | None, ...]:
        """The faces of the dice by slot; None for one that has not been thrown."""
        return self.rules.dice(self.state)

    @property
    def correctable(self) -> dict[int, games.Face]:
        """The faces of the dice that can be corrected, by slot."""
        known = {slot: face for slot, face in enumerate(self.dice) if face is not None}
        return {**self.rules.aside(self.state), **known}

    @property
    def kinds(self) -> tuple[games.DieKind | None, ...]:
        """The colours of the dice by slot, where colours count; empty in other games."""
        return self.rules.kinds(self.state)

    @property
    def held(self) -> tuple[int, ...]:
        """The slots held for the throw that is asked for; empty when none is."""
        return self.rules.held(self.state)

    @property
    def seed(self) -> str:
        """The seed that the game's lots follow from; empty if there is none."""
        return self.log[0].seed if self.log and isinstance(self.log[0], Seeded) else ""

    def played(self, *events: games.Event) -> "OnRecord":
        """The record with these events; IllegalEvent if the rules do not allow one of them."""
        state, log = reduce(self.rules.apply, events, self.state), (*self.log, *map(Played, events))
        return OnRecord(self.setup, self.serial, state, self.events + events, log)

    def undone(self, count: int) -> "OnRecord":
        """The record with this many of the last events taken back."""
        events = self.events[: len(self.events) - count]
        log, state = (*self.log, Undone(count)), replay(self.setup, events)
        return OnRecord(self.setup, self.serial, state, events, log)

    def holding(self, slots: Iterable[int]) -> "OnRecord":
        """The record with these slots held."""
        held = tuple(slots)
        log, holds = (*self.log, Holding(held)), frozenset(map(games.Slot, held))
        return replace(self, log=log, holds=holds)

    def holding_as(self, other: "OnRecord") -> "OnRecord":
        """The record with what another holds."""
        return self.holding(sorted(other.holds)) if other.holds else self


@dataclass(frozen=True, slots=True)
class Session:
    """Everything the table knows: what is on record, and what is derived or transient.

    Attributes:
        tray: what was last seen of the tray, as far as this game is concerned.
        tracked: the dice of the last throw.
        scored: the result of the last choice, while it is news.
        banked: points of the card that was banked as the last event let a turn begin; 0 for none.
        remark: a short remark on the last press or throw, while it is news.
        first: in which state of the game which choice stands first in the list, for a beginner;
            None in the place of the choice where no solver knows one.
    """

    record: OnRecord
    mode: Mode = field(default_factory=Playing)
    tray: TraySeen = field(default_factory=TraySeen)
    tracked: TrackedDice = field(default_factory=TrackedDice)
    scored: Scored | None = None
    banked: int = 0
    remark: str = ""
    first: tuple[Any, games.Choice | None] | None = None

    def numbered(self, serial: int) -> "Session":
        """The session with the number that its game has in the journal."""
        return replace(self, record=replace(self.record, serial=serial))


class _Latest(Generic[T]):
    """What followed from the events of a game that was last asked for, from which others go on.

    Without it a view of each line would play the whole game again.
    """

    def __init__(self) -> None:
        self._latest: tuple[Game[Any], Setup, tuple[games.Event, ...], T] | None = None

    def before(
        self, rules: Game[Any], setup: Setup, events: tuple[games.Event, ...]
    ) -> tuple[int, T] | None:
        """How many of the first of these events it followed from, and what did; None for none."""
        if self._latest is None:
            return None
        its_rules, its_setup, first, found = self._latest
        same = its_rules is rules and its_setup == setup and events[: len(first)] == first
        return (len(first), found) if same else None

    def note(
        self, rules: Game[Any], setup: Setup, events: tuple[games.Event, ...], found: T
    ) -> None:
        """Keeps what follows from these events."""
        self._latest = rules, setup, events, found


_states = _Latest[Any]()
_choices = _Latest[tuple[Any, tuple[int, ...]]]()


def new_record(setup: Setup, serial: int) -> OnRecord:
    """The record of a game that begins; BadOptions for players or options that do not fit it."""
    return OnRecord(setup, serial, replay(setup, ()))


def new_session(setup: Setup, serial: int = 1) -> Session:
    """A session at the start of a game; BadOptions for players or options that do not fit it."""
    return Session(new_record(setup, serial))


def must_stay(session: Session) -> frozenset[games.Slot]:
    """The slots that every remaining throw leaves lying, like the Power die in its fourth roll."""
    keeps = [c.slots for c in session.record.choices if isinstance(c, games.Keep)]
    return frozenset(map(games.Slot, set(keeps[0]).intersection(*keeps))) if keeps else frozenset()


def held_slots(session: Session) -> frozenset[games.Slot]:
    """The slots that are held by buttons, and those that must stay."""
    return session.record.holds | must_stay(session)


def dice_on_table(session: Session) -> tuple[games.Face | None, ...]:
    """The dice of the roll to decide about, by slot; empty when the decision is not about dice."""
    dice = session.record.dice
    return dice if dice.count(None) < len(dice) else ()


def slots_asked(ask: games.Throw | games.Reveal) -> tuple[games.Slot, ...]:
    """The slots of the dice that a game asks for, ascending."""
    return tuple(games.Slot(die.slot) for die in ask.dice)


def asks_colours(ask: games.Ask | None) -> bool:
    """True if the dice asked for are dice whose colours count."""
    return isinstance(ask, games.Reveal) or (isinstance(ask, games.Throw) and ask.coloured)


def player_choices(session: Session, *, all_of_them: bool = True) -> tuple[int, ...]:
    """The indices in `events` of the steps that can be undone, oldest first.

    These are people's choices, without lots, and corrections of dice: what a computer did is undone
    with the step before it, unless it is the very first. Without `all_of_them` no more of the game
    is played through than shows that there is one.
    """
    record, rules = session.record, session.record.rules
    state, found, known = replay(record.setup, ()), list[int](), 0
    if all_of_them and (before := _choices.before(rules, record.setup, record.events)) is not None:
        known, (state, steps) = before
        found = [*steps]
    for index, event in enumerate(record.events[known:], known):
        before_it = record.events[index - 1] if index else None
        if isinstance(event, Correction):
            if not isinstance(before_it, Correction) or before_it.slot != event.slot:
                found.append(index)
        elif isinstance(event, games.Choice) and not isinstance(
            ask := rules.ask(state), games.Draw
        ):
            first = all(isinstance(record.events[step], Correction) for step in found)
            if first or deciding_computer(record.setup.players, ask) is None:
                found.append(index)
            if not all_of_them:
                # Only corrections are taken out again.
                return tuple(found)
        elif isinstance(event, games.Rolled | games.Shown):
            # Corrections just before a throw, as in a roll-off, are not steps of their own.
            while found and isinstance(record.events[found[-1]], Correction):
                found.pop()
        state = rules.apply(state, event)
    if all_of_them:
        _choices.note(rules, record.setup, record.events, (state, tuple(found)))
    return tuple(found)


def computers_in(record: OnRecord, events: Sequence[games.Event]) -> tuple[str, ...]:
    """The computers that made some of the choices that follow a record, each once, in order."""
    state, names, found = record.state, record.setup.players, dict[str, None]()
    for event in events:
        ask = record.rules.ask(state)
        if isinstance(event, games.Choice) and ask is not None and deciding_computer(names, ask):
            found[names[ask.seat]] = None
        state = record.rules.apply(state, event)
    return tuple(found)


def is_computers_turn(session: Session) -> bool:
    """True if a computer player is to decide, or to show its dice; it may have decided already."""
    ask, players = session.record.ask, session.record.setup.players
    if isinstance(ask, games.Reveal):
        return strength_of(players[ask.seat]) is not None
    return deciding_computer(players, ask) is not None


def hides_dice(session: Session) -> bool:
    """True if computers have hidden dice, which follow from the seed as lots do."""
    hidden = session.record.rules.unseen(session.record.state)
    return bool(hidden) and any(map(strength_of, session.record.setup.players))


def has_decided(session: Session) -> bool:
    """True if the computer being asked holds dice already, and is waiting for the throw."""
    return is_computers_turn(session) and isinstance((session.record.log or (None,))[-1], Holding)


def next_lot(session: Session) -> games.Choice | None:
    """The lot that comes next; None in a game without a seed, or if none is asked for."""
    ask = session.record.ask
    if not isinstance(ask, games.Draw) or not SEED_PATTERN.fullmatch(session.record.seed):
        return None
    drawn = sum(isinstance(event, type(ask.lots[0])) for event in session.record.events)
    return draw_lot(session.record.seed, drawn, ask.lots)


def slot_kinds(session: Session) -> tuple[games.DieKind, ...]:
    """The kind of each die that should lie in the tray after the next throw, by slot."""
    rules, state = session.record.rules, session.record.state
    ask = rules.ask(state)
    keeps = [c for c in rules.choices(state) if isinstance(c, games.Keep)]
    if isinstance(ask, games.Choose) and keeps:
        # The throw that keeps the fewest dice tells the kinds of the others.
        ask = rules.ask(rules.apply(state, min(keeps, key=lambda c: len(c.slots))))
    if not isinstance(ask, games.Throw) or ask.coloured:
        return ()
    asked = {die.slot: die.kind for die in ask.dice}
    count = max(len(asked), len(rules.dice(state)) if keeps else 0)
    if not keeps:
        return tuple(asked.values())
    return tuple(asked.get(slot, rules.dice_kinds[slot]) for slot in range(count))


def dice_key_of(session: Session, slot: games.Slot) -> tuple[str, int, int]:
    """The key that a die is called by, then the start and end of the slots it applies to."""
    first = 0
    *more, (key, _) = session.record.rules.dice_keys
    for earlier, count in more:
        if slot < first + count:
            return earlier, first, first + count
        first += count
    return key, first, max(len(session.record.dice), slot + 1)


def die_name(session: Session, slot: games.Slot) -> str:
    """A die as the board calls it: by its number, or by its kind if that is unique."""
    kinds = session.record.rules.dice_kinds
    kind = kinds[slot] if slot < len(kinds) else games.DieKind.BLACK
    if kinds.count(kind) == 1 and kind is not games.DieKind.BLACK:
        return f"{kind} DIE".upper()
    key, first, _ = dice_key_of(session, slot)
    return Label(f"{key} {slot - first + 1}")


def dice_needed(session: Session) -> int | None:
    """How many dice should lie in the tray after the next throw; None if none is due."""
    ask = session.record.ask
    if isinstance(ask, games.Throw | games.Reveal) and asks_colours(ask):
        return len(ask.dice) + len(session.record.held)
    return len(slot_kinds(session)) + len(session.record.held) or None


def replay(setup: Setup, events: tuple[games.Event, ...]) -> Any:
    """The game's state after these events.

    IllegalEvent for one that the rules do not allow at that point.
    """
    rules = setup.rules
    known = _states.before(rules, setup, events)
    count, state = (0, rules.start(setup.players, dict(setup.options))) if known is None else known
    state = reduce(rules.apply, events[count:], state)
    if events:
        _states.note(rules, setup, events, state)
    return state


def standing(log: Iterable[LogLine]) -> tuple[tuple[games.Event, ...], frozenset[games.Slot]]:
    """The events of a log that were not undone, and the dice held after the last of them."""
    events: list[games.Event] = []
    holds: frozenset[games.Slot] = frozenset()
    for line in log:
        match line:
            case Played(event):
                events.append(event)
                holds = frozenset()
            case Undone(count):
                del events[len(events) - count :]
                holds = frozenset()
            case Holding(slots):
                holds = frozenset(map(games.Slot, slots))
    return tuple(events), holds


def resume(setup: Setup, log: tuple[LogLine, ...], serial: int = 1) -> Session:
    """The session after these lines of a log, as after a power cut; IllegalEvent as in `replay`."""
    events, holds = standing(log)
    return Session(OnRecord(setup, serial, replay(setup, events), events, log, holds))


def faces_entered(session: Session) -> dict[games.Slot, games.Face]:
    """The faces that are known of a throw that waits for an answer, by slot."""
    mode = mode_behind_hint(session.mode)
    if isinstance(mode, EnteringFace | EnteringColour) and mode.answer is not None:
        return dict(mode.faces)
    return {}


def faces_on_record(session: Session) -> dict[TrackId, tuple[TrackedDie, games.Face]]:
    """The dice of the last throw with the faces that count, by the tracker's numbers."""
    faces, tracked = session.record.dice, session.tracked
    found, slots = {}, tracked.slots
    for die in tracked.seen:
        # Dice of a throw that waits for an answer are not on record.
        slot = None if die.track_id in tracked.loose else slots.get(die.track_id)
        face = faces[slot] if slot is not None and slot < len(faces) else None
        if face is not None:
            found[die.track_id] = (die, face)
    return found
