"""The form of a scene of the gallery, and game tables that several scenes share."""

from dataclasses import dataclass, replace

from appliance.table.prompts.looking import Spot, TableSpots
from appliance.table.prompts.prompt import Prompt
from games.values import DieKind, ShownDie


@dataclass(frozen=True, slots=True)
class Scene:
    """A prompt with the name of its drawing and a line about when it comes up."""

    name: str
    says: str
    prompt: Prompt


Scenes = tuple[Scene, ...]

CARDS = TableSpots(
    (
        Spot("C1 FULL H", 9, "CHIPS +3", aim=True, chips=3, fits=True),
        Spot("C2 FOURS", 4, aim=True),
        Spot("C3 LG STR", 14, "CHIPS +6", aim=True, chips=6),
        Spot("2A 3 ALIKE", 4, "BEAT 17", "BOB", aim=True, fits=True),
    ),
    ring=False,
    beside=(
        Spot("DECK", 12, "CARDS"),
        Spot("FIVE ALIKE", 3, "CARDS"),
        Spot("CHIPS LEFT", 20),
    ),
)
"""The open cards of Free for All."""


def _ring() -> TableSpots:
    spots = [Spot("WILD" if number % 4 == 0 else "EMPTY") for number in range(16)]
    spots[2] = Spot("SIXES", 30, "NEED 4", "ANNA", mine=True)
    spots[5] = Spot("FOURS", 20, "NEED 2", "BOB", pawns=("ANNA",), here=True, aim=True)
    spots[6] = Spot("LARGE STR", 70, "", "ANNA", mine=True)
    spots[9] = Spot("FULL HOUSE", 50, "", "BOB", pawns=("BOB",))
    spots[11] = Spot("ACES", 20, "NEED 2", "CLEO", pawns=("CLEO",))
    beside = (Spot("THREES"), Spot("FIVES"), Spot("CHANCE"))
    return TableSpots(tuple(spots), ring=True, beside=beside)


RING = _ring()
"""The ring of Showdown as Anna sees it, with her pawn on a card of Bob's."""

MOVING = replace(RING, spots=tuple(replace(spot, aim=False) for spot in RING.spots))
"""The ring before she moves on."""

COMMUNITY = (
    ShownDie(DieKind.RED, 6),
    ShownDie(DieKind.RED, 3),
    ShownDie(DieKind.YELLOW, 6),
    ShownDie(DieKind.WHITE, 2),
    ShownDie(DieKind.BLACK, 6),
)
"""The community dice in Hold'em."""
