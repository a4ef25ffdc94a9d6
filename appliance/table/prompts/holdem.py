"""Prompts of Hold'em, where dice have colours and players bet."""

from dataclasses import dataclass

from appliance.rules.game import DieKind, Face, ShownDie
from appliance.table.prompts.prompt import Prompt
from vision.reading import TrayState

OpenDice = tuple[ShownDie, ...]


@dataclass(frozen=True, slots=True)
class BetPrompt(Prompt):
    """Shows one action open to a player in a round of betting; waits for OK, LEFT or RIGHT.

    Attributes:
        cost: the chips that it puts in.
        pot: the chips in all pots together.
        stage: a word for the round, such as "FLOP".
        index: its position in the list.
        dealer: who deals, as a hand begins and everyone is to draw two dice; otherwise empty.
        news: what was done before, as two lines; None if it is no longer news.
        possible: whether the action can be taken now: each keeps its place in the list.
        confirm: whether OK was pressed to fold and must be pressed again.
        stacks: everybody's chips in seat order, as a hand after the first begins; otherwise empty.
    """

    player: str
    label: str
    cost: int
    chips: int
    pot: int
    stage: str
    index: int
    count: int
    dice: OpenDice
    dealer: str = ""
    news: tuple[str, str] | None = None
    remark: str = ""
    possible: bool = True
    confirm: bool = False
    stacks: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class DealPrompt(Prompt):
    """Waits until the dealer has thrown dice from the bag.

    `purpose` is "FLOP", "FLOP AGAIN", "TURN" or "RIVER", `count` the number of dice to draw and
    throw. A `surplus` in the tray is to be taken out first; `dice` are those already lying there,
    and `news` is as in `BetPrompt`.
    """

    player: str
    purpose: str
    count: int
    tray: TrayState
    surplus: int
    dice: OpenDice
    news: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class ShowPrompt(Prompt):
    """Waits until a player has laid the pocket dice into the tray.

    `remark` says why dice that were shown do not count; `news` is as in `BetPrompt`.
    """

    player: str
    tray: TrayState
    dice: OpenDice
    remark: str = ""
    news: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class HandPrompt(Prompt):
    """Names the best hand of the player who shows, and the five dice that make it."""

    player: str
    label: str
    dice: OpenDice


@dataclass(frozen=True, slots=True)
class PotPrompt(Prompt):
    """Says who wins the pots, each with the chips that each winner gets; OK pays them out.

    `label` is the best hand; empty when all others have folded.
    """

    pots: tuple[tuple[tuple[str, int], ...], ...]
    label: str


@dataclass(frozen=True, slots=True)
class ColourPrompt(Prompt):
    """Asks which colour a die has: LEFT and RIGHT change it, OK accepts.

    `kind` is the one proposed, None where nobody has proposed one. If `pending`, a throw is waiting
    for it; otherwise a die on the table is being corrected.
    """

    name: str
    face: Face
    kind: DieKind | None
    pending: bool


HoldemPrompt = BetPrompt | DealPrompt | ShowPrompt | HandPrompt | PotPrompt | ColourPrompt
