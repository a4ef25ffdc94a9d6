"""The state of the session: the game's record, and what the players are doing with it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from appliance.rules import game as games
from appliance.rules.computers import deciding_computer, strength_of
from appliance.rules.holdem import state as holdem
from appliance.rules.holdem.betting import listed_acts
from appliance.rules.lots import SEED_PATTERN, draw_lot
from appliance.rules.notation.events import Recordable
from appliance.rules.registry import find_game
from appliance.table.session.modes import (
    EnteringColour,
    EnteringFace,
    Mode,
    Playing,
    mode_behind_hint,
)
from appliance.table.session.tray import TrackedDice, TraySeen
from appliance.words import Label
from vision.events import TrackedDie, TrackId


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
    """What a beginner had best take, to stand first in the list; None where nobody knows."""

    choice: games.Choice | None


@dataclass(frozen=True, slots=True)
class Sight:
    """The camera no longer sees the tray, or sees it again."""

    blind: bool


@dataclass(frozen=True, slots=True)
class Setup:
    """What a game is started with: its name in `appliance.rules.registry`, players and options.

    Players are in seat order, as the board shows them, options sorted by name.
    """

    game: str
    players: tuple[str, ...]
    options: tuple[tuple[str, games.OptionValue], ...] = ()

    @property
    def rules(self) -> Recordable[Any]:
        """The module that knows this game."""
        return find_game(self.game)

    def with_house_rules(self, house: Mapping[str, games.OptionValue]) -> "Setup":
        """This setup with those of the house rules that the game has."""
        known = {name: value for name, value in house.items() if name in self.rules.OPTIONS}
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

    It is in the format of `appliance.rules.lots`; other text where it was blanked out.
    """

    seed: str


LogLine = Played | Undone | Holding | Seeded


@dataclass(frozen=True, slots=True)
class Scored:
    """The result of the last choice, shown until something new happens."""

    seat: int
    choice: games.Choice
    points: int
    reason: str
    celebrated: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """Everything the table knows. The log is authoritative; the rest is derived or transient.

    Attributes:
        serial: counts the games of this session; a new number means a new record.
        events: the events in force, without what was undone.
        log: everything that happened; append-only.
        holds: slots held by buttons.
        tray: what was last seen of the tray, as far as this game is concerned.
        tracked: the dice of the last throw.
        scored: the result of the last choice, while it is news.
        banked: points of the card that was banked as the last event let a turn begin; 0 for none.
        remark: a short remark on the last press or throw, while it is news.
        first: after how many events which choice stands first in the list, for a beginner; None
            in the place of the choice where no solver knows one.
    """

    setup: Setup
    serial: int
    state: Any
    events: tuple[games.Event, ...] = ()
    log: tuple[LogLine, ...] = ()
    mode: Mode = field(default_factory=Playing)
    holds: frozenset[games.Slot] = frozenset()
    tray: TraySeen = field(default_factory=TraySeen)
    tracked: TrackedDice = field(default_factory=TrackedDice)
    scored: Scored | None = None
    banked: int = 0
    remark: str = ""
    first: tuple[int, games.Choice | None] | None = None

    @property
    def rules(self) -> Recordable[Any]:
        """The module that knows this game."""
        return self.setup.rules

    @property
    def seed(self) -> str:
        """The seed that the game's lots follow from; empty if there is none."""
        return self.log[0].seed if self.log and isinstance(self.log[0], Seeded) else ""


def new_session(setup: Setup, serial: int = 1) -> Session:
    """A session at the start of a game; BadOptions for players or options that do not fit it."""
    state = setup.rules.start(setup.players, dict(setup.options))
    return Session(setup, serial, state)


def ranked_choices(session: Session) -> tuple[games.Choice, ...]:
    """The choices that the board lists: all but the holds, the most points first.

    Of equals the one that the dice make more rarely comes first: 4 ALIKE before 3 ALIKE. Those that
    score nothing or cost something come in the order of the rules. For a beginner the one that is
    best to take comes before all.
    """
    rules, state = session.rules, session.state
    listed = [c for c in rules.choices(state) if not isinstance(c, games.Keep)]
    worth = {c: max(0, (rules.preview(state, c) or games.Points(0)).points) for c in listed}
    best = session.first[1] if is_advised(session) and session.first else None
    return tuple(
        sorted(
            listed,
            key=lambda c: (c != best, -worth[c], _place_by_rarity(c) if worth[c] else 0),
        )
    )


