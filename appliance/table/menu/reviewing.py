"""What the board says in a review: how a player fared, or a decision and the throw it was about."""

from dataclasses import dataclass

from appliance.guidance import GO_BACK, SHOW_OTHERS, Guidance, guidance
from appliance.rules.game import Face
from appliance.table.menu.prompting import PagePrompt
from appliance.words import Verbatim, say

Held = tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Something that a review has to say.

    Attributes:
        title: what it is about, such as "IN TURN 5".
        lines: what is said in words, one line after another; first the player.
        dice: the throw of a decision by slot; empty where there was none.
        held: the slots that were held; None where a box or card was chosen.
        better: the same of what would have been better.
        chosen: what was chosen, as the board calls it.
        best: the same of what would have been better.
    """

    title: str
    lines: tuple[str, ...]
    dice: tuple[Face | None, ...] = ()
    held: Held = None
    better: Held = None
    chosen: str = ""
    best: str = ""


@dataclass(frozen=True, slots=True)
class DecisionPrompt(PagePrompt):
    """A decision in a review; LEFT, RIGHT and OK go on, `index` and `count` as in a list."""

    said: Reviewed
    index: int
    count: int

    def can_do(self, hands: bool = True) -> Guidance:
        """Other decisions are looked at."""
        what = " ".join(map(say, self.said.lines))
        says = Verbatim(f"{say(self.said.title)}: {what}.")
        return guidance(says, SHOW_OTHERS, GO_BACK)
