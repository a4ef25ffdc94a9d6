"""What people can do now, in a line of plain words with the keys for it, for screens with text."""

from collections.abc import Mapping
from dataclasses import dataclass

from appliance.inputs import Key
from appliance.rules.computers import strength_of
from appliance.rules.game import DieKind
from appliance.table import prompts
from appliance.table.menu import prompting as menu
from appliance.table.session import holdem_prompts as holdem
from appliance.table.session.hinting import HintPrompt
from appliance.words import Verbatim, say
from calibration.wizard.prompts import CheckPrompt, StagePrompt, WizardPrompt


@dataclass(frozen=True, slots=True)
class KeyAction:
    """A key and what it does now, such as `Key.SPACE`, "SPACE", "rolls again".

    Programs compare `key`, which is None for what no key does. The name and what it does are in the
    chosen language.
    """

    key: Key | None
    name: str
    does: str


KEY_BY_NAME: Mapping[str, Key] = {
    "SPACE": Key.SPACE,
    "ENTER": Key.ENTER,
    "BACKSPACE": Key.BACKSPACE,
    "← →": Key.ARROWS,
    "← → ↑ ↓": Key.ARROWS,
    "1-6": Key.NUMBERS,
    "1-{count}": Key.NUMBERS,
    "letters": Key.LETTERS,
    "b": Key.BACK,
    "h": Key.HINT,
    "m": Key.MENU,
    "p": Key.PEEK,
    "q": Key.QUIT,
    "s": Key.SHOW,
}
"""The keys by the names that they have in the English texts."""
BUTTON_BY_KEY: Mapping[Key, str] = {
    Key.ENTER: "OK",
    Key.BACKSPACE: "BACK",
    Key.BACK: "BACK",
    Key.ARROWS: "LEFT RIGHT",
}
"""What replaces a key where there are buttons."""
_KEYS_WITHOUT_BUTTON = frozenset({Key.MENU, Key.QUIT, Key.LETTERS})


@dataclass(frozen=True, slots=True)
class Guidance:
    """What can be done now: whose turn it is, or what is asked, and the keys for it."""

    says: str = ""
    keys: tuple[KeyAction, ...] = ()

    @property
    def line(self) -> str:
        """All of it in a line: "ANNA: 1-5 hold, SPACE rolls again, ENTER scores"."""
        does = ", ".join(f"{key.name} {key.does}" for key in self.keys)
        between = ". " if ": " in self.says else ": "
        if self.says.endswith(("?", ".", " ")):
            between = " "
        return between.join(part for part in (self.says.rstrip(), does) if part)

    @property
    def at_buttons(self) -> "Guidance":
        """The same where there are buttons and no keyboard."""
        named = {key: say(button) for key, button in BUTTON_BY_KEY.items()}
        keys = (
            KeyAction(k.key, k.name if k.key is None else named.get(k.key, k.name), k.does)
            for k in self.keys
            if k.key not in _KEYS_WITHOUT_BUTTON
        )
        return Guidance(self.says, tuple(keys))

    @property
    def under_a_notice(self) -> "Guidance":
        """The same while a notice lies over it: dice can be thrown, a button takes that away."""
        buttons = {*BUTTON_BY_KEY, Key.NUMBERS}
        kept = (key for key in self.keys if key.key not in buttons)
        return Guidance(self.says, (*kept, *guidance("", "ENTER|continues").keys))


_GO_BACK = "b|goes back"
_SHOW_OTHERS = "← →|show others"
_YES_NO = ("ENTER|yes", "b|no")


def guidance(says: str, *keys: str | bool, **values: object) -> Guidance:
    """What can be done, by keys such as "SPACE|rolls again"; False leaves one out.

    Texts are in the chosen language, their placeholders filled with the values. Which key is meant
    follows from its name in English.
    """
    done = []
    for text in keys:
        if isinstance(text, str):
            name, does = say(text, **values).split("|")
            done.append(KeyAction(KEY_BY_NAME.get(text.partition("|")[0]), name, does))
    return Guidance(say(says, **values).lstrip(), tuple(done))


