"""What the board has to say: a prompt is a value that the screens draw."""

from dataclasses import dataclass

from appliance.rules.game import Choose, DieKind, Face, Points, Reveal, Throw
from appliance.rules.holdem_state import COMMUNITY
from appliance.table.hinting import HintPrompt, WaitPrompt, hint_prompt
from appliance.table.holdem_prompts import (
    HoldemPrompt,
    choose_prompt,
    colour_prompt,
    deal_prompt,
    die_name,
)
from appliance.table.matching import NOT_SEEN, Miscount, Why
from appliance.table.recording import undo_count
from appliance.table.session import (
    Browsing,
    Clashing,
    Colouring,
    Hinting,
    Leaving,
    Miscounted,
    Playing,
    Scored,
    Session,
    Sheet,
    Telling,
    Turned,
    Undoing,
    asks_colours,
    colours_on_table,
    dice_on_table,
    lists_at_once,
    ranked_choices,
    slot_kinds,
)
from appliance.table.sheets import MapPrompt as MapPrompt
from appliance.table.sheets import PlacePrompt as PlacePrompt
from appliance.table.sheets import SheetPrompt as SheetPrompt
from appliance.table.sheets import Spot as Spot
from appliance.table.sheets import TableSpots as TableSpots
from appliance.table.sheets import sheet_prompt, table_spots
from appliance.table.throws import may_roll_again
from vision.reading import DieState, TrayState

Dice = tuple[Face | None, ...]

ROW = 6
"""How many dice the board shows side by side."""


@dataclass(frozen=True, slots=True)
class ThrowPrompt:
    """Waits for a throw.

    Attributes:
        player: whose turn it is.
        roll: which roll of the turn comes, from 1.
        rolls: how many rolls the turn may have.
        purpose: what the throw is for.
        slots: the dice to throw, by slot.
        kind: what they are, if they are all of one kind.
        dice: the dice already on the table; None for those to be thrown.
        tray: what goes on in the tray.
        take: dice of an earlier turn still lie in the tray.
        scored: what the turn before brought, while it is news.
        scorer: who scored it.
        table: what lies on the table for all; None where nothing does.
    """

    player: str
    roll: int
    rolls: int
    purpose: str
    slots: tuple[int, ...]
    kind: DieKind | None
    dice: Dice
    tray: TrayState
    take: bool
    scored: Scored | None = None
    scorer: str = ""
    table: TableSpots | None = None


@dataclass(frozen=True, slots=True)
class DicePrompt:
    """Shows the dice and waits for holds, another throw, or OK for the choices.

    Attributes:
        player: whose turn it is.
        roll: which roll lies on the table.
        rolls: how many rolls the turn may have.
        dice: faces by slot.
        held: slots held by buttons.
        purpose: what the decision is about.
        may_roll: whether another throw is allowed.
        tray: what goes on in the tray.
        remark: a short remark on the last press or throw.
        table: what lies on the table for all; None where nothing does.
    """

    player: str
    roll: int
    rolls: int
    dice: Dice
    held: tuple[int, ...]
    purpose: str
    may_roll: bool
    tray: TrayState
    remark: str = ""
    table: TableSpots | None = None


@dataclass(frozen=True, slots=True)
class ChoicePrompt:
    """Shows one choice of the list and waits for OK, LEFT, RIGHT or BACK.

    Attributes:
        player: who chooses.
        label: the choice.
        points: what it gives, and why.
        index: where in the list it is.
        count: how long the list is.
        dice: the dice that it is about; empty for none.
        confirm: whether OK was pressed for a zero and must be pressed again.
        table: what lies on the table for all; None where nothing does.
        purpose: what is chosen.
    """

    player: str
    label: str
    points: Points
    index: int
    count: int
    dice: Dice
    confirm: bool = False
    table: TableSpots | None = None
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class TellPrompt:
    """Asks which face a die shows: LEFT and RIGHT change it, OK accepts, or it is thrown again.

    Attributes:
        name: the die, as the board calls it.
        index: where it is among `dice`.
        face: the face proposed.
        state: how it was read; None when a die on record is put right.
        dice: the other dice of the throw; None for those not told yet.
        aside: whether it lies outside the tray.
        turned: the face on record of a die that was turned by mistake; None for none.
    """

    name: str
    index: int
    face: Face
    state: DieState | None
    dice: Dice
    aside: bool = False
    turned: Face | None = None


