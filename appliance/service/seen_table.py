"""The game as a page draws it: what can be chosen and where it goes, the goals, the table, the end.

It holds what everybody at the table may see, and no more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from appliance.inputs import HOLD_BUTTONS
from appliance.table.session import session as sessions
from appliance.table.session.answering import question_of
from appliance.table.session.listing import may_choose, offers, opens_others
from appliance.table.session.modes import Browsing, Hinting, mode_behind_hint
from appliance.table.session.picking import is_asked_about, moment_of, pickable_choices
from appliance.table.session.prompting import undo_prompt
from appliance.table.session.recording import may_undo, taken_back
from appliance.table.session.session import Session
from appliance.table.session.sheets import box_filled
from appliance.words import Label
from games.record import Record
from games.values import Choice, Choose, DieKind, Face, Keep, Points, Rolled, Shown, Throw
from games.views import Goal, TableItem, TableView
from vision.reading import TrayState


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can be chosen now.

    Attributes:
        label: as the board has it.
        points: what it scores; None where that is no number.
        reason: why, such as "JOKER +100".
        row: the label of the row that it fills on the chooser's sheet; empty where it fills none.
        possible: whether the rules allow it now.
        asks: whether it is asked about before it counts.
    """

    label: str
    points: int | None
    reason: str
    row: str
    possible: bool
    asks: bool


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die of the game by its slot; no face where it is to be thrown."""

    face: Face | None
    kind: DieKind | None
    held: bool


@dataclass(frozen=True, slots=True)
class SeenGoal:
    """A bonus that points count towards, as in `Goal`, with its label."""

    label: str
    now: int
    needed: int
    bonus: int


@dataclass(frozen=True, slots=True)
class SeenPlace:
    """A place on the table, as in `TableItem`, with its label and its note."""

    label: str
    points: int | None
    note: str
    owner: int | None
    pawns: tuple[int, ...]
    aim: bool
    chips: int


@dataclass(frozen=True, slots=True)
class SeenPlaces:
    """The table's places for all players, as in `TableView`; what is left on sheets as labels."""

    places: tuple[SeenPlace, ...] = ()
    ring: bool = False
    beside: tuple[SeenPlace, ...] = ()
    left_on_sheets: tuple[str, ...] | None = None
    shared_dice: int = 0


@dataclass(frozen=True, slots=True)
class SeenQuestion:
    """A question about one die, as in `Question`: its slot, its kind, what may be answered.

    `answers` are faces, or names of colours; `guess` is the place of the proposed one.
    """

    slot: int
    kind: DieKind | None
    answers: tuple[Face, ...]
    guess: int | None


@dataclass(frozen=True, slots=True)
class SeenEnd:
    """How the game ended: who won, and by how many points before the next."""

    winners: tuple[int, ...]
    margin: int
    reason: str


@dataclass(frozen=True, slots=True)
class SeenUndo:
    """What an undo would take back, or with `again` put back.

    Attributes:
        player: whose choice it was.
        label: what was chosen; empty for a throw.
        kept: the faces that were kept of a throw; empty where none were.
        computers: whose choices go with it, or come back.
    """

    player: str
    label: str
    kept: tuple[Face | None, ...] = ()
    again: bool = False
    computers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeenTable:
    """The table with all that lies on it.

    Attributes:
        game: the name of the rules.
        title: what they are called.
        shared_rows: whether slots of a kind share a row, as in `Game`.
        serial: the number of the game in this session.
        asked: what `Picked.asked` must say for what is shown.
        turn: the seat that is asked; None if nobody is.
        round: the number of the turn, from 1.
        roll: which roll of the turn lies on the table, or comes next; 0 if there is none.
        rolls: how many rolls the turn may have.
        offers: what can be chosen, in the order of the list.
        chosen: the place in it that the board shows; None if it shows none.
        confirm: whether that one is asked about.
        best: the label of the best choice, once a hint was asked for.
        best_hold: the slots that it keeps, if it is to throw the others again; else None.
        why: the label of why it is the best.
        goals: by seat.
        leaders: the seats with the most points, unless all have the same.
        ahead: by how many points they lead.
        busy: whether a hand is in the tray, or dice are moving.
        news: the last choice while it is news: seat, label, points, whether it is celebrated.
        end: how the game ended; None before.
        question: what is asked about one die; None if nothing is.
        undo: what can be taken back, or put back; None if nothing can.
        rounds: how many turns each player has; None where that is open.
        left: whose throw still lies in the tray and counts no more; None if there is none.
    """

    game: str
    title: str
    shared_rows: bool
    serial: int
    asked: int
    turn: int | None = None
    round: int = 0
    roll: int = 0
    rolls: int = 0
    dice: tuple[SeenDie, ...] = ()
    offers: tuple[Offer, ...] = ()
    chosen: int | None = None
    confirm: bool = False
    best: str = ""
    best_hold: tuple[int, ...] | None = None
    why: str = ""
    goals: tuple[tuple[SeenGoal, ...], ...] = ()
    table: SeenPlaces = field(default_factory=SeenPlaces)
    leaders: tuple[int, ...] = ()
    ahead: int = 0
    busy: bool = False
    news: tuple[int, str, int, bool] | None = None
    end: SeenEnd | None = None
    question: SeenQuestion | None = None
    undo: SeenUndo | None = None
    rounds: int | None = None
    left: int | None = None