def is_advised(session: Session) -> bool:
    """Whether it has been said what a beginner had best take now."""
    return session.first is not None and session.first[0] == len(session.events)


_RAREST_FIRST = (
    {"five-alike"},
    {"four-alike"},
    {"large-straight"},
    {"full-house"},
    {"small-straight"},
    {"three-alike"},
    {"two-pairs"},
    {"aces", "ones", "twos", "threes", "fours", "fives", "sixes"},
    {"choice"},
)
"""The keys of boxes and cards, the rarest throw first; any throw makes the others."""


def _place_by_rarity(choice: games.Choice) -> int:
    for place, names in enumerate(_RAREST_FIRST):
        if not names.isdisjoint(choice.key.split()):
            return place
    return len(_RAREST_FIRST)


def only_passes(session: Session) -> bool:
    """Whether nothing is left to a player but to pass: the dice make nothing, no roll is left."""
    choices = session.rules.choices(session.state)
    return len(choices) == 1 and isinstance(choices[0], games.Pass)


def listed_choices(session: Session) -> tuple[games.Choice, ...]:
    """What the board lists: `ranked_choices`, or in a round of betting every action in its place.

    Some of those may not be possible now, as `may_choose` says.
    """
    state = session.state
    if isinstance(state, holdem.State) and state.stage in holdem.BETTING_STAGES:
        return listed_acts(state)
    return ranked_choices(session)


def may_choose(session: Session, choice: games.Choice) -> bool:
    """Whether the rules allow a listed choice now."""
    return choice in session.rules.choices(session.state)


def must_stay(session: Session) -> frozenset[games.Slot]:
    """The slots that every remaining throw leaves lying, like the Power die in its fourth roll."""
    choices = session.rules.choices(session.state)
    keeps = [
        frozenset(map(games.Slot, choice.slots))
        for choice in choices
        if isinstance(choice, games.Keep)
    ]
    return frozenset.intersection(*keeps) if keeps else frozenset()


def held_slots(session: Session) -> frozenset[games.Slot]:
    """The slots that are held by buttons, and those that must stay."""
    return session.holds | must_stay(session)


def dice_on_table(session: Session) -> tuple[games.Face | None, ...]:
    """The dice of the roll to decide about, by slot; empty when the decision is not about dice."""
    dice = session.rules.dice(session.state)
    return dice if any(face is not None for face in dice) else ()


def slots_asked(ask: games.Throw | games.Reveal) -> tuple[games.Slot, ...]:
    """The slots of the dice that a game asks for, ascending."""
    return tuple(games.Slot(die.slot) for die in ask.dice)


def asks_colours(ask: games.Ask | None) -> bool:
    """Whether the dice asked for are dice whose colours count."""
    return isinstance(ask, games.Reveal) or (isinstance(ask, games.Throw) and ask.coloured)


def lists_at_once(session: Session) -> bool:
    """Whether a decision is shown as a list at once, as no die may be thrown again for it."""
    return not dice_on_table(session) or bool(session.rules.kinds(session.state))


def player_choices(session: Session) -> tuple[int, ...]:
    """The indices in `events` of the steps that can be undone, oldest first.

    These are people's choices, without lots, and corrections of dice: what a computer did is undone
    with the step before it, unless it is the very first.
    """
    rules = session.rules
    state = rules.start(session.setup.players, dict(session.setup.options))
    found: list[int] = []
    for index, event in enumerate(session.events):
        before = session.events[index - 1] if index else None
        if isinstance(event, games.Corrected | games.Recoloured):
            if (
                not isinstance(before, games.Corrected | games.Recoloured)
                or before.slot != event.slot
            ):
                found.append(index)
        elif isinstance(event, games.Choice) and not isinstance(
            ask := rules.ask(state), games.Draw
        ):
            if not found or deciding_computer(session.setup.players, ask) is None:
                found.append(index)
        elif isinstance(event, games.Rolled | games.Shown):
            # Corrections just before a throw, as in a roll-off, are not steps of their own.
            while found and isinstance(
                session.events[found[-1]], games.Corrected | games.Recoloured
            ):
                found.pop()
        state = rules.apply(state, event)
    return tuple(found)