@dataclass(frozen=True, slots=True)
class CountPrompt:
    """Says that the number of dice in the tray is wrong.

    Attributes:
        player: whose turn it is.
        seen: dice seen.
        expected: dice needed.
        missing: the dice that are missing, as the board calls them, if that is known.
    """

    player: str
    seen: int
    expected: int
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClashPrompt:
    """Says that a throw contradicts the holds; OK counts it as it lies, BACK does not."""

    slot: int
    why: Why
    name: str = ""


@dataclass(frozen=True, slots=True)
class UndoPrompt:
    """Shows what would be taken back."""

    label: str
    steps: int


@dataclass(frozen=True, slots=True)
class OverPrompt:
    """The game is over: who won, and all totals, best first."""

    winners: tuple[str, ...]
    totals: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class NewGamePrompt:
    """Asks whether a new game shall begin."""


Prompt = (
    ThrowPrompt
    | DicePrompt
    | ChoicePrompt
    | TellPrompt
    | CountPrompt
    | ClashPrompt
    | UndoPrompt
    | SheetPrompt
    | MapPrompt
    | PlacePrompt
    | OverPrompt
    | NewGamePrompt
    | HoldemPrompt
    | HintPrompt
    | WaitPrompt
)


def prompt(session: Session) -> Prompt:
    """What the board has to say now."""
    rules, state = session.rules, session.state
    names = session.setup.players
    ask = rules.ask(state)
    player = names[ask.seat] if ask is not None else ""
    dice = rules.dice(state)
    match session.mode:
        case Browsing(index, confirm):
            return _browse(session, player, index, confirm)
        case Telling() as mode:
            return _tell(session, mode, dice)
        case Colouring() as mode:
            return colour_prompt(session, mode)
        case Turned(slot, face):
            first, row = _row(slot, dice)
            name = _name(session, slot)
            return TellPrompt(name, slot - first, face, None, row, turned=dice[slot])
        case Miscounted(miscount):
            return _count(session, player, miscount)
        case Clashing(clash):
            return ClashPrompt(clash.slot, clash.why, _name(session, clash.slot))
        case Undoing(steps):
            event = session.events[len(session.events) - undo_count(session, steps)]
            return UndoPrompt(getattr(event, "label", ""), steps)
        case Sheet() as sheet:
            return sheet_prompt(session, sheet)
        case Leaving():
            return NewGamePrompt()
        case Hinting() as hinting:
            return hint_prompt(session, hinting)
        case Playing():
            pass
    if ask is None:
        return _over(session)
    if isinstance(ask, Choose) and lists_at_once(session):
        return _browse(session, player, 0, False)
    if isinstance(ask, Choose):
        may_roll = may_roll_again(session)
        held = tuple(sorted(session.holds))
        return DicePrompt(
            player=player,
            roll=ask.roll,
            rolls=ask.rolls,
            dice=dice,
            held=held,
            purpose=ask.purpose,
            may_roll=may_roll,
            tray=session.tray,
            remark=session.remark,
            table=table_spots(session, ask.seat),
        )
    if asks_colours(ask):
        return deal_prompt(session, ask)
    return _throw(session, ask, player)


