"""Which prompt a session of a game calls for now."""

from dataclasses import replace

from appliance.table.prompts.betting import BetPrompt, BettingPrompt
from appliance.table.prompts.looking import UndoPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, EntryPrompt, FacePrompt
from appliance.table.prompts.turn import (
    OTHER_CHOICES,
    ChoicePrompt,
    Dice,
    DicePrompt,
    OverPrompt,
    ThinkingPrompt,
    ThrowPrompt,
)
from appliance.table.session import betting, modes
from appliance.table.session import session as sessions
from appliance.table.session.hinting import hint_prompt
from appliance.table.session.listing import (
    count_of_entries,
    lists_at_once,
    must_throw,
    offers,
    only_passes,
    opens_others,
    ranked_choices,
)
from appliance.table.session.matching import NOT_SEEN, Clash, Miscount, Why
from appliance.table.session.recording import put_back, taken_back, undo_count
from appliance.table.session.session import Session, player_choices
from appliance.table.session.sheets import (
    box_filled,
    look_prompt,
    open_boxes,
    sheet_prompt,
    table_spots,
)
from appliance.table.session.standing import standing
from appliance.table.session.throws import may_go_back, may_keep, may_roll_again
from appliance.words import Label
from games.values import (
    Choice,
    Choose,
    Corrected,
    Face,
    Keep,
    Left,
    Pass,
    Points,
    Recoloured,
    Reveal,
    Slot,
    Throw,
)

MAX_DICE_SIDE_BY_SIDE = 6
"""How many dice the board shows in a row."""


def prompt_behind_hint(session: Session) -> Prompt:
    """The prompt behind a hint, which is only for those at the tray; otherwise as `prompt`."""
    return prompt(replace(session, mode=modes.mode_behind_hint(session.mode)))


def prompt(session: Session) -> Prompt:
    """The prompt for the board now."""
    match mode := session.mode:
        case modes.Playing() | modes.LookingOver():
            return _game_prompt(session, mode)
        case modes.Browsing():
            return _choice_prompt(session, mode)
        case modes.EnteringFace():
            return _face_prompt(session, mode)
        case modes.EnteringColour():
            return betting.colour_prompt(session, mode)
        case modes.EnteringThrow():
            return _entry_prompt(session, mode)
        case modes.Turned():
            return _turned_prompt(session, mode)
        case modes.Miscounted(miscount, again):
            return replace(_count_prompt(session, miscount), again=again)
        case modes.Clashing(clash, again):
            return replace(_clash_prompt(session, clash), again=again)
        case modes.Undoing(steps):
            return undo_prompt(session, steps)
        case modes.ViewingSheet():
            return sheet_prompt(session, mode)
        case modes.Hinting():
            return hint_prompt(session, mode)


def _clash_prompt(session: Session, clash: Clash) -> ClashPrompt:
    name, back = sessions.die_name(session, clash.slot), may_go_back(session, clash)
    was, now = _faces_of_clash(session, clash)
    return ClashPrompt(clash.slot, clash.why, name, back, clash.idle, was=was, now=now)


def _faces_of_clash(session: Session, clash: Clash) -> tuple[Face | None, Face | None]:
    """The faces before and now of the die that a clash is about; None where not known.

    Of a throw of several dice one number would be taken for all that OK counts.
    """
    if clash.why is not Why.CHANGED and not (clash.why is Why.HELD and clash.idle):
        return None, None
    faces = session.record.dice
    was = faces[clash.slot] if clash.slot < len(faces) else None
    thrown = {die.slot: die.reading for die in clash.answer.thrown}
    seen = thrown.get(clash.slot)
    return was, seen.value if seen is not None and seen.sure else None


def _game_prompt(session: Session, mode: modes.Playing | modes.LookingOver) -> Prompt:
    """The prompt for what the game is waiting for, or for what is looked over."""
    looked = look_prompt(session, mode) if isinstance(mode, modes.LookingOver) else None
    if looked is not None:
        return looked
    ask = session.record.ask
    if ask is None:
        return _over_prompt(session)
    computing, lists = sessions.is_computers_turn(session), lists_at_once(session)
    if computing and (isinstance(ask, Reveal) or lists):
        return _thinking_prompt(session, ask)
    if isinstance(ask, Choose):
        return _choice_prompt(session, modes.Browsing(0)) if lists else _dice_prompt(session, ask)
    if sessions.asks_colours(ask) and not session.tray.blind:
        return betting.deal_prompt(session, ask)
    return _throw_prompt(session, ask)


