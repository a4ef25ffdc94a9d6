"""Questions to people, by which is known whether a press or a pick was meant for what is up now.

Others may have pressed a button meanwhile, dice may have been thrown, or what was shown was another
page. A `Moment` is when in the game something was shown, a `Question` what is to be decided there,
and `Asked` is a question as it is put to people.
"""

from dataclasses import dataclass

from appliance.table.menu.console import Console, Page
from appliance.table.menu.main_menu import over_menu
from appliance.table.menu.prompting import NoticePrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.session.modes import Mode
from appliance.table.session.picking import Moment, moment_of
from appliance.table.session.prompting import prompt


@dataclass(frozen=True, slots=True)
class Question:
    """The decision that is due; dice that are held, or news over it, make no other question.

    Attributes:
        pages: what lies over the game.
        moment: when in which game; None where there is no game.
        mode: what the players are doing there.
    """

    pages: tuple[Page, ...] = ()
    moment: Moment | None = None
    mode: Mode | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is put to people, or a notice over it."""

    question: Question
    prompt: Prompt

    def is_same_as(self, other: "Asked | None") -> bool:
        """True if the other asks the same, whatever players are doing about it meanwhile."""
        if other is None or self.question != other.question:
            return False
        return self.prompt.without_what_changes() == other.prompt.without_what_changes()

    def says_more_than(self, other: "Asked | None") -> bool:
        """True if there is a remark on a press that the other has not."""
        mine, theirs = (
            getattr(a.prompt, "remark", "") if a is not None else "" for a in (self, other)
        )
        return bool(mine) and mine != theirs

    def is_in_list_of(self, other: "Asked | None") -> bool:
        """True if LEFT and RIGHT go through the same list, whose place may be another."""
        return other is not None and self.prompt.list_walked == other.prompt.list_walked


def question_of(console: Console) -> Question:
    """The question that a console puts, with or without a notice over it."""
    session = console.session
    if session is None:
        return Question(console.pages)
    return Question(console.pages, moment_of(session), session.mode)


def asked_of(console: Console) -> Asked:
    """The question of a console as it is put to people."""
    return Asked(question_of(console), console_prompt(console))


def console_prompt(console: Console) -> Prompt:
    """The prompt for the board now."""
    if console.notice is not None:
        return NoticePrompt(console.notice.pages, console.notice.passing)
    console = over_menu(console)
    if console.page is not None:
        return console.page.prompt(console)
    assert console.session is not None
    return prompt(console.session)
