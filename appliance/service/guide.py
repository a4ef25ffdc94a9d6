"""What people can do now, in a line of plain words with the keys for it: for screens with words."""

from dataclasses import dataclass

from appliance.rules.game import DieKind
from appliance.table import prompts
from appliance.table.menu import prompting as menu
from appliance.table.session import holdem_prompts as holdem
from appliance.table.session.hinting import HintPrompt
from calibration.wizard.prompts import CheckPrompt, StagePrompt, WizardPrompt


@dataclass(frozen=True, slots=True)
class Key:
    """A key and what it does now, such as "SPACE", "rolls again"."""

    name: str
    does: str


@dataclass(frozen=True, slots=True)
class Guidance:
    """What can be done now: whose turn it is, or what is asked, and the keys for it."""

    says: str = ""
    keys: tuple[Key, ...] = ()

    @property
    def line(self) -> str:
        """All of it in a line: "ANNA: 1-5 hold, SPACE rolls again, ENTER scores"."""
        does = ", ".join(f"{key.name} {key.does}" for key in self.keys)
        between = ". " if ": " in self.says else ": "
        if self.says.endswith(("?", ".", ", or")):
            between = " "
        return between.join(part for part in (self.says, does) if part)


_GO_BACK, _LOOK = "b|goes back", "← →|show others"
_YES_NO = ("ENTER|yes", "b|no")


def guidance(says: str, *keys: str | bool) -> Guidance:
    """What can be done, by keys such as "SPACE|rolls again"; False leaves one out."""
    return Guidance(says, tuple(Key(*key.split("|")) for key in keys if isinstance(key, str)))