def _player_asked(session: Session) -> str:
    """The name of the player whose turn it is; empty if the game is over."""
    ask = session.record.ask
    return session.record.setup.players[ask.seat] if ask is not None else ""


def _thinking_prompt(session: Session, ask: Choose | Reveal | Throw) -> Prompt:
    """The prompt while a computer decides: its bet, or the dice that others show."""
    shown = betting.choose_prompt(session, ask, 0) if isinstance(ask, Choose) else None
    if shown is not None and not isinstance(shown, BetPrompt):
        return shown
    return ThinkingPrompt(_player_asked(session), shown)


def _dice_prompt(session: Session, ask: Choose) -> DicePrompt:
    held = sessions.held_slots(session)
    purpose = Pass().key if only_passes(session) else ask.purpose
    return DicePrompt(
        player=_player_asked(session),
        roll=ask.roll,
        rolls=ask.rolls,
        dice=session.record.dice,
        held=tuple(sorted(held)),
        purpose="" if must_throw(session) else Label(purpose),
        may_roll=may_roll_again(session),
        may_throw=len(held) == len(session.record.dice) or may_keep(session, held),
        tray=session.tray.state,
        remark=session.remark,
        table=table_spots(session, ask.seat),
        blind=session.tray.blind,
        decided=sessions.has_decided(session) if sessions.is_computers_turn(session) else None,
    )


def _turned_prompt(session: Session, mode: modes.Turned) -> FacePrompt:
    dice = session.record.dice
    first, row = _row_of_dice(session, mode.slot, dice)
    name = sessions.die_name(session, mode.slot)
    turned = dice[mode.slot]
    return FacePrompt(name, mode.slot - first, mode.face, None, row, turned=turned)


def undo_prompt(session: Session, steps: int) -> UndoPrompt:
    """What the last `steps` choices were; with 0, what the last undo took back."""
    before = session.record.undone(undo_count(session, steps))
    again, taken = not steps, session.record.events[len(before.events) :]
    if again:
        taken = taken_back(session)
        steps = len(player_choices(put_back(session))) - len(player_choices(session))
    event, ask = taken[0], before.ask
    seat = event.seat if isinstance(event, Left) else ask.seat if ask is not None else 0
    names = session.record.setup.players
    also = tuple(name for name in sessions.computers_in(before, taken) if name != names[seat])
    shown = UndoPrompt(names[seat], "", steps, again=again, computers=also)
    if isinstance(event, Corrected | Recoloured):
        return replace(shown, label=f"{sessions.die_name(session, Slot(event.slot))} SET")
    if isinstance(event, Keep):
        # More dice than fit into a row lie there only where none are held.
        return replace(shown, label=Label(event.key), dice=before.dice, held=event.slots)
    return replace(shown, label=Label(event.key) if isinstance(event, Choice) else "")


def _choice_prompt(session: Session, mode: modes.Browsing) -> ChoicePrompt | BettingPrompt:
    ask, index = session.record.ask, mode.index
    if isinstance(ask, Choose) and (
        special := betting.choose_prompt(session, ask, index, confirm=mode.confirm)
    ):
        return special
    ranked, entries, worth = ranked_choices(session), count_of_entries(session), offers(session)
    opens = opens_others(session, mode)
    # Those that score less are a list of their own.
    first, end = (entries, len(ranked)) if mode.less else (0, entries + (entries < len(ranked)))
    choice, best = ranked[index % len(ranked)], worth[ranked[0]] or Points(0)
    boxes = () if ask is None else open_boxes(session, ask.seat)
    fills = ask is not None and boxes and not opens
    return ChoicePrompt(
        player=_player_asked(session),
        label=Label(OTHER_CHOICES if opens else choice.key),
        points=Points(best.points) if opens else worth[choice] or Points(0),
        index=index % len(ranked) - first,
        count=end - first,
        dice=sessions.dice_on_table(session),
        confirm=mode.confirm,
        table=None if ask is None else table_spots(session, ask.seat),
        purpose=Label(ask.purpose) if isinstance(ask, Choose) else "",
        boxes=boxes,
        box=box_filled(session, ask.seat, choice) if ask is not None and fills else None,
    )


