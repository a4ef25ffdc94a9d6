"""Computer players: the stars in their names mark them and show how strong they are.

People cannot enter a star, so the names in a record show who was who, and earlier versions read
it like any other. For example, `ROBO **` plays well:

    from games.computers import Strength, computer_name, strength_of

    assert computer_name(Strength.WELL, ("ANNA", "ROBO *")) == "BEEP **"
    assert strength_of("ANNA") is None
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from games.values import Ask, Choose, Draw


class Strength(StrEnum):
    """How strong a computer player is."""

    FUN = "fun"
    WELL = "well"
    BEST = "best"


COMPUTER_NAMES = ("ROBO", "BEEP", "CHIP", "BOLT", "PIXEL", "DOT")
_STRENGTH_BY_STARS = {"*" * number: strength for number, strength in enumerate(Strength, start=1)}


def computer_name(strength: Strength, others: Iterable[str]) -> str:
    """A name for a computer of this strength, one that nobody else at the table has if possible."""
    taken = {name.partition(" ")[0] for name in others}
    name = next((name for name in COMPUTER_NAMES if name not in taken), COMPUTER_NAMES[0])
    return f"{name} {'*' * (1 + list(Strength).index(strength))}"


def strength_of(name: str) -> Strength | None:
    """How strong the computer with this name is; None for a person's name."""
    base, _, stars = name.partition(" ")
    return _STRENGTH_BY_STARS.get(stars) if base in COMPUTER_NAMES else None


def deciding_computer(players: Sequence[str], ask: Ask | None) -> Strength | None:
    """How strong the computer that must choose is; None where people or chance decide."""
    if not isinstance(ask, Choose) or isinstance(ask, Draw) or ask.reported:
        return None
    return strength_of(players[ask.seat])
