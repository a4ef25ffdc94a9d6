"""A review as the board tells it: how a player fared, or a decision and the throw it was about."""

from dataclasses import dataclass

from games.values import Face

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