def guide(prompt: menu.ConsolePrompt, hands: bool = True) -> Guidance:
    """What can be done at a prompt; with `hands` SPACE throws dice; else people throw real ones."""
    keys: tuple[str | bool, ...]
    match prompt:
        case prompts.ThrowPrompt(blind=True) | menu.RollOffPrompt(blind=True):
            enters = "ENTER|enters what they show"
            return guidance("{player}: throw your dice", enters, player=prompt.player)
        case prompts.EntryPrompt(player=player, name=name):
            faces = ("1-6|or ← → say what it shows", "ENTER|continues", _GO_BACK)
            return guidance(Verbatim(f"{player}: {say(name)}"), *faces)
        case prompts.ThrowPrompt(player=player, slots=[_], kind=DieKind() as kind) if (
            kind != "black"
        ):
            return _throw_guidance(player, say(f"the {kind} die"), hands)
        case prompts.ThrowPrompt(player=player, slots=slots):
            return _throw_guidance(player, _dice_text(len(slots)), hands)
        case menu.RollOffPrompt(player=player):
            return _throw_guidance(player, _dice_text(1), hands)
        case holdem.DealPrompt(player=player, count=count, purpose=purpose):
            what = say("{dice} for the {stage}", dice=_dice_text(count), stage=say(purpose))
            return _throw_guidance(player, what, hands)
        case holdem.ShowPrompt(player=player) if hands:
            return guidance(Verbatim(player), "s|puts your own dice in the tray")
        case holdem.ShowPrompt(player=player):
            return guidance("{player}: put your own dice in the tray", player=player)
        case prompts.DicePrompt(player=player, decided=True) if hands:
            return guidance("{player} throws the others", player=player)
        case prompts.DicePrompt(player=player, decided=True):
            return guidance("{player}: throw the others into the tray", player=player)
        case prompts.DicePrompt(player=player, decided=False) | prompts.ThinkingPrompt(player):
            return guidance("{player} is thinking", "ENTER|skips the wait", player=player)
        case prompts.DicePrompt(player=player, dice=dice, held=held, may_roll=True):
            kept = " ".join(str(slot + 1) for slot in held)
            hold = "1-{count}|hold (now {kept})" if kept else "1-{count}|hold"
            again = "SPACE|rolls again" if hands else "throw|the others"
            keys = (hold, again, "ENTER|scores")
            return guidance(Verbatim(player), *keys, count=len(dice), kept=kept)
        case prompts.DicePrompt(player=player):
            return guidance(Verbatim(player), "ENTER|scores")
        case prompts.ChoicePrompt(player=player, label=label, confirm=True):
            asks = "{player}: really {label}?"
            return guidance(asks, *_YES_NO, player=player, label=say(label))
        case prompts.ChoicePrompt(player=player, label=label):
            chooses = ("ENTER|chooses {label}", _SHOW_OTHERS)
            return guidance(Verbatim(player), *chooses, label=say(label))
        case holdem.BetPrompt(player=player, label=label):
            keys = ("ENTER|chooses {label}", _SHOW_OTHERS, hands and "p|shows your own dice")
            return guidance(Verbatim(player), *keys, label=say(label))
        case holdem.HandPrompt(player=player, label=label):
            return guidance(Verbatim(player), "ENTER|counts it as {label}", label=say(label))
        case holdem.PotPrompt():
            return guidance("ALL", "ENTER|pays out the pot")
        case prompts.FacePrompt(name=name, face=face, state=state):
            throws = (hands and state is not None) and "SPACE|throws again"
            keys = ("ENTER|yes", "← →|another", throws)
            return guidance("{name}: is it {face}?", *keys, name=say(name), face=say(str(face)))
        case holdem.ColourPrompt(name=name, kind=kind):
            keys = ("ENTER|yes", "← →|another")
            return guidance("{name}: is it {face}?", *keys, name=say(name), face=say(kind))
        case prompts.CountPrompt(player=player, seen=seen, expected=expected):
            counted = say(
                "{player}: {dice} seen, {expected} expected.",
                player=player,
                dice=_dice_text(seen),
                expected=expected,
            )
            counted += "" if hands else f" {say('Throw again, or')} "
            goes_on = "ENTER|continues with these dice"
            if seen > expected:
                goes_on = "ENTER|enters what they show"
            return guidance(Verbatim(counted), hands and "SPACE|throws again", goes_on)
        case prompts.ClashPrompt(back=False):
            throws = hands and "SPACE|throws again"
            return guidance("Does this count as it lies?", _YES_NO[0], throws)
        case prompts.ClashPrompt():
            return guidance("Does this count as it lies?", *_YES_NO)
        case prompts.UndoPrompt(label=label):
            what = say(label or "the last throw")
            return guidance("Undo {what}?", *_YES_NO, "← →|earlier or later", what=what)
        case prompts.OverPrompt():
            return guidance("The game is over", "ENTER|plays again", "m|menu", "q|leaves")
        case menu.QuestionPrompt(question=question):
            return guidance(question, *_YES_NO)
        case menu.ListPrompt(title=title, lines=lines, ok=ok):
            # A record shows its points there.
            takes, points = ("ENTER|ok", "") if ok.isalpha() else ("ENTER|goes back", ok)
            what = " ".join((*map(say, lines), points)).rstrip()
            asked = say(title) if title.endswith("?") else f"{say(title)}:"
            return guidance(Verbatim(f"{asked} {what}."), takes, _SHOW_OTHERS, _GO_BACK)
        case menu.NamePrompt(entry=entry):
            takes = "ENTER|takes {letter}" if entry.letter else "ENTER|takes the name"
            keys = ("letters|type it", takes, "← →|other letters", "BACKSPACE|deletes")
            return guidance("Name {name}", *keys, name=entry.text, letter=entry.letter)
        case menu.BrightnessPrompt(level=level):
            return guidance("Brightness {level}", "← →|change it", "ENTER|finishes", level=level)
        case menu.NoticePrompt(passing=True):
            return guidance("", "ENTER|continues")
        case HintPrompt(player=player, label=label):
            return guidance(Verbatim(player), bool(label) and "ENTER|follows the hint", _GO_BACK)
        case prompts.SheetPrompt() | prompts.MapPrompt() | prompts.PlacePrompt():
            keys = ("← →|turn pages", "ENTER|next", _GO_BACK)
            return guidance(Verbatim(prompt.player), *keys)
        case _:
            return guidance("", _GO_BACK)


