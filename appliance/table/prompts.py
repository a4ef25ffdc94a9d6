"""What the board has to say: a prompt is a value that the screens draw."""

from dataclasses import dataclass

from appliance.rules.game import Choose, DieKind, Face, Points, Reveal, Throw
from appliance.table.hinting import HintPrompt, WaitPrompt, hint_prompt
from appliance.table.matching import Why
from appliance.table.recording import undo_count
from appliance.table.session import (
    Browsing,
    Clashing,
    Hinting,
    Leaving,
    Miscounted,
    Playing,
    Scored,
    Session,
    Sheet,
    Telling,
    Undoing,
    dice_on_table,
    ranked_choices,
    slot_kinds,
)
from appliance.table.throws import may_roll_again
from vision.reading import DieState, TrayState

Dice = tuple[Face | None, ...]


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


@dataclass(frozen=True, slots=True)
class ChoicePrompt:
    """Shows one choice of the list and waits for OK, LEFT, RIGHT or BACK."""

    player: str
    label: str
    points: Points
    index: int
    count: int
    dice: Dice
    confirm: bool = False


@dataclass(frozen=True, slots=True)
class TellPrompt:
    """Asks which face a die shows: LEFT and RIGHT change it, OK accepts, or it is thrown again.

    Attributes:
        name: the die, as the board calls it.
        index: where it is among `dice`.
        face: the face proposed.
        state: how it was read; None when a die on record is put right.
        dice: the other dice of the throw; None for those not told yet.
    """

    name: str
    index: int
    face: Face
    state: DieState | None
    dice: Dice


@dataclass(frozen=True, slots=True)
class CountPrompt:
    """Says that the number of dice in the tray is wrong."""

    player: str
    seen: int
    expected: int


@dataclass(frozen=True, slots=True)
class ClashPrompt:
    """Says that a throw contradicts the holds; OK counts it as it lies, BACK does not."""

    slot: int
    why: Why


@dataclass(frozen=True, slots=True)
class UndoPrompt:
    """Shows what would be taken back."""

    label: str
    steps: int


@dataclass(frozen=True, slots=True)
class SheetPrompt:
    """Two rows of a player's sheet, or the player's total."""

    player: str
    total: int
    rows: tuple[tuple[str, str], ...]
    index: int


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
    | OverPrompt
    | NewGamePrompt
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
        case Miscounted(miscount):
            return CountPrompt(player, miscount.seen, miscount.expected)
        case Clashing(clash):
            return ClashPrompt(clash.slot, clash.why)
        case Undoing(steps):
            event = session.events[len(session.events) - undo_count(session, steps)]
            return UndoPrompt(getattr(event, "label", ""), steps)
        case Sheet() as sheet:
            return _sheet(session, sheet)
        case Leaving():
            return NewGamePrompt()
        case Hinting() as hinting:
            return hint_prompt(session, hinting)
        case Playing():
            pass
    if ask is None:
        return _over(session)
    if isinstance(ask, Choose) and not dice_on_table(session):
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
        )
    return _throw(session, ask, player)


def _browse(session: Session, player: str, index: int, confirm: bool) -> ChoicePrompt:
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
    )


def _tell(session: Session, mode: Telling, dice: Dice) -> TellPrompt:
    if mode.answer is None:
        return TellPrompt(f"DIE {mode.slot + 1}", mode.slot, mode.face, None, dice)
    kinds = slot_kinds(session)
    kind = kinds[mode.slot] if mode.slot < len(kinds) else kinds[0]
    odd = kinds.count(kind) == 1
    name = f"{kind} DIE".upper() if odd else f"DIE {mode.slot + 1}"
    told = dict(mode.told) | {slot: dice[slot] for slot in mode.answer.kept}
    slots = sorted([*mode.answer.kept, *(seen.slot for seen in mode.answer.thrown)])
    reading = next(s.reading for s in mode.answer.thrown if s.slot == mode.slot)
    shown = tuple(told.get(slot) for slot in slots)
    return TellPrompt(name, slots.index(mode.slot), mode.face, reading.state, shown)


def _sheet(session: Session, sheet: Sheet) -> SheetPrompt:
    view = session.rules.sheet(session.state, sheet.seat)
    cells = tuple((r.label, "-" if r.points is None else str(r.points)) for r in view.rows)
    pages = (len(cells) + 1) // 2
    index = sheet.row % pages
    return SheetPrompt(
        session.setup.players[sheet.seat],
        view.total,
        cells[2 * index : 2 * index + 2],
        index,
    )


def _over(session: Session) -> OverPrompt:
    outcome = session.rules.outcome(session.state)
    names = session.setup.players
    if outcome is None:
        return OverPrompt((), ())
    totals = sorted(zip(names, outcome.scores, strict=True), key=lambda t: -t[1])
    return OverPrompt(tuple(names[s] for s in outcome.winners), tuple(totals))
