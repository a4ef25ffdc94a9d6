"""What people can do now, in a line of plain words with the keys for it: for screens with words."""

from dataclasses import dataclass

from appliance.table.menu.prompting import (
    BrightnessPrompt,
    ConsolePrompt,
    ListPrompt,
    NamePrompt,
    NoticePrompt,
    QuestionPrompt,
    RollOffPrompt,
)
from appliance.table.prompts import (
    ChoicePrompt,
    ClashPrompt,
    CountPrompt,
    DicePrompt,
    FacePrompt,
    MapPrompt,
    NewGamePrompt,
    OverPrompt,
    PlacePrompt,
    SheetPrompt,
    ThrowPrompt,
    UndoPrompt,
)
from appliance.table.session.hinting import HintPrompt
from appliance.table.session.holdem_prompts import (
    BetPrompt,
    ColourPrompt,
    DealPrompt,
    HandPrompt,
    PotPrompt,
    ShowPrompt,
)
from calibration.wizard.prompts import CheckPrompt, StagePrompt, WizardPrompt


@dataclass(frozen=True, slots=True)
class Key:
    """A key and what it does now, such as "SPACE", "rolls again"."""

    name: str
    does: str


@dataclass(frozen=True, slots=True)
class Guidance:
    """What can be done now.

    Attributes:
        says: whose turn it is, or what is asked.
        keys: what can be pressed for it.
    """

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


SPACE, ENTER, ARROWS, BACK = "SPACE", "ENTER", "← →", "b"
_GO_BACK = Key(BACK, "goes back")
_CHOOSING = (Key(ENTER, "yes"), Key(ARROWS, "another"))
_YES_NO = (Key(ENTER, "yes"), Key(BACK, "no"))


def guide(prompt: ConsolePrompt, hands: bool = True) -> Guidance:
    """What can be done at a prompt.

    Args:
        prompt: what the board has to say.
        hands: whether SPACE throws the dice; else people throw real ones.
    """
    match prompt:
        case ThrowPrompt(player=player, slots=slots):
            return _throw(player, _dice(len(slots)), hands)
        case RollOffPrompt(player=player):
            return _throw(player, "1 die", hands)
        case DealPrompt(player=player, count=count, purpose=purpose):
            return _throw(player, f"{_dice(count)} for the {purpose}", hands)
        case ShowPrompt(player=player) if hands:
            return Guidance(player, (Key("s", "lays your own dice into the tray"),))
        case ShowPrompt(player=player):
            return Guidance(f"{player}: lay your own dice into the tray")
        case DicePrompt(player=player, dice=dice, held=held, may_roll=True):
            kept = " ".join(str(slot + 1) for slot in held)
            again = Key(SPACE, "rolls again") if hands else Key("throw", "the others")
            hold = Key(f"1-{len(dice)}", f"hold (now {kept})" if kept else "hold")
            return Guidance(player, (hold, again, Key(ENTER, "scores")))
        case DicePrompt(player=player):
            return Guidance(player, (Key(ENTER, "scores"),))
        case ChoicePrompt(player=player, label=label, confirm=True):
            return Guidance(f"{player}: really {label}?", _YES_NO)
        case ChoicePrompt(player=player, label=label) | BetPrompt(player=player, label=label):
            own = (
                (Key("p", "shows your own dice"),)
                if hands and isinstance(prompt, BetPrompt)
                else ()
            )
            choose = (Key(ENTER, f"chooses {label}"), Key(ARROWS, "show others"))
            return Guidance(player, (*choose, *own))
        case HandPrompt(player=player, label=label):
            return Guidance(player, (Key(ENTER, f"counts it as {label}"),))
        case PotPrompt():
            return Guidance("ALL", (Key(ENTER, "pays out the pot"),))
        case FacePrompt(name=name, face=face, state=state):
            thrown = (Key(SPACE, "throws again"),) if hands and state is not None else ()
            return Guidance(f"{name}: is it {face}?", (*_CHOOSING, *thrown))
        case ColourPrompt(name=name, kind=kind):
            return Guidance(f"{name}: is it {kind}?", _CHOOSING)
        case CountPrompt(player=player, seen=seen, expected=expected):
            thrown = (Key(SPACE, "throws again"),) if hands else ()
            counted = f"{player}: {_dice(seen)} seen, {expected} expected."
            counted += "" if hands else " Throw again, or"
            return Guidance(counted, (*thrown, Key(ENTER, "goes on with what lies there")))
        case ClashPrompt():
            return Guidance("Does this count as it lies?", _YES_NO)
        case UndoPrompt(label=label):
            more = (Key(ARROWS, "more or less"),)
            return Guidance(f"Take back {label or 'the last throw'}?", (*_YES_NO, *more))
        case OverPrompt():
            return Guidance("The game is over", (Key(ENTER, "opens the menu"), Key("q", "leaves")))
        case NewGamePrompt():
            return Guidance("A new game?", _YES_NO)
        case QuestionPrompt(question=question):
            return Guidance(question, _YES_NO)
        case ListPrompt(title=title, lines=lines, ok=ok):
            keys = (Key(ENTER, ok.lower() or "goes back"), Key(ARROWS, "show others"), _GO_BACK)
            return Guidance(f"{title}: {' '.join(lines)}.", keys)
        case NamePrompt(entry=entry):
            letters = (Key(ENTER, f"takes {entry.letter}"), Key(ARROWS, "other letters"))
            return Guidance(f"Name {entry.text}", (*letters, Key(BACK, "deletes")))
        case BrightnessPrompt(level=level):
            return Guidance(f"Brightness {level}", (Key(ARROWS, "change it"), Key(ENTER, "ends")))
        case NoticePrompt(passing=True):
            return Guidance("", (Key(ENTER, "goes on"),))
        case HintPrompt(player=player, label=label):
            follows = (Key(ENTER, "follows the hint"),) if label else ()
            return Guidance(player, (*follows, _GO_BACK))
        case SheetPrompt(player=player) | MapPrompt(player=player) | PlacePrompt(player=player):
            return Guidance(player, (Key(ARROWS, "turn pages"), Key(ENTER, "next"), _GO_BACK))
        case _:
            return Guidance("", (_GO_BACK,))


def wizard_guide(said: WizardPrompt, hands: bool = True) -> Guidance:
    """What can be done at a step of the calibration; arguments as those of `guide`."""
    keys = (Key(ENTER, "OK"), Key(ARROWS, "change"), _GO_BACK)
    lay = (Key(SPACE, "lays it in"), *keys) if hands else keys
    match said:
        case StagePrompt():
            first = said.problem or ("good: OK" if said.good else "")
            # As on the board's pages; what LEFT and RIGHT do may be what is asked for.
            asks = [line for line in (first, *said.says, said.beside) if line]
            return Guidance(f"{said.place} {said.title}: {', '.join(asks)}", lay)
        case CheckPrompt(number=number, count=count, faces=None):
            return Guidance(f"check, throw {number} of {count}: throw the dice", lay[:-3])
        case CheckPrompt(number=number, count=count, faces=faces, chosen=chosen):
            shown = " ".join("?" if face is None else str(face) for face in faces or ())
            right = "" if chosen is None else f"; die {chosen + 1} is being put right"
            return Guidance(f"check, throw {number} of {count}: {shown}{right}", keys)
        case _:
            return Guidance("; ".join(" ".join(lines) for lines in said.pages), keys)


def _throw(player: str, what: str, hands: bool) -> Guidance:
    if hands:
        return Guidance(player, (Key(SPACE, f"throws {what}"),))
    return Guidance(f"{player}: throw {what} into the tray")


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"
