"""What people can do now, in a line of plain words with the keys for it, for screens with text."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from appliance.guidance import (
    GO_BACK,
    SHOW_OTHERS,
    YES_NO,
    Guidance,
    guidance,
)
from appliance.inputs import Key
from appliance.table import prompts
from appliance.table.menu import prompting as menu
from appliance.table.menu.reviewing import DecisionPrompt
from appliance.table.prompts.prompt import to_throw, to_throw_unseen
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


def _to_roll_off(prompt: menu.RollOffPrompt, hands: bool) -> Guidance:
    if prompt.blind:
        return to_throw_unseen(prompt.player)
    return to_throw(prompt.player, count_of_dice(1), hands)


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


SITUATIONS: Mapping[type[object], Situation] = dict(
    (
        # Dice are to be thrown, or lie in the tray.
        _situation(menu.RollOffPrompt, _to_roll_off),
        # Something is to be chosen.
        # Something is in doubt.
        # The game is looked at, taken back, or over.
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