def wizard_guide(said: WizardPrompt, hands: bool = True) -> Guidance:
    """What can be done at a step of the calibration; arguments as for `guide`."""
    lay, keys = hands and "SPACE|puts it in the tray", ("ENTER|OK", "← →|change", _GO_BACK)
    match said:
        case StagePrompt():
            first = said.problem or ("good: OK" if said.good else "")
            # As on the board's pages; what LEFT and RIGHT do may be what is asked for.
            asks = ", ".join(say(line) for line in (first, *said.says, said.beside) if line)
            return guidance(Verbatim(f"{said.place} {say(said.title)}: {asks}"), lay, *keys)
        case CheckPrompt(number=number, count=count, faces=None):
            asks = "check, throw {number} of {count}: throw the dice"
            return guidance(asks, lay, number=number, count=count)
        case CheckPrompt(number=number, count=count, faces=faces, chosen=chosen):
            shown = " ".join("?" if face is None else say(str(face)) for face in faces or ())
            if chosen is not None:
                shown += say("; correcting die {number}", number=chosen + 1)
            asks = "check, throw {number} of {count}: {faces}"
            return guidance(asks, *keys, number=number, count=count, faces=shown)
        case _:
            pages = "; ".join(" ".join(map(say, lines)) for lines in said.pages)
            return guidance(Verbatim(pages), *keys)


def _throw_guidance(player: str, what: str, hands: bool) -> Guidance:
    if hands and strength_of(player) is not None:
        return guidance("{player} throws {dice}", player=player, dice=what)
    if hands:
        return guidance(Verbatim(player), "SPACE|throws {dice}", dice=what)
    return guidance("{player}: throw {dice} into the tray", player=player, dice=what)


def _dice_text(count: int) -> str:
    return say("{count} die" if count == 1 else "{count} dice", count=count)