def seen_undo(session: Session) -> SeenUndo | None:
    """What an undo would take back; once nothing is left to take back, what can be put back.

    It follows from the game's log alone, and takes the longer the longer the game is.
    """
    steps = int(may_undo(session))
    if not steps and not taken_back(session):
        return None
    undone = undo_prompt(session, steps)
    kept = tuple(undone.dice[slot] for slot in undone.held)
    return SeenUndo(undone.player, undone.label, kept, undone.again, undone.computers)


def last_thrower(session: Session) -> int | None:
    """Whose throw was the last, by seat; None before the first. It plays the game again."""
    record = session.record
    thrown = (n for n, event in enumerate(record.events) if isinstance(event, Rolled | Shown))
    if (last := max(thrown, default=None)) is None:
        return None
    ask = record.rules.ask(sessions.replay(record.setup, record.events[:last]))
    return None if ask is None else ask.seat


def seen_table(
    session: Session,
    tray: TrayState,
    undo_in: Callable[[Session], SeenUndo | None] = seen_undo,
    thrower_in: Callable[[Session], int | None] = last_thrower,
) -> SeenTable:
    """The game as it stands.

    Args:
        session: the game.
        tray: what lies there: `busy` while a hand or dice move.
        undo_in: as `seen_undo`; for whoever remembers what it gave for the same log.
        thrower_in: as `last_thrower`, likewise.
    """
    rules, state = session.record.rules, session.record.state
    ask = rules.ask(state)
    totals = rules.scores(state)
    outcome = rules.outcome(state)
    kinds = dict(enumerate(rules.kinds(state)))
    held = sessions.held_slots(session) | set(rules.held(state))
    mode = mode_behind_hint(session.mode)
    hint = session.mode.hint if isinstance(session.mode, Hinting) else None
    best = None if hint is None else hint.choice
    choices = pickable_choices(session)
    browsing = mode if isinstance(mode, Browsing) and choices else None
    if browsing is not None and opens_others(session, browsing):
        browsing = None
    leaders, ahead = _lead(totals)
    worth = offers(session) if choices else {}
    scored = session.scored
    return SeenTable(
        rules.name,
        Label(rules.name),
        rules.shared_rows,
        session.record.serial,
        moment_of(session).number,
        None if ask is None else ask.seat,
        rules.turn(state),
        *((ask.roll, ask.rolls) if isinstance(ask, Choose | Throw) else (0, 0)),
        tuple(
            SeenDie(face, kinds.get(slot) or _kind_of_slot(session, slot), slot in held)
            for slot, face in enumerate(rules.dice(state))
        ),
        tuple(_offer(session, choice, worth.get(choice)) for choice in choices),
        None if browsing is None else browsing.index % len(choices),
        browsing is not None and browsing.confirm,
        "" if best is None else Label(best.key),
        best.slots if isinstance(best, Keep) else None,
        "" if hint is None else Label(hint.reason),
        goals_of(session),
        places_of(rules.table_view(state)),
        leaders,
        ahead,
        tray.is_busy,
        None
        if scored is None
        else (scored.seat, Label(scored.choice.key), scored.points, scored.celebrated),
        None
        if outcome is None
        else SeenEnd(outcome.winners, _lead(outcome.scores)[1], Label(outcome.reason)),
        seen_question(session),
        undo_in(session),
        session.record.rules.rounds(session.record.state) or None,
        thrower_in(session) if _lie_uncounted(session) else None,
    )


