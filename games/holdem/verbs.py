"""The choices of Hold'em as text, such as `raise 10`, and the names of hands."""

import re
from collections.abc import Sequence
from typing import Any

from games.dice import FIVE_DICE
from games.holdem import state as holdem
from games.holdem.betting import BETS
from games.holdem.evaluator import DICE_PER_SUIT, SUITS, Rank, best_five, surplus_colour
from games.notation.verbs import NamedHand, Verb, pattern_verb, plain_verb
from games.notation.words import Words
from games.values import RulesError, ShownDie

_COLOUR_BY_LETTER = {kind.value[0]: kind for kind in SUITS}
_COLOURED_DIE = re.compile(r"([rbwy])([1-6])")
_MAX_CHIPS = 1_000_000
"""The largest number of chips that is accepted."""


def name_hand(words: Sequence[str]) -> NamedHand:
    """The best hand of dice such as `r5`.

    Raises:
        RulesError: for other words, a number of dice that is not 5 to 7, or a sixth of a colour.
    """
    dice = []
    for word in words:
        found = _COLOURED_DIE.fullmatch(word)
        if found is None:
            raise RulesError(f"expected a colour and a face such as r5 (r b w y), found {word!r}")
        dice.append(ShownDie(_COLOUR_BY_LETTER[found[1]], int(found[2])))
    if not FIVE_DICE <= len(dice) <= holdem.COMMUNITY_DICE + holdem.POCKET_DICE:
        most = holdem.COMMUNITY_DICE + holdem.POCKET_DICE
        raise RulesError(f"expected {FIVE_DICE} to {most} dice, found {len(dice)}")
    if (kind := surplus_colour(dice)) is not None:
        raise RulesError(
            f"expected at most {DICE_PER_SUIT} dice of a colour, found more {kind} ones"
        )
    hand, five = best_five(tuple(dice))
    shown = sorted(five, key=lambda die: hand.faces.index(die.face))
    written = tuple(f"{die.kind[0]}{die.face}" for die in shown)
    return NamedHand(hand.rank.word, written, f"{hand.alike} of a colour")


def read_chips(words: Words) -> int:
    """Takes chips in whole tens."""
    if words.peek()[-1:] != "0":
        words.fail("chips in tens")
    return words.number(0, _MAX_CHIPS, "chips")


def _chips_verb(word: str, event: Any) -> Verb[Any]:
    """How a bet or a raise is written."""
    return Verb(
        word,
        event,
        lambda bet: str(bet.chips),
        lambda words: event(read_chips(words)),
        actions=tuple(str(chips) for chips in BETS),
    )


VERBS: tuple[Verb[Any], ...] = (
    plain_verb("check", holdem.Check),
    _chips_verb("bet", holdem.Bet),
    Verb(
        "call",
        holdem.Call,
        lambda call: str(call.chips),
        lambda words: holdem.Call(read_chips(words)),
        actions=("",),
        action=lambda _: "",
    ),
    _chips_verb("raise", holdem.Raise),
    plain_verb("all-in", holdem.AllIn),
    plain_verb("fold", holdem.Fold),
    pattern_verb("declare", holdem.Declare, "rank", Rank, "a hand"),
    plain_verb("take-pot", holdem.TakePot),
)
"""`bet 10` and `call 10` name the chips that are put in, `raise 10` those beyond the call."""