def is_computers_turn(session: Session) -> bool:
    """Whether a computer player is to decide, or to show its dice; it may have decided already."""
    ask, players = session.rules.ask(session.state), session.setup.players
    if isinstance(ask, games.Reveal):
        return strength_of(players[ask.seat]) is not None
    return deciding_computer(players, ask) is not None


def hides_dice(session: Session) -> bool:
    """Whether computers have hidden dice, which follow from the seed as lots do."""
    hidden = session.rules.unseen(session.state)
    return bool(hidden) and any(map(strength_of, session.setup.players))


def has_decided(session: Session) -> bool:
    """Whether the computer being asked holds dice already, and is waiting for the throw."""
    return is_computers_turn(session) and isinstance((session.log or (None,))[-1], Holding)


def next_lot(session: Session) -> games.Choice | None:
    """The lot that comes next; None in a game without a seed, or if none is asked for."""
    ask = session.rules.ask(session.state)
    if not isinstance(ask, games.Draw) or not SEED_PATTERN.fullmatch(session.seed):
        return None
    drawn = sum(isinstance(event, type(ask.lots[0])) for event in session.events)
    return draw_lot(session.seed, drawn, ask.lots)


def slot_kinds(session: Session) -> tuple[games.DieKind, ...]:
    """The kind of each die that should lie in the tray after the next throw, by slot."""
    rules, state = session.rules, session.state
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
    return tuple(asked.get(slot, rules.DICE[slot]) for slot in range(count))


def dice_key_of(session: Session, slot: games.Slot) -> tuple[str, int, int]:
    """What a die is called: the key, then the start and end of the slots it applies to."""
    first = 0
    *more, (key, _) = session.rules.DICE_KEYS
    for earlier, count in more:
        if slot < first + count:
            return earlier, first, first + count
        first += count
    return key, first, max(len(session.rules.dice(session.state)), slot + 1)


def die_name(session: Session, slot: games.Slot) -> str:
    """A die as the board calls it: by its number, or by its kind if that is unique."""
    kinds = slot_kinds(session)
    kind = kinds[min(slot, len(kinds) - 1)] if kinds else games.DieKind.BLACK
    if kinds.count(kind) == 1 and kind is not games.DieKind.BLACK:
        return f"{kind} DIE".upper()
    key, first, _ = dice_key_of(session, slot)
    return Label(f"{key} {slot - first + 1}")


def dice_needed(session: Session) -> int | None:
    """How many dice should lie in the tray after the next throw; None if none is due."""
    ask = session.rules.ask(session.state)
    if isinstance(ask, games.Throw | games.Reveal) and asks_colours(ask):
        return len(ask.dice) + len(session.rules.held(session.state))
    return len(slot_kinds(session)) + len(session.rules.held(session.state)) or None


def replay(setup: Setup, events: tuple[games.Event, ...]) -> Any:
    """The game's state after these events.

    IllegalEvent for one that the rules do not allow at that point.
    """
    state = setup.rules.start(setup.players, dict(setup.options))
    for event in events:
        state = setup.rules.apply(state, event)
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
    return Session(setup, serial, replay(setup, events), events, log, holds=holds)


def faces_entered(session: Session) -> dict[games.Slot, games.Face]:
    """The faces that are known of a throw that waits for an answer, by slot."""
    mode = mode_behind_hint(session.mode)
    if isinstance(mode, EnteringFace | EnteringColour) and mode.answer is not None:
        return dict(mode.faces)
    return {}


def faces_on_record(session: Session) -> dict[TrackId, tuple[TrackedDie, games.Face]]:
    """The dice of the last throw with the faces that count, by the tracker's numbers."""
    faces, tracked = session.rules.dice(session.state), session.tracked
    found = {}
    for die in tracked.seen:
        # Dice of a throw that waits for an answer are not on record.
        slot = None if die.track_id in tracked.loose else tracked.places.get(die.track_id)
        face = faces[slot] if slot is not None and slot < len(faces) else None
        if face is not None:
            found[die.track_id] = (die, face)
    return found
