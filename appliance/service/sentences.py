"""What an announcer says: sentences made of the board's prompts, in the language of the board.

They say everything that somebody needs who cannot see the board: who is next, what was thrown, what
each choice is worth, what it scored, all totals, and what can be done.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from appliance.alerts import Alert
from appliance.rules.game import Goal, Measure, Pass
from appliance.table import prompts
from appliance.table.menu import prompting as menu
from appliance.table.prompts import Spot, TableSpots, holdem
from appliance.table.prompts.turn import Standing
from appliance.table.prompts.wording import (
    dice_in_words,
    label_in_words,
    name_in_words,
    points_in_words,
    row_in_words,
    totals_in_words,
)
from appliance.table.session.session import Scored
from appliance.words import Label, say

_CAPITALS = re.compile(r"[^\W\d_]{2,}")
_LETTERS_THAT_STAY = {"OK", "PIN"}


def news(before: prompts.Prompt | None, now: prompts.Prompt) -> tuple[str, ...]:
    """The sentences of a prompt that were not said at the one before; all of a new throw's."""
    if before is None or _occasion(before) != _occasion(now):
        return sentences(now)
    known = sentences(before)
    return tuple(sentence for sentence in sentences(now) if sentence not in known)


def _occasion(prompt: prompts.Prompt) -> tuple[object, ...]:
    """What makes a prompt another one, rather than the same with something changed."""
    if isinstance(prompt, prompts.DicePrompt):
        return type(prompt), prompt.player, prompt.roll, prompt.dice
    if isinstance(prompt, prompts.ThrowPrompt):
        return type(prompt), prompt.player, prompt.roll, prompt.purpose
    if isinstance(prompt, holdem.BetPrompt):
        return type(prompt), prompt.player, prompt.stage, prompt.pot
    return (type(prompt),)


def sentences(prompt: prompts.Prompt) -> tuple[str, ...]:
    """Everything that there is to say of a prompt, the news first, what can be done last."""
    teller = _TELLERS.get(type(prompt))
    told = prompt.told() if teller is None else teller(prompt)
    return tuple(filter(None, map(_spoken, told)))


def warning(alert: Alert) -> tuple[str, ...]:
    """What is said of something that is wrong."""
    return (_spoken(" ".join(map(say, alert.lines))),)


def _spoken(text: str) -> str:
    """A text as it is spoken: words in capitals would be spelled out by some voices."""

    def small(word: re.Match[str]) -> str:
        found = word[0]
        return found.lower() if found.isupper() and found not in _LETTERS_THAT_STAY else found

    text = _CAPITALS.sub(small, " ".join(text.split()))
    text = text[:1].upper() + text[1:]
    return text if not text or text[-1] in ".?!:" else f"{text}."


def _tell_scored(scored: Scored | None, scorer: str) -> Iterator[str]:
    if scored is None:
        return
    label = label_in_words(Label(scored.choice.key))
    brought = (
        points_in_words(scored.points) if scored.points or not scored.reason else say(scored.reason)
    )
    if isinstance(scored.choice, Pass):
        brought = ""
    yield ", ".join(filter(None, (f"{name_in_words(scorer)}: {label}", brought)))


def _tell_standing(standing: Standing | None) -> Iterator[str]:
    if standing is None:
        return
    yield say(standing.closing)
    if standing.totals:
        yield totals_in_words(standing.totals)


def _tell_aims(table: TableSpots | None) -> Iterator[str]:
    if table is None:
        return
    for spot in table.aims:
        yield _spot(spot)


def _tell_pawn(table: TableSpots | None) -> Iterator[str]:
    """Where the pawn stands on a ring, which decides what the dice are for."""
    if table is not None and table.ring and table.spots:
        here = table.spots[table.here]
        yield say("Your pawn: space {number}, {what}.", number=table.here + 1, what=_spot(here))


def _spot(spot: Spot) -> str:
    """A place or card, whose it is, its points, and what it takes."""
    owner = name_in_words(spot.owner) if spot.owner and not spot.mine else ""
    points = "" if spot.points is None else str(spot.points)
    note = say(spot.note) if spot.note else ""
    return ", ".join(filter(None, (label_in_words(spot.label), owner, points, note)))


def _tell_throw(prompt: prompts.ThrowPrompt) -> Iterator[str]:
    yield from _tell_scored(prompt.scored, prompt.scorer)
    yield from _tell_standing(prompt.standing)
    yield from _tell_pawn(prompt.table)
    yield from _tell_aims(prompt.table)
    if prompt.purpose == "WHO BEGINS":
        yield say("THE HIGHEST BEGINS")
    if prompt.take:
        yield say("Take the dice out of the tray.")
    yield prompt.line_at_buttons


def _tell_dice(prompt: prompts.DicePrompt) -> Iterator[str]:
    if prompt.remark:
        yield say(prompt.remark)
        return
    yield f"{name_in_words(prompt.player)}: {dice_in_words(prompt.dice)}"
    if prompt.rolls > 1:
        # Buttons hold dice by their places.
        row = row_in_words(prompt.dice)
        roll = {"roll": prompt.roll, "rolls": prompt.rolls}
        yield say("Roll {roll} of {rolls}, in order: {dice}.", **roll, dice=row)
    yield from _tell_aims(prompt.table)
    if prompt.held:
        yield say("Held: {dice}.", dice=", ".join(str(slot + 1) for slot in prompt.held))
    elif prompt.may_roll and prompt.decided is None:
        yield say("None held.")
    if prompt.decided is not None:
        yield prompt.line_at_buttons
    else:
        ready = "Throw the others, or OK: {todo}." if prompt.may_roll else "OK: {todo}"
        yield say(ready, todo=say(prompt.purpose))


