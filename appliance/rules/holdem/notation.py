"""The choices of Hold'em as text: `raise 10`, `declare full-house`; and words of its positions."""

from typing import Any

from appliance.rules.dice import FACES
from appliance.rules.game import ShownDie
from appliance.rules.holdem.evaluator import SUITS, Rank
from appliance.rules.holdem.state import AllIn, Bet, Call, Check, Declare, Fold, Raise, TakePot
from appliance.rules.notation.events import Verb, Words

_KINDS = {str(kind): kind for kind in SUITS}
_RANKS = {rank.word: rank for rank in Rank}
_MOST_CHIPS = 1_000_000
"""The largest number of chips that is read."""


def die_to_text(die: ShownDie) -> str:
    """A die such as `red 6`."""
    return f"{die.kind} {die.face}"


def read_die(words: Words) -> ShownDie:
    """Takes a die as `die_to_text` writes it."""
    kind = words.one_of(_KINDS, "a colour")
    return ShownDie(kind, words.number(FACES[0], FACES[-1], "a face"))


def read_dice(words: Words) -> tuple[ShownDie, ...]:
    """Takes dice, as many as there are."""
    dice = [read_die(words)]
    while words.peek() in _KINDS:
        dice.append(read_die(words))
    return tuple(dice)


def read_chips(words: Words) -> int:
    """Takes chips in whole tens."""
    if words.peek()[-1:] != "0":
        words.fail("chips in tens")
    return words.number(0, _MOST_CHIPS, "chips")


VERBS: tuple[Verb[Any], ...] = (
    Verb("check", Check, lambda _: "", lambda _: Check()),
    Verb("bet", Bet, lambda e: str(e.chips), lambda words: Bet(read_chips(words))),
    Verb("call", Call, lambda e: str(e.chips), lambda words: Call(read_chips(words))),
    Verb("raise", Raise, lambda e: str(e.chips), lambda words: Raise(read_chips(words))),
    Verb("all-in", AllIn, lambda _: "", lambda _: AllIn()),
    Verb("fold", Fold, lambda _: "", lambda _: Fold()),
    Verb(
        "declare",
        Declare,
        lambda e: Rank(e.rank).word,
        lambda words: Declare(words.one_of(_RANKS, "a hand")),
    ),
    Verb("take-pot", TakePot, lambda _: "", lambda _: TakePot()),
)
"""`bet 10` and `call 10` name the chips that are put in, `raise 10` those beyond the call."""