def _throw_prompt(session: Session, ask: Throw | Reveal) -> ThrowPrompt:
    scored = session.scored
    kinds = [die.kind for die in ask.dice]
    return ThrowPrompt(
        player=_player_asked(session),
        roll=ask.roll if isinstance(ask, Throw) else 1,
        rolls=ask.rolls if isinstance(ask, Throw) else 1,
        purpose=Label(ask.purpose),
        slots=tuple([die.slot for die in ask.dice]),
        kind=kinds[0] if len(set(kinds)) == 1 else None,
        tray=session.tray.state,
        take=session.tray.lying >= max(2, len(ask.dice)) and not session.tray.blind,
        scored=scored,
        scorer=session.record.setup.players[scored.seat] if scored else "",
        table=table_spots(session, ask.seat),
        odd=kinds[-1] if len(set(kinds)) == 2 and kinds.count(kinds[-1]) == 1 else None,
        blind=session.tray.blind,
        standing=standing(session, ask),
    )


def _entry_prompt(session: Session, mode: modes.EnteringThrow) -> EntryPrompt:
    faces, dice = dict(mode.faces), session.record.dice
    every = {**{slot: dice[slot] for slot in mode.kept}, **faces}
    row = sorted(every) if len(every) <= MAX_DICE_SIDE_BY_SIDE else sorted(faces)
    shown = tuple(every[slot] for slot in row)
    name = sessions.die_name(session, mode.slot)
    return EntryPrompt(_player_asked(session), name, shown, row.index(mode.slot))


def _face_prompt(session: Session, mode: modes.EnteringFace) -> FacePrompt:
    name, dice = sessions.die_name(session, mode.slot), session.record.dice
    if mode.answer is None:
        first, row = _row_of_dice(session, mode.slot, dice)
        return FacePrompt(name, mode.slot - first, mode.face, None, row)
    faces = dict(mode.faces) | {slot: dice[slot] for slot in mode.answer.kept}
    slots = sorted([*mode.answer.kept, *(seen.slot for seen in mode.answer.thrown)])
    reading = next(s.reading for s in mode.answer.thrown if s.slot == mode.slot)
    shown = tuple(faces.get(slot) for slot in slots)
    index = slots.index(mode.slot)
    return FacePrompt(name, index, mode.face, reading.state, shown, reading.aside)


def _row_of_dice(session: Session, slot: Slot, dice: Dice) -> tuple[int, Dice]:
    """The first slot of the row of dice that a die is shown in, and that row.

    A die of which alone a decision is about, as the red one, is shown alone.
    """
    aside = session.record.rules.aside(session.record.state)
    if slot in aside and dict(enumerate(dice)).get(slot) is None:
        return min(aside), tuple(aside[other] for other in sorted(aside))
    if all(face is None for other, face in enumerate(dice) if other != slot):
        return slot, dice[slot : slot + 1]
    if len(dice) <= MAX_DICE_SIDE_BY_SIDE:
        return 0, dice
    _, first, end = sessions.dice_key_of(session, slot)
    return first, dice[first:end]


def _count_prompt(session: Session, miscount: Miscount) -> CountPrompt:
    """Names the missing dice if it is known which: the odd ones, and kept ones."""
    answer, names = miscount.answer, []
    if answer is not None:
        lying = set(session.tracked.slots.values())
        names = [sessions.die_name(session, slot) for slot in answer.kept if slot not in lying]
        unseen = [seen.slot for seen in answer.thrown if seen.reading is NOT_SEEN]
        # One of several black dice that were thrown could be any of them.
        odd = [sessions.die_name(session, slot) for slot in unseen]
        names += [name for name in odd if not is_one_of_several(name)]
    certain = tuple(names) if len(names) == miscount.expected - miscount.seen else ()
    return CountPrompt(_player_asked(session), miscount.seen, miscount.expected, certain)


def is_one_of_several(name: str) -> bool:
    """True for the name of a die that has only its place to be told from others by."""
    return isinstance(name, Label) and name.key.startswith("die ")


def _over_prompt(session: Session) -> OverPrompt:
    outcome = session.record.rules.outcome(session.record.state)
    names = session.record.setup.players
    if outcome is None:
        return OverPrompt((), ())
    totals = sorted(zip(names, outcome.scores, strict=True), key=lambda t: -t[1])
    winners = tuple(names[s] for s in outcome.winners)
    return OverPrompt(winners, tuple(totals), session.scored, names)
