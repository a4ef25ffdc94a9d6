"""What people can do now, in a line of plain words with the keys for it, for screens with text."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from appliance.guidance import (
    GO_BACK,
    SHOW_OTHERS,
    YES_ANOTHER,
    YES_NO,
    Guidance,
    guidance,
)
from appliance.inputs import Key
from appliance.rules.computers import strength_of
from appliance.rules.game import DieKind, Face
from appliance.table import prompts
from appliance.table.menu import prompting as menu
from appliance.table.menu.reviewing import DecisionPrompt
from appliance.table.prompts import holdem
from appliance.table.prompts.wording import count_of_dice
from appliance.words import Verbatim, say
from calibration.wizard.pointing import ZOOMS
from calibration.wizard.prompts import (
    CheckPrompt,
    ItemsPrompt,
    PagePrompt,
    PointPrompt,
    WizardPrompt,
)


def guidance_for(prompt: prompts.Prompt, hands: bool = True) -> Guidance:
    """What can be done at a prompt; with `hands` SPACE throws dice; else people throw real ones."""
    situation = SITUATIONS.get(type(prompt))
    return prompt.can_do(hands) if situation is None else situation(prompt, hands)


P = TypeVar("P")
Situation = Callable[[Any, bool], Guidance]
"""What can be done at a prompt of one kind, with or without hands."""


def _situation(
    kind: type[P], guides: Callable[[P, bool], Guidance]
) -> tuple[type[object], Situation]:
    """A row of the table, in which the function takes prompts of that kind."""
    return kind, guides


def _to_throw(prompt: prompts.ThrowPrompt, hands: bool) -> Guidance:
    if prompt.blind:
        return _to_throw_unseen(prompt.player)
    dice = count_of_dice(len(prompt.slots))
    if len(prompt.slots) == 1 and prompt.kind not in (None, DieKind.BLACK):
        dice = say(f"the {prompt.kind} die")
    return _throw_guidance(prompt.player, dice, hands)


def _to_roll_off(prompt: menu.RollOffPrompt, hands: bool) -> Guidance:
    if prompt.blind:
        return _to_throw_unseen(prompt.player)
    return _throw_guidance(prompt.player, count_of_dice(1), hands)


def _to_throw_unseen(player: str) -> Guidance:
    return guidance("{player}: throw your dice", "ENTER|enters what they show", player=player)


def _to_deal(prompt: holdem.DealPrompt, hands: bool) -> Guidance:
    dice = count_of_dice(prompt.count)
    stage = say(prompt.purpose)
    return _throw_guidance(
        prompt.player, say("{dice} for the {stage}", dice=dice, stage=stage), hands
    )


def _to_show_own_dice(prompt: holdem.ShowPrompt, hands: bool) -> Guidance:
    if hands:
        return guidance(Verbatim(prompt.player), "s|puts your own dice in the tray")
    return guidance("{player}: put your own dice in the tray", player=prompt.player)


def _to_wait_for_computer(prompt: prompts.ThinkingPrompt | prompts.DicePrompt, _: bool) -> Guidance:
    return guidance("{player} is thinking", "ENTER|skips the wait", player=prompt.player)


def _to_hold(prompt: prompts.DicePrompt, hands: bool) -> Guidance:
    if prompt.decided is False:
        return _to_wait_for_computer(prompt, hands)
    if prompt.decided and hands:
        return guidance("{player} throws the others", player=prompt.player)
    if prompt.decided:
        return guidance("{player}: throw the others into the tray", player=prompt.player)
    ends = {"SCORE": "ENTER|scores", "PASS": "ENTER|passes"}.get(prompt.purpose, "ENTER|chooses")
    says = prompt.player if not prompt.remark else f"{prompt.player}: {say(prompt.remark)}"
    if not prompt.may_roll:
        return guidance(Verbatim(says), ends)
    kept = " ".join(str(slot + 1) for slot in prompt.held)
    hold = "1-{count}|hold (now {kept})" if kept else "1-{count}|hold"
    again = "SPACE|rolls again" if hands else "throw|the others"
    keys = (hold, again, ends)
    return guidance(Verbatim(says), *keys, count=len(prompt.dice), kept=kept)


def _to_choose(prompt: prompts.ChoicePrompt, _: bool) -> Guidance:
    label = say(prompt.label)
    if prompt.confirm:
        return guidance("{player}: really {label}?", *YES_NO, player=prompt.player, label=label)
    return guidance(Verbatim(prompt.player), "ENTER|chooses {label}", SHOW_OTHERS, label=label)


def _to_bet(prompt: holdem.BetPrompt, hands: bool) -> Guidance:
    label = say(prompt.label)
    if prompt.confirm:
        return guidance("{player}: really {label}?", *YES_NO, player=prompt.player, label=label)
    if not prompt.possible:
        no = "{player}: {label} is not possible now"
        return guidance(no, SHOW_OTHERS, player=prompt.player, label=label)
    keys = ("ENTER|chooses {label}", SHOW_OTHERS, hands and "p|shows your own dice")
    return guidance(Verbatim(prompt.player), *keys, label=label)


def _to_count_hand(prompt: holdem.HandPrompt, _: bool) -> Guidance:
    label = say(prompt.label)
    return guidance(Verbatim(prompt.player), "ENTER|counts it as {label}", label=label)


def _to_say_colour(prompt: holdem.ColourPrompt, _: bool) -> Guidance:
    return _to_confirm(say(prompt.name), prompt.kind, say("which colour?"))


def _to_confirm(die: str, proposed: Face | None, open_question: str, *keys: str | bool) -> Guidance:
    """Asks whether a die is what is proposed or, where nothing is, what it is."""
    if proposed is None:
        return guidance(Verbatim(f"{die}: {open_question}"), SHOW_OTHERS, *keys)
    asks = say("is it {face}?", face=say(str(proposed)))
    return guidance(Verbatim(f"{die}: {asks}"), *YES_ANOTHER, *keys)


def _to_answer(prompt: menu.QuestionPrompt, _: bool) -> Guidance:
    who = f"{prompt.player}: " if prompt.player else ""
    return guidance(Verbatim(who + say(prompt.question)), *YES_NO)


def _to_go_through(prompt: menu.ListPrompt, _: bool) -> Guidance:
    # A record shows its points there.
    takes, points = ("ENTER|ok", "") if prompt.ok.isalpha() else ("ENTER|goes back", prompt.ok)
    what = " ".join((*map(say, prompt.lines), points)).rstrip()
    asked = say(prompt.title) if prompt.title.endswith("?") else f"{say(prompt.title)}:"
    return guidance(Verbatim(f"{asked} {what}."), takes, SHOW_OTHERS, GO_BACK)


def _to_review(prompt: DecisionPrompt, _: bool) -> Guidance:
    said = prompt.said
    what = " ".join(map(say, said.lines))
    return guidance(Verbatim(f"{say(said.title)}: {what}."), SHOW_OTHERS, GO_BACK)


def _to_name(prompt: menu.NamePrompt, _: bool) -> Guidance:
    entry = prompt.entry
    takes = "ENTER|takes {letter}" if entry.letter else "ENTER|takes the name"
    keys = ("letters|type it", takes, "← →|other letters", "BACKSPACE|deletes")
    return guidance("Name {name}", *keys, name=entry.text, letter=entry.letter)


def _to_set_brightness(prompt: menu.BrightnessPrompt, _: bool) -> Guidance:
    keys = ("← →|change it", "ENTER|finishes")
    return guidance("Brightness {level}", *keys, level=prompt.level)


def _to_compare_modules(_: menu.ModulesPrompt, __: bool) -> Guidance:
    keys = ("ENTER|yes", "← →|another layout", GO_BACK)
    return guidance("Does the board show 1 to 8, then 9 and A to G, upright?", *keys)


def _to_read_on(prompt: menu.TellingPrompt, _: bool) -> Guidance:
    keys = ("← →|turn pages", "ENTER|next", GO_BACK)
    return guidance(Verbatim(" ".join(map(say, prompt.lines))), *keys)


def _to_follow_lesson(prompt: menu.LessonPrompt, hands: bool) -> Guidance:
    says = f"{prompt.index + 1}/{prompt.count}: {' '.join(map(say, prompt.lines))}"
    if prompt.shown is None:
        return guidance(Verbatim(says), "ENTER|next", "b|ends it")
    can = guidance_for(prompt.shown, hands)
    ends = guidance("", "b|ends it").keys
    keys = (key for key in can.keys if key.key is not Key.BACK)
    return Guidance(says, (*keys, *ends))


def _to_read_notice(prompt: menu.NoticePrompt, hands: bool) -> Guidance:
    if prompt.about_die:
        throws = hands and "SPACE|throws a die"
        return guidance("Show one die", throws, "← →|its face", "ENTER|ok", GO_BACK)
    return guidance("", "ENTER|continues" if prompt.passing else GO_BACK)


def _to_end(_: prompts.OverPrompt, hands: bool) -> Guidance:
    return guidance("The game is over", "ENTER|asks for another", "m|menu", "q|leaves")


SITUATIONS: Mapping[type[object], Situation] = dict(
    (
        # Dice are to be thrown, or lie in the tray.
        _situation(prompts.ThrowPrompt, _to_throw),
        _situation(menu.RollOffPrompt, _to_roll_off),
        _situation(holdem.DealPrompt, _to_deal),
        _situation(holdem.ShowPrompt, _to_show_own_dice),
        _situation(prompts.ThinkingPrompt, _to_wait_for_computer),
        _situation(prompts.DicePrompt, _to_hold),
        # Something is to be chosen.
        _situation(prompts.ChoicePrompt, _to_choose),
        _situation(holdem.BetPrompt, _to_bet),
        _situation(holdem.HandPrompt, _to_count_hand),
        _situation(holdem.PotPrompt, lambda *_: guidance("ALL", "ENTER|pays out the pot")),
        # Something is in doubt.
        _situation(holdem.ColourPrompt, _to_say_colour),
        # The game is looked at, taken back, or over.
        _situation(prompts.OverPrompt, _to_end),
        # The menu lies over it.
        _situation(menu.QuestionPrompt, _to_answer),
        _situation(menu.ListPrompt, _to_go_through),
        _situation(DecisionPrompt, _to_review),
        _situation(menu.NamePrompt, _to_name),
        _situation(menu.BrightnessPrompt, _to_set_brightness),
        _situation(menu.ModulesPrompt, _to_compare_modules),
        _situation(menu.TellingPrompt, _to_read_on),
        _situation(menu.LessonPrompt, _to_follow_lesson),
        _situation(menu.NoticePrompt, _to_read_notice),
    )
)
"""What can be done by the kind of the prompt; at any other one can only go back."""


def wizard_guidance(said: WizardPrompt, hands: bool = True) -> Guidance:
    """What can be done at a step of the calibration; arguments as for `guidance_for`."""
    lay = hands and "SPACE|puts it in the tray"
    keys = ("ENTER|OK", "← →|change", GO_BACK)
    match said:
        case ItemsPrompt():
            asks = f"{said.place} {say(said.item)}: {say(said.problem or said.stands)}"
            return guidance(Verbatim(asks), *keys)
        case PagePrompt():
            lines = (*said.says, said.problem, said.beside)
            if said.refused:
                lines = (said.problem, *said.says, said.beside)
            # As on the board's pages; what LEFT and RIGHT do may be what is asked for.
            asks = ", ".join(say(line) for line in lines if line)
            title = f"{say(said.title)} {said.place}".rstrip()
            return guidance(Verbatim(f"{title}: {asks}"), lay, *keys)
        case PointPrompt(number=number, zoom=zoom, problem=problem):
            said_before = f"{say(problem)}." if problem else ""
            return pointing_guidance(number, zoom == ZOOMS - 1, said_before, at_buttons=True)
        case CheckPrompt(faces=None):
            pages = "; ".join(" ".join(map(say, lines)) for lines in said.pages)
            return guidance(Verbatim(f"{say('CHECK DICE')}: {pages}"), lay, GO_BACK)
        case CheckPrompt(faces=faces, chosen=chosen, there=there):
            shown = " ".join("?" if face is None else say(str(face)) for face in faces or ())
            if chosen is not None:
                shown += say("; correcting die {number}", number=chosen + 1)
            asks = "check, {seen} of {there} dice: {faces}"
            seen = len(faces or ())
            return guidance(asks, *keys, seen=seen, there=there, faces=shown)
        case _:
            pages = "; ".join(" ".join(map(say, lines)) for lines in said.pages)
            return guidance(Verbatim(pages), *keys)


_CORNER_NAMES = ("top left", "top right", "bottom right", "bottom left")


def pointing_guidance(
    number: int, takes: bool, said: str = "", *, at_buttons: bool = False
) -> Guidance:
    """What can be done while one of the floor's corners is pointed at.

    Args:
        number: which one, from 0.
        takes: whether OK takes it, and does not only look more closely.
        said: a sentence on why it starts again.
        at_buttons: whether buttons move the cross, of which none is up or down.
    """
    ways = ("← →|move the cross sideways", "1 2|up and down")
    return guidance(
        "{said} Corner {number} of 4, {place} of the floor",
        *(ways if at_buttons else ("← → ↑ ↓|move the cross",)),
        "ENTER|takes it" if takes else "ENTER|looks closer",
        GO_BACK,
        said=said,
        number=number + 1,
        place=say(_CORNER_NAMES[number]),
    )


def _throw_guidance(player: str, what: str, hands: bool) -> Guidance:
    if hands and strength_of(player) is not None:
        return guidance("{player} throws {dice}", player=player, dice=what)
    if hands:
        return guidance(Verbatim(player), "SPACE|throws {dice}", dice=what)
    return guidance("{player}: throw {dice} into the tray", player=player, dice=what)
