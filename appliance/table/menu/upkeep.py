"""Pages about the appliance itself: its state, a stick, dice that seem new, shutting down."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from appliance.inputs import Pressed
from appliance.table.menu.console import Console, Page
from appliance.table.menu.pages import ListRow, PlainList, Question
from appliance.table.menu.prompting import NoticePrompt, QuestionPrompt
from appliance.table.menu.requests import AnswerDice, ShowAbout, ShutDown, UseStick
from appliance.table.prompts.prompt import Prompt
from appliance.words import Verbatim


class Stick(PlainList):
    """The actions for the stick that is plugged in."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One action per row."""
        return [_stick_row(*offer.split("\t")) for offer in console.equipment.stick]


def _stick_row(word: str, title: str = "STICK", *said: str) -> ListRow:
    """An action with what is said about it; of a tray to choose, players' names come first."""
    if title in ("WHICH TRAY?", "OURS?"):
        said = (*map(Verbatim, said[:-1]), *said[-1:])
    return ListRow(title, said or (word,), partial(_use_stick, word=word))


def _use_stick(console: Console, word: str) -> Console:
    return console.back().with_requests(UseStick(word))


class About(PlainList):
    """Versions and status."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One item per row, as last requested."""
        about = console.equipment.about or (("ABOUT", "DICETRAY"),)
        return [ListRow(label, (text,), ok="") for label, text in about]

    def pressed(self, console: Console, press: Pressed) -> Console:
        """Goes through the list, and requests the status anew."""
        after = super().pressed(console, press)
        return after.with_requests(ShowAbout()) if isinstance(after.page, About) else after


@dataclass(frozen=True, slots=True)
class _NewDice(Question):
    """Asks whether the dice are new ones."""

    def answered(self, console: Console, yes: bool) -> Console:
        """Passes the answer on: yes, they are new."""
        return console.back().with_requests(AnswerDice(yes))


@dataclass(frozen=True, slots=True)
class OtherDice(_NewDice):
    """Asks whether dice that seem to have another size, in millimetres, are new ones."""

    old_mm: float
    new_mm: float

    def prompt(self, console: Console) -> Prompt:
        """The question, and what is seen."""
        sizes = f"{self.old_mm:g} MM", f"NOW {self.new_mm:g} MM"
        return QuestionPrompt("NEW DICE?", sizes)


@dataclass(frozen=True, slots=True)
class OtherColours(_NewDice):
    """Asks whether dice whose colours are not the known ones are new; words as on the board."""

    old: tuple[str, ...]
    new: tuple[str, ...]

    def prompt(self, console: Console) -> Prompt:
        """The question, and what is seen: more than one colour is too much for a line."""
        old, new = (words[0] if len(words) == 1 else "MIXED" for words in (self.old, self.new))
        return QuestionPrompt("NEW DICE?", (old, f"NOW {new}"))


@dataclass(frozen=True, slots=True)
class Off(Question):
    """Asks whether to switch the appliance off."""

    switches_off = True

    def prompt(self, console: Console) -> Prompt:
        """The question."""
        return QuestionPrompt("SHUT DOWN?")

    def answered(self, console: Console, yes: bool) -> Console:
        """Shuts it down, or goes back."""
        return console.replace_top(GoodBye()).with_requests(ShutDown()) if yes else console.back()


@dataclass(frozen=True, slots=True)
class GoodBye(Page):
    """The appliance is being switched off."""

    closes = False
    switches_off = True

    def prompt(self, console: Console) -> Prompt:
        """Says that it is shutting down."""
        return NoticePrompt((("GOODBYE", "SHUTS DOWN"),), passing=False, last=True)

    def pressed(self, console: Console, press: Pressed) -> Console:
        """Ignores every press."""
        return console