def _tell_choice(prompt: prompts.ChoicePrompt) -> Iterator[str]:
    if prompt.confirm:
        yield prompt.line_at_buttons
        return
    points = prompt.points
    worth = "" if points.points == 0 and points.reason else points_in_words(points.points)
    reason = say(Label(points.reason)) if points.reason else ""
    yield ", ".join(filter(None, (label_in_words(prompt.label), worth, reason)))
    yield say("{place} of {count}.", place=prompt.index + 1, count=prompt.count)
    yield _to_take_it_or_look_on(prompt.count)


def _to_take_it_or_look_on(count: int) -> str:
    """What can be done in a list of this many."""
    return say("OK takes it, LEFT and RIGHT show others." if count > 1 else "OK takes it.")


def _tell_hint(prompt: prompts.HintPrompt) -> Iterator[str]:
    if prompt.odds:
        for odds in prompt.odds if prompt.row is None else (prompt.odds[prompt.row],):
            yield f"{say(Label(odds.key))} {100 * odds.win:.0f} %, {say(Label(odds.advice))}"
        return
    if prompt.hold is None:
        best = f"{say(prompt.purpose)} {label_in_words(prompt.label)}"
    elif prompt.hold:
        best = say("HOLD {buttons}", buttons=", ".join(str(slot + 1) for slot in prompt.hold))
    else:
        best = say("THROW ALL")
    yield f"{say('HINT')}: {best}"
    if prompt.measure is Measure.TOTAL:
        yield say("EXPECT {points}", points=f"{prompt.expects:.0f}")
    yield prompt.line_at_buttons


def _tell_over(prompt: prompts.OverPrompt) -> Iterator[str]:
    yield say("GAME OVER")
    verb = say("WINS" if len(prompt.winners) == 1 else "WIN")
    if len(prompt.totals) > 1:
        yield f"{', '.join(map(name_in_words, prompt.winners))} {verb}"
    yield totals_in_words(prompt.totals)
    yield say("OK: AGAIN")


def _tell_bet(prompt: holdem.BetPrompt) -> Iterator[str]:
    if prompt.news is not None:
        yield f"{name_in_words(prompt.news[0])}: {say(prompt.news[1])}"
    if prompt.stacks:
        yield totals_in_words(prompt.stacks)
    if prompt.dealer:
        yield say("{player} deals.", player=name_in_words(prompt.dealer))
        yield say("Everybody draws two dice and hides them.")
    yield f"{name_in_words(prompt.player)}, {say(prompt.stage)}"
    if prompt.dice:
        yield ", ".join(f"{say(die.kind)} {die.face}" for die in prompt.dice)
    pot = {"pot": prompt.pot, "chips": prompt.chips}
    yield say("{pot} in the pot, you have {chips}.", **pot)
    if prompt.confirm or not prompt.possible:
        yield prompt.line_at_buttons
        return
    # A call or bet names its chips; a raise puts in more than it names.
    named = not prompt.cost or prompt.label.endswith(f" {prompt.cost}")
    yield say(prompt.label) if named else f"{say(prompt.label)}, {prompt.cost}"
    yield _to_take_it_or_look_on(prompt.count)


def _tell_pot(prompt: holdem.PotPrompt) -> Iterator[str]:
    if prompt.label:
        yield say(prompt.label)
    for pot in prompt.pots:
        yield ", ".join(f"{name_in_words(name)} +{chips}" for name, chips in pot)
    yield prompt.line_at_buttons


def _tell_sheet(prompt: prompts.SheetPrompt) -> Iterator[str]:
    if not prompt.rows:
        yield f"{name_in_words(prompt.player)}, {say('TOTAL')} {prompt.total}"
        for goal in prompt.goals:
            yield say("{have} of {need} for a bonus of {bonus}.", **_goal_values(goal))
    for label, points in prompt.rows:
        yield f"{label_in_words(label)}: {say('open') if points == '-' else points}"


def _goal_values(goal: Goal) -> dict[str, int]:
    return {"have": goal.now, "need": goal.needed, "bonus": goal.bonus}


def _tell_pages(
    prompt: menu.NoticePrompt | menu.TellingPrompt | prompts.WaitPrompt,
) -> Iterator[str]:
    told = (prompt.lines,) if isinstance(prompt, menu.TellingPrompt) else prompt.pages
    for page in told:
        yield " ".join(say(line) for line in page if line)


def _tell_lesson(prompt: menu.LessonPrompt) -> Iterator[str]:
    yield " ".join(map(say, prompt.lines))
    if prompt.shown is not None:
        yield from sentences(prompt.shown)
    yield say("BACK ends the lesson.")


_TELLERS: dict[type[object], Callable[[Any], Iterator[str]]] = {
    prompts.ThrowPrompt: _tell_throw,
    prompts.DicePrompt: _tell_dice,
    prompts.ChoicePrompt: _tell_choice,
    prompts.HintPrompt: _tell_hint,
    prompts.OverPrompt: _tell_over,
    prompts.SheetPrompt: _tell_sheet,
    prompts.WaitPrompt: _tell_pages,
    holdem.BetPrompt: _tell_bet,
    holdem.PotPrompt: _tell_pot,
    menu.NoticePrompt: _tell_pages,
    menu.TellingPrompt: _tell_pages,
    menu.LessonPrompt: _tell_lesson,
}
"""Who tells a prompt of each kind; any other is told by what can be done."""
