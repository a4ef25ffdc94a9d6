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
        Spot("C1 FULL H", 9, "CHIPS +3", aim=True, chips=3, pays=9),
        Spot("C2 FOURS", 4, aim=True),
        Spot("C3 LG STR", 14, "CHIPS +6", aim=True, chips=6),
        Spot("2A 3 ALIKE", 4, "BEAT 17", "BOB", aim=True, pays=4, needs=18),
    ),
    ring=False,
    beside=(
        Spot("DECK", 12, "CARDS"),
        Spot("FIVE ALIKE", 3, "CARDS"),
        Spot("CHIPS LEFT", 20),
    ),
)
"""The open cards of Free for All, with dice that make some of them."""

AT_HOME = replace(
    CARDS,
    spots=(
        *(replace(spot, pays=None) for spot in CARDS.spots),
        Spot("3A FOURS", 4, "BEAT 2", "CLEO", aim=True, needs=3),
        Spot("4A FULL H", 6, "BEAT 21", "DORA", aim=True, needs=22),
        Spot("5A SIXES", 6, "BEAT 1", "EMIL", aim=True, needs=2),
    ),
)
"""The same before a throw, with a card at home with everybody."""


def _ring() -> TableSpots:
    spots = [Spot("WILD" if number % 4 == 0 else "EMPTY") for number in range(16)]
    spots[2] = Spot("SIXES", 30, "NEED 4", "ANNA", mine=True, needs=4, gain=10)
    spots[5] = Spot("FOURS", 20, "NEED 2", "BOB", pawns=("ANNA",), here=True, aim=True, needs=2)
    spots[6] = Spot("LARGE STR", 70, "", "ANNA", mine=True)
    spots[9] = Spot("FULL HOUSE", 50, "", "BOB", pawns=("BOB",))
    spots[11] = Spot("ACES", 20, "NEED 2", "CLEO", pawns=("CLEO",), needs=2)
    beside = (Spot("THREES"), Spot("FIVES"), Spot("CHANCE"))
    return TableSpots(tuple(spots), ring=True, beside=beside)


RING = _ring()
"""The ring of Showdown as Anna sees it, with her pawn on a card of Bob's."""

OWN = replace(
    RING,
    spots=tuple(
        replace(spot, pawns=("ANNA",) * (number == 2), here=number == 2, aim=number == 2)
        for number, spot in enumerate(RING.spots)
    ),
)
"""The same with her pawn on her own sixes."""

MOVING = replace(RING, spots=tuple(replace(spot, aim=False) for spot in RING.spots))
"""The ring before she moves on."""

ROLLED = replace(
    RING,
    spots=tuple(replace(spot, pays=30 if spot.here else None) for spot in RING.spots),
)
"""The ring once her dice make Bob's fours."""

COMMUNITY = (
    ShownDie(DieKind.RED, 6),
    ShownDie(DieKind.RED, 3),
    ShownDie(DieKind.YELLOW, 6),
    ShownDie(DieKind.WHITE, 2),
    ShownDie(DieKind.BLACK, 6),
)
"""The community dice in Hold'em."""