def _browse(
    session: Session, player: str, index: int, confirm: bool
) -> ChoicePrompt | HoldemPrompt:
    ask = session.rules.ask(session.state)
    if isinstance(ask, Choose) and (special := choose_prompt(session, ask, index)):
        return special
    ranked = ranked_choices(session)
    choice = ranked[index % len(ranked)]
    return ChoicePrompt(
        player=player,
        label=choice.label,
        points=session.rules.preview(session.state, choice) or Points(0),
        index=index % len(ranked),
        count=len(ranked),
        dice=dice_on_table(session),
        confirm=confirm,
        table=None if ask is None else table_spots(session, ask.seat),
        purpose=ask.purpose if isinstance(ask, Choose) else "",
    )


def _throw(session: Session, ask: Throw | Reveal, player: str) -> ThrowPrompt:
    held = set(session.rules.held(session.state))
    known = session.rules.dice(session.state)
    dice = tuple(face if slot in held else None for slot, face in enumerate(known))
    scored = session.scored
    return ThrowPrompt(
        player=player,
        roll=ask.roll if isinstance(ask, Throw) else 1,
        rolls=ask.rolls if isinstance(ask, Throw) else 1,
        purpose=ask.purpose,
        slots=tuple(die.slot for die in ask.dice),
        kind=ask.dice[0].kind if len({die.kind for die in ask.dice}) == 1 else None,
        dice=dice,
        tray=session.tray,
        take=session.lying >= max(2, len(ask.dice)),
        scored=scored,
        scorer=session.setup.players[scored.seat] if scored else "",
        table=table_spots(session, ask.seat),
    )


def _tell(session: Session, mode: Telling, dice: Dice) -> TellPrompt:
    name = _name(session, mode.slot)
    if mode.answer is None:
        first, row = _row(mode.slot, dice)
        return TellPrompt(name, mode.slot - first, mode.face, None, row)
    told = dict(mode.told) | {slot: dice[slot] for slot in mode.answer.kept}
    slots = sorted([*mode.answer.kept, *(seen.slot for seen in mode.answer.thrown)])
    reading = next(s.reading for s in mode.answer.thrown if s.slot == mode.slot)
    shown = tuple(told.get(slot) for slot in slots)
    index = slots.index(mode.slot)
    return TellPrompt(name, index, mode.face, reading.state, shown, reading.aside)


def _name(session: Session, slot: int) -> str:
    """A die as the board calls it: by its number, or by its kind where no other is like it."""
    if colours_on_table(session):
        return die_name(slot)
    kinds = slot_kinds(session)
    kind = kinds[min(slot, len(kinds) - 1)] if kinds else DieKind.BLACK
    odd = kinds.count(kind) == 1 and kind is not DieKind.BLACK
    return f"{kind} DIE".upper() if odd else f"DIE {slot + 1}"


def _row(slot: int, dice: Dice) -> tuple[int, Dice]:
    """The row of dice that one is shown in, and the slot that the row begins with."""
    if len(dice) <= ROW:
        return 0, dice
    return (0, dice[:COMMUNITY]) if slot < COMMUNITY else (COMMUNITY, dice[COMMUNITY:])


def _count(session: Session, player: str, miscount: Miscount) -> CountPrompt:
    """Names the dice that are missing where it is known which: the odd ones, and kept ones."""
    answer, names = miscount.answer, []
    if answer is not None:
        lying = {place for _, place in session.places}
        names = [_name(session, slot) for slot in answer.kept if slot not in lying]
        unseen = [seen.slot for seen in answer.thrown if seen.reading is NOT_SEEN]
        # One of several black dice that were thrown could be any of them.
        odd = [_name(session, slot) for slot in unseen]
        names += [name for name in odd if not name.startswith("DIE")]
    certain = tuple(names) if len(names) == miscount.expected - miscount.seen else ()
    return CountPrompt(player, miscount.seen, miscount.expected, certain)


def _over(session: Session) -> OverPrompt:
    outcome = session.rules.outcome(session.state)
    names = session.setup.players
    if outcome is None:
        return OverPrompt((), ())
    totals = sorted(zip(names, outcome.scores, strict=True), key=lambda t: -t[1])
    return OverPrompt(tuple(names[s] for s in outcome.winners), tuple(totals))
