"""Prompts after HINT: the best move, or what the game is waiting for."""

from collections.abc import Iterator
from dataclasses import dataclass

from appliance.guidance import GO_BACK, Guidance, guidance
from appliance.table.prompts.prompt import Prompt, told_place
from appliance.table.prompts.wording import (
    held_in_words,
    label_in_words,
    name_in_words,
    told_dice,
    told_pages,
)
from appliance.words import Label, Verbatim, in_tenths, say, say_aloud
from games.values import Face, Measure, Odds


@dataclass(frozen=True, slots=True)
class HintPrompt(Prompt):
    """Shows a hint; OK or HINT follows it, BACK leaves it, LEFT and RIGHT go through odds.

    Attributes:
        purpose: what is to be done, such as "SCORE" or "TAKE".
        label: the choice as the board names it; empty where there are only odds.
        dice: the dice of the roll on the table; empty when the decision is not about dice.
        hold: the slots to hold; None unless the hint is to throw again.
        expects: the expected result, as `measure` counts it; a chance is from 0 to 1.
        odds: chances of winning, by what the player may hold.
        row: which of these is looked at; None for all in turn.
        reason: why it is the best, such as "FOR THREES"; empty where nobody could say.
    """

    only_looked_at = True

    player: str
    purpose: str
    label: str
    dice: tuple[Face | None, ...]
    hold: tuple[int, ...] | None
    expects: float
    measure: Measure
    odds: tuple[Odds, ...] = ()
    reason: str = ""
    row: int | None = None

    def can_do(self, hands: bool = True) -> Guidance:
        """The hint is followed, or odds are gone through."""
        follows = bool(self.label) and "ENTER|follows the hint"
        walks = bool(self.odds) and "← →|one by one"
        return guidance(Verbatim(self.player), follows, walks, GO_BACK)

    def told(self) -> Iterator[str]:
        """The best choice and what it brings, or the odds."""
        if self.odds:
            for odds in self.odds if self.row is None else (self.odds[self.row],):
                win = _figure_in_words(expectation_text(odds.win, Measure.WIN))
                said = f"{say_aloud(Label(odds.key))}: {win}"
                yield ", ".join(filter(None, (said, say_aloud(Label(odds.advice)))))
            if self.reason:
                yield say_aloud(self.reason)
            return
        if self.hold is None:
            best = f"{say_aloud(self.purpose)} {label_in_words(self.label)}"
        elif self.hold:
            best = held_in_words(self.dice, self.hold)
        else:
            best = say("THROW ALL")
        yield f"{say('HINT')}: {best}"
        if self.reason:
            yield say_aloud(self.reason)
        what, figure = self.expected
        yield f"{what} {_figure_in_words(figure)}"

    def told_besides(self) -> Iterator[str]:
        """Whose hint it is, the dice, and the place among odds."""
        yield name_in_words(self.player)
        yield from told_dice(self.dice)
        if self.row is not None:
            yield told_place(self.row, len(self.odds))

    @property
    def expected(self) -> tuple[str, str]:
        """What may be expected of the best move: in words, and a figure where words need one."""
        figure = expectation_text(self.expects, self.measure)
        match self.measure:
            case Measure.TOTAL:
                # What the player may end up with, not what the player has now.
                return say("AT THE END"), say("ABOUT {points}", points=figure)
            case Measure.GAME if self.expects < _ROUNDED_AWAY:
                # Nobody needs to know that; among choices alike in this, points decide.
                return say("MOST POINTS"), ""
            case Measure.GAME:
                return say("BEST TO WIN"), figure
        return say(Label(self.measure)), figure


def _figure_in_words(figure: str) -> str:
    """The expected result as it is spoken, where a voice says no signs."""
    if figure.startswith(("<", ">")):
        text = "under {percent}" if figure.startswith("<") else "over {percent}"
        return say(text, percent=figure[1:])
    whole, point, tenth = figure.replace(",", ".").partition(".")
    return say("{whole} point {tenth}", whole=whole, tenth=tenth) if point else whole


_ROUNDED_AWAY = 0.005
"""A chance below this would be written as none."""


def expectation_text(expects: float, measure: Measure) -> str:
    """The expected result, such as `43%`, `231` or `+4.5`, in German `+4,5`."""
    if measure in (Measure.WIN, Measure.GAME):
        # Nobody is told that all is lost, or won, before it is.
        least, most = 0 < expects < _ROUNDED_AWAY, 1 - _ROUNDED_AWAY < expects < 1
        return "<1%" if least else ">99%" if most else f"{100 * expects:.0f}%"
    if measure is Measure.TOTAL:
        return f"{expects:.0f}"
    # Adding 0.0 turns a rounded -0.0 into 0.0.
    return in_tenths(round(expects, 1) + 0.0, "+")


@dataclass(frozen=True, slots=True)
class WaitPrompt(Prompt):
    """Says what the game is waiting for: pages of two lines each."""

    only_looked_at = True

    pages: tuple[tuple[str, str], ...]

    def told(self) -> Iterator[str]:
        """Page by page."""
        return told_pages(self.pages)