def goals_of(session: Session) -> tuple[tuple[SeenGoal, ...], ...]:
    """The bonuses that points count towards, by seat."""
    rules, state = session.record.rules, session.record.state
    seats = range(len(session.record.setup.players))
    return tuple(tuple(map(_goal, rules.goals(state, seat))) for seat in seats)


def seen_question(session: Session) -> SeenQuestion | None:
    """What is asked about one die; None if nothing is."""
    asked = question_of(session)
    if asked is None:
        return None
    rules, state = session.record.rules, session.record.state
    kinds = dict(enumerate(rules.kinds(state)))
    answers = tuple(str(a) if isinstance(a, DieKind) else a for a in asked.answers)
    kind = kinds.get(asked.slot) or _kind_of_slot(session, asked.slot)
    guess = None if asked.guess is None else asked.answers.index(asked.guess)
    return SeenQuestion(asked.slot, kind, answers, guess)


def _lie_uncounted(session: Session) -> bool:
    """True if dice of a throw before lie in the tray, where they count no more.

    Dice for all count on.
    """
    record, tracked = session.record, session.tracked
    rules, state = record.rules, record.state
    counts = rules.outcome(state) is None and any(face is not None for face in rules.dice(state))
    shared = rules.table_view(state).shared_dice
    return bool(tracked.seen) and not (counts or tracked.loose or shared)


def places_of(view: TableView) -> SeenPlaces:
    """The places on the table, with labels."""
    places, beside = (tuple(map(_place, items)) for items in (view.places, view.beside))
    left = view.left_on_sheets
    labels = None if left is None else tuple(map(Label, left))
    return SeenPlaces(places, view.ring, beside, labels, view.shared_dice)


def _place(item: TableItem) -> SeenPlace:
    label, note = Label(item.key), Label(item.note)
    return SeenPlace(label, item.points, note, item.owner, item.pawns, item.aim, item.chips)


def _goal(goal: Goal) -> SeenGoal:
    return SeenGoal(Label(goal.key), goal.now, goal.needed, goal.bonus)


def _kind_of_slot(session: Session, slot: int) -> DieKind | None:
    """The kind of a die that always has the same slot; None where dice are drawn blind."""
    dice = session.record.rules.dice_kinds
    blind = bool(session.record.kinds) or len(dice) > len(HOLD_BUTTONS)
    return None if blind or slot >= len(dice) else dice[slot]


def _lead(totals: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """The seats with the most points, and how many more they have than the next."""
    most, others = max(totals), sorted(set(totals))[:-1]
    seats = tuple(seat for seat, total in enumerate(totals) if total == most)
    return (seats, most - others[-1]) if others else ((), 0)


def _offer(session: Session, choice: Choice, points: Points | None) -> Offer:
    possible = may_choose(session, choice)
    return Offer(
        Label(choice.key),
        None if points is None else points.points,
        "" if points is None else Label(points.reason),
        _row_filled(session, choice) if possible else "",
        possible,
        possible and is_asked_about(session, choice),
    )


def _row_filled(session: Session, choice: Choice) -> str:
    """The label of the row of the chooser's sheet that a choice fills; empty for none."""
    rules, state = session.record.rules, session.record.state
    ask = rules.ask(state)
    box = box_filled(session, ask.seat, choice) if ask is not None else None
    return "" if ask is None or box is None else Label(rules.sheet(state, ask.seat).rows[box].key)


def record_of(session: Session) -> Record:
    """The game as it was played, as far as it is known to everybody."""
    setup = session.record.setup
    tags = setup.game, session.record.rules.edition, setup.players, setup.options
    return Record(*tags, session.record.events, seed=session.record.seed)
