"""The board's prompts for all that lies over the game."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from appliance.guidance import GO_BACK, SHOW_OTHERS, YES_NO, Guidance, guidance
from appliance.inputs import Key
from appliance.table.menu.name_entry import Entry
from appliance.table.menu.reviewing import Reviewed
from appliance.table.prompts.prompt import (
    TO_TURN_PAGES,
    Prompt,
    to_throw,
    to_throw_unseen,
    told_of_list,
    told_place,
)
from appliance.table.prompts.wording import count_of_dice, told_pages
from appliance.words import Verbatim, say, write
from vision.reading import TrayState


class PagePrompt(Prompt):
    """Base of what pages have to say."""

    __slots__ = ()
    at_leisure = True


@dataclass(frozen=True, slots=True)
class ListPrompt(PagePrompt):
    """One item of a list: LEFT and RIGHT go through it.

    Several lines are shown in turn; `index` counts items from 0. `ok` says in a word what OK does;
    it is empty or a figure if OK only goes back.
    """

    title: str
    lines: tuple[str, ...]
    index: int
    count: int
    ok: str = "OK"

    def can_do(self, hands: bool = True) -> Guidance:
        """The item is taken, or another is looked at."""
        # A record shows its points there.
        takes, points = ("ENTER|ok", "") if self.ok.isalpha() else ("ENTER|goes back", self.ok)
        what = write(*self.lines, Verbatim(points))
        asked = write(self.title) if self.title.endswith("?") else f"{write(self.title)}:"
        ends = "" if what.endswith("?") else "."
        return guidance(Verbatim(f"{asked} {what}{ends}"), takes, SHOW_OTHERS, GO_BACK)

    def told_besides(self) -> Iterator[str]:
        """The place in the list."""
        yield told_place(self.index, self.count)

    def told_keys(self) -> Iterator[str]:
        """The item is taken, or there are others."""
        yield told_of_list(self.count)


@dataclass(frozen=True, slots=True)
class QuestionPrompt(PagePrompt):
    """A question: OK is yes, BACK is no; `more` is a second page of two lines, if not empty.

    `player` is whom it is about, empty for nobody.
    """

    question: str
    more: tuple[str, str] = ("", "")
    player: str = ""

    def can_do(self, hands: bool = True) -> Guidance:
        """It is answered."""
        who = f"{self.player}: " if self.player else ""
        asks = " ".join(filter(None, (write(self.question), write(*self.more))))
        return guidance(Verbatim(who + asks), *YES_NO)


@dataclass(frozen=True, slots=True)
class NamePrompt(PagePrompt):
    """A name letter by letter: LEFT and RIGHT turn the ring, OK takes, BACK deletes."""

    seat: int
    entry: Entry
    remark: str

    def can_do(self, hands: bool = True) -> Guidance:
        """The name is typed, or put together letter by letter."""
        entry = self.entry
        takes = "ENTER|takes {letter}" if entry.letter else "ENTER|takes the name"
        keys = ("letters|type it", takes, "← →|other letters", "BACKSPACE|deletes")
        return guidance("Name {name}", *keys, name=entry.text, letter=entry.letter)


@dataclass(frozen=True, slots=True)
class BrightnessPrompt(PagePrompt):
    """The brightness."""

    level: int

    def can_do(self, hands: bool = True) -> Guidance:
        """It is changed."""
        keys = ("← →|change it", "ENTER|finishes")
        return guidance("Brightness {level}", *keys, level=self.level)


@dataclass(frozen=True, slots=True)
class ModulesPrompt(PagePrompt):
    """A figure on each module of the board, in one of `count` layouts; `index` counts from 0."""

    index: int
    count: int

    def can_do(self, hands: bool = True) -> Guidance:
        """The layout is taken, or another is tried."""
        keys = ("ENTER|yes", "← →|another layout", GO_BACK)
        return guidance("Does the board show 1 to 8, then 9 and A to G, upright?", *keys)


@dataclass(frozen=True, slots=True)
class RollOffPrompt(Prompt):
    """Waits for one die from a player.

    It is thrown `again` because of a tie; `last` is who threw before, and what. While the camera
    cannot see the tray (`blind`), OK lets the players enter the die.
    """

    player: str
    again: bool
    last: tuple[str, int] | None
    tray: TrayState
    blind: bool = False

    def can_do(self, hands: bool = True) -> Guidance:
        """The die is thrown; one that the camera cannot see is entered."""
        if self.blind:
            return to_throw_unseen(self.player)
        return to_throw(self.player, count_of_dice(1), hands)

    @property
    def thrower(self) -> str:
        """The player."""
        return self.player

    def without_what_changes(self) -> "RollOffPrompt":
        """It without the tray."""
        return replace(self, tray=TrayState.STILL)


@dataclass(frozen=True, slots=True)
class TellingPrompt(PagePrompt):
    """A page of two lines about how a game goes; `index` counts from 0."""

    lines: tuple[str, str]
    index: int
    count: int

    def can_do(self, hands: bool = True) -> Guidance:
        """The pages are turned."""
        return guidance(Verbatim(write(*self.lines)), *TO_TURN_PAGES)

    def told(self) -> Iterator[str]:
        """The page."""
        return told_pages((self.lines,))


@dataclass(frozen=True, slots=True)
class LessonPrompt(PagePrompt):
    """A step of the lesson in two lines; `index` counts steps from 0.

    `shown` is what the board shows of it in a game, None at what is only to be read. It comes first
    if the newcomer has `acted`.
    """

    lines: tuple[str, str]
    index: int
    count: int
    shown: Prompt | None = None
    acted: bool = False

    def can_do(self, hands: bool = True) -> Guidance:
        """As in a game, but that BACK ends the lesson."""
        says = f"{self.index + 1}/{self.count}: {write(*self.lines)}"
        if self.shown is None:
            return guidance(Verbatim(says), "ENTER|next", "b|ends it")
        ends = guidance("", "b|ends it").keys
        keys = (key for key in self.shown.can_do(hands).keys if key.key is not Key.BACK)
        return Guidance(says, (*keys, *ends))

    def told(self) -> Iterator[str]:
        """The step in words, and what is said of it in a game."""
        yield " ".join(map(say, self.lines))
        if self.shown is not None:
            yield from self.shown.told()

    def told_besides(self) -> Iterator[str]:
        """What else is shown in a game."""
        return iter(()) if self.shown is None else self.shown.told_besides()

    def told_keys(self) -> Iterator[str]:
        """What can be done, as in a game."""
        if self.shown is not None:
            yield from self.shown.told_keys()
        yield say("BACK ends the lesson.")


@dataclass(frozen=True, slots=True)
class NoticePrompt(PagePrompt):
    """Pages of two lines; `passing` ones go away by themselves, `last` ones never.

    `about_die` ones are about a die that is shown: another may be, and its face entered.
    """

    only_looked_at = True

    pages: tuple[tuple[str, str], ...]
    passing: bool = True
    about_die: bool = False
    last: bool = False

    def can_do(self, hands: bool = True) -> Guidance:
        """It is read; about a die, another may be shown; the last does not go any more."""
        if self.last:
            return guidance("It is being switched off: no button does anything now.")
        if self.about_die:
            throws = hands and "SPACE|throws a die"
            return guidance("Show one die", throws, "← →|its face", "ENTER|ok", GO_BACK)
        return guidance("", "ENTER|continues" if self.passing else GO_BACK)

    def told(self) -> Iterator[str]:
        """Page by page."""
        return told_pages(self.pages)


@dataclass(frozen=True, slots=True)
class DecisionPrompt(PagePrompt):
    """A decision in a review; LEFT, RIGHT and OK go on, `index` and `count` as in a list."""

    said: Reviewed
    index: int
    count: int

    def can_do(self, hands: bool = True) -> Guidance:
        """Other decisions are looked at."""
        what = write(*self.said.lines)
        says = Verbatim(f"{write(self.said.title)}: {what}.")
        return guidance(says, SHOW_OTHERS, GO_BACK)
