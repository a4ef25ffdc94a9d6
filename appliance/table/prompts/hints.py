"""Prompts after HINT: the best move, or what the game is waiting for."""

from collections.abc import Iterator
from dataclasses import dataclass

from appliance.guidance import GO_BACK, Guidance, guidance
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.wording import label_in_words, told_pages
from appliance.words import Label, Verbatim, say
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
                yield f"{say(Label(odds.key))} {100 * odds.win:.0f} %, {say(Label(odds.advice))}"
            if self.reason:
                yield say(self.reason)
            return
        if self.hold is None:
            best = f"{say(self.purpose)} {label_in_words(self.label)}"
        elif self.hold:
            best = say("HOLD {buttons}", buttons=", ".join(str(slot + 1) for slot in self.hold))
        else:
            best = say("THROW ALL")
        yield f"{say('HINT')}: {best}"
        if self.reason:
            yield label_in_words(self.reason)
        if self.measure is Measure.TOTAL:
            yield say("EXPECT {points}", points=f"{self.expects:.0f}")
        yield self.line_at_buttons


@dataclass(frozen=True, slots=True)
class WaitPrompt(Prompt):
    """Says what the game is waiting for: pages of two lines each."""

    only_looked_at = True

    pages: tuple[tuple[str, str], ...]

    def told(self) -> Iterator[str]:
        """Page by page."""
        return told_pages(self.pages)