def guide(prompt: menu.ConsolePrompt, hands: bool = True) -> Guidance:
    """What can be done at a prompt.

    Args:
        prompt: what the board has to say.
        hands: whether SPACE throws the dice; else people throw real ones.
    """
    match prompt:
        case prompts.ThrowPrompt(blind=True) | menu.RollOffPrompt(blind=True):
            return guidance(f"{prompt.player}: throw your dice", "ENTER|enters what they show")
        case prompts.EntryPrompt(player=player, name=name):
            faces = ("1-6|or ← → say what it shows", "ENTER|goes on", _GO_BACK)
            return guidance(f"{player}: {name}", *faces)
        case prompts.ThrowPrompt(player=player, slots=[_], kind=DieKind() as kind) if (
            kind != "black"
        ):
            return _throw(player, f"the {kind} die", hands)
        case prompts.ThrowPrompt(player=player, slots=slots):
            return _throw(player, _dice(len(slots)), hands)
        case menu.RollOffPrompt(player=player):
            return _throw(player, "1 die", hands)
        case holdem.DealPrompt(player=player, count=count, purpose=purpose):
            return _throw(player, f"{_dice(count)} for the {purpose}", hands)
        case holdem.ShowPrompt(player=player) if hands:
            return guidance(player, "s|lays your own dice into the tray")
        case holdem.ShowPrompt(player=player):
            return guidance(f"{player}: lay your own dice into the tray")
        case prompts.DicePrompt(player=player, dice=dice, held=held, may_roll=True):
            kept = " ".join(str(slot + 1) for slot in held)
            hold = f"1-{len(dice)}|hold (now {kept})" if kept else f"1-{len(dice)}|hold"
            again = "SPACE|rolls again" if hands else "throw|the others"
            return guidance(player, hold, again, "ENTER|scores")
        case prompts.DicePrompt(player=player):
            return guidance(player, "ENTER|scores")
        case prompts.ChoicePrompt(player=player, label=label, confirm=True):
            return guidance(f"{player}: really {label}?", *_YES_NO)
        case prompts.ChoicePrompt(player=player, label=label):
            return guidance(player, f"ENTER|chooses {label}", _LOOK)
        case holdem.BetPrompt(player=player, label=label):
            own = hands and "p|shows your own dice"
            return guidance(player, f"ENTER|chooses {label}", _LOOK, own)
        case holdem.HandPrompt(player=player, label=label):
            return guidance(player, f"ENTER|counts it as {label}")
        case holdem.PotPrompt():
            return guidance("ALL", "ENTER|pays out the pot")
        case prompts.FacePrompt(name=name, face=face, state=state):
            throws = (hands and state is not None) and "SPACE|throws again"
            return guidance(f"{name}: is it {face}?", "ENTER|yes", "← →|another", throws)
        case holdem.ColourPrompt(name=name, kind=kind):
            return guidance(f"{name}: is it {kind}?", "ENTER|yes", "← →|another")
        case prompts.CountPrompt(player=player, seen=seen, expected=expected):
            counted = f"{player}: {_dice(seen)} seen, {expected} expected."
            counted += "" if hands else " Throw again, or"
            goes_on = "ENTER|goes on with what lies there"
            return guidance(counted, hands and "SPACE|throws again", goes_on)
        case prompts.ClashPrompt():
            return guidance("Does this count as it lies?", *_YES_NO)
        case prompts.UndoPrompt(label=label):
            what = label or "the last throw"
            return guidance(f"Take back {what}?", *_YES_NO, "← →|more or less")
        case prompts.OverPrompt():
            return guidance("The game is over", "ENTER|plays again", "m|menu", "q|leaves")
        case menu.QuestionPrompt(question=question):
            return guidance(question, *_YES_NO)
        case menu.ListPrompt(title=title, lines=lines, ok=ok):
            # A record has its points there.
            takes, points = (ok.lower(), "") if ok.isalpha() else ("goes back", ok)
            what = " ".join((*lines, points)).rstrip()
            asked = title if title.endswith("?") else f"{title}:"
            return guidance(f"{asked} {what}.", f"ENTER|{takes}", _LOOK, _GO_BACK)
        case menu.NamePrompt(entry=entry):
            takes = f"ENTER|takes {entry.letter or 'the name'}"
            more = ("← →|other letters", "BACKSPACE|deletes")
            return guidance(f"Name {entry.text}", "letters|type it", takes, *more)
        case menu.BrightnessPrompt(level=level):
            return guidance(f"Brightness {level}", "← →|change it", "ENTER|ends")
        case menu.NoticePrompt(passing=True):
            return guidance("", "ENTER|goes on")
        case HintPrompt(player=player, label=label):
            return guidance(player, bool(label) and "ENTER|follows the hint", _GO_BACK)
        case prompts.SheetPrompt() | prompts.MapPrompt() | prompts.PlacePrompt():
            return guidance(prompt.player, "← →|turn pages", "ENTER|next", _GO_BACK)
        case _:
            return guidance("", _GO_BACK)


def wizard_guide(said: WizardPrompt, hands: bool = True) -> Guidance:
    """What can be done at a step of the calibration; arguments as those of `guide`."""
    lay, keys = hands and "SPACE|lays it in", ("ENTER|OK", "← →|change", _GO_BACK)
    match said:
        case StagePrompt():
            first = said.problem or ("good: OK" if said.good else "")
            # As on the board's pages; what LEFT and RIGHT do may be what is asked for.
            asks = [line for line in (first, *said.says, said.beside) if line]
            return guidance(f"{said.place} {said.title}: {', '.join(asks)}", lay, *keys)
        case CheckPrompt(number=number, count=count, faces=None):
            return guidance(f"check, throw {number} of {count}: throw the dice", lay)
        case CheckPrompt(number=number, count=count, faces=faces, chosen=chosen):
            shown = " ".join("?" if face is None else str(face) for face in faces or ())
            right = "" if chosen is None else f"; correcting die {chosen + 1}"
            return guidance(f"check, throw {number} of {count}: {shown}{right}", *keys)
        case _:
            return guidance("; ".join(" ".join(lines) for lines in said.pages), *keys)


def _throw(player: str, what: str, hands: bool) -> Guidance:
    if hands:
        return guidance(player, f"SPACE|throws {what}")
    return guidance(f"{player}: throw {what} into the tray")


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"
