"""What a person at the keyboard can do now, in a sentence below the board."""

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
    NewGamePrompt,
    OverPrompt,
    ThrowPrompt,
    UndoPrompt,
)
from appliance.table.session.holdem_prompts import (
    BetPrompt,
    ColourPrompt,
    DealPrompt,
    HandPrompt,
    PotPrompt,
    ShowPrompt,
)


def guide(prompt: ConsolePrompt) -> str:
    """The sentence for what the board has to say."""
    match prompt:
        case ThrowPrompt(player=player, slots=slots):
            return f"{player}: throw {_dice(len(slots))} (space)"
        case RollOffPrompt(player=player):
            return f"{player}: throw 1 die (space)"
        case DicePrompt(player=player, held=held, roll=roll, rolls=rolls, may_roll=True):
            holds = " ".join(str(slot + 1) for slot in held) or "none"
            return (
                f"{player}, roll {roll} of {rolls}: hold dice (1-6; now {holds}), "
                "throw the others (space), or score (Enter)"
            )
        case DicePrompt(player=player):
            return f"{player}: score (Enter)"
        case ChoicePrompt(player=player, label=label, confirm=True):
            return f"{player}: really {label}? (Enter: yes, b: no)"
        case ChoicePrompt(player=player, label=label) | BetPrompt(player=player, label=label):
            return f"{player}: {label} (Enter), or another (arrows)"
        case DealPrompt(player=player, count=count, purpose=purpose):
            return f"{player}: throw {_dice(count)} for the {purpose} (space)"
        case ShowPrompt(player=player):
            return f"{player}: show your own dice (s)"
        case HandPrompt(player=player, label=label):
            return f"{player}: {label} (Enter)"
        case PotPrompt():
            return "All: pay out the pot (Enter)"
        case FacePrompt(name=name, face=face) | ColourPrompt(name=name, face=face):
            what = prompt.kind if isinstance(prompt, ColourPrompt) else face
            return f"{name}: is it {what}? (Enter: yes, arrows: another, b: no)"
        case CountPrompt(seen=seen, expected=expected):
            return f"{_dice(seen)} seen, {expected} expected: throw again (space), or Enter"
        case ClashPrompt():
            return "Does this count as it lies? (Enter: yes, b: no)"
        case UndoPrompt(label=label):
            return f"Take back {label or 'the last throw'}? (Enter: yes, b: no)"
        case OverPrompt():
            return "The game is over: another one (Enter), or leave (q)"
        case NewGamePrompt():
            return "A new game? (Enter: yes, b: no)"
        case QuestionPrompt(question=question):
            return f"{question} (Enter: yes, b: no)"
        case ListPrompt(title=title, lines=lines):
            return f"{title} {' '.join(lines)} (Enter), or another (arrows), b goes back"
        case NamePrompt(entry=entry):
            return f"Name {entry.text}: letter {entry.letter} (Enter), or another (arrows)"
        case BrightnessPrompt(level=level):
            return f"Brightness {level} (arrows), Enter ends"
        case NoticePrompt(passing=True):
            return "Enter goes on"
        case _:
            return "b goes back"


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"
