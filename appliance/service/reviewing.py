"""The game on the board looked back on, in steps between the frames."""

from collections.abc import Iterator
from itertools import repeat

from appliance.rules.record import Record
from appliance.strategy.review import Fared, look_back
from appliance.table.session.session import Session
from appliance.words import Verbatim

Row = tuple[str, tuple[str, ...]]


def review(session: Session) -> Iterator[tuple[Row, ...] | None]:
    """What the board says of a game's decisions; None after each step until it is known."""
    setup = session.setup
    tags = setup.game, session.rules.EDITION, setup.players, setup.options
    record = Record(*tags, session.events, seed=session.seed)
    for players in look_back(record):
        if players is None:
            yield None
        else:
            yield from repeat(tuple(row for player in players for row in _rows(player)))


def _rows(player: Fared) -> Iterator[Row]:
    name, cost = Verbatim(player.player), player.cost
    costly = [decision for decision in player.worst if decision.cost >= 0.05]
    if player.par is not None and player.luck is not None:
        parts = f"PAR {player.par:.0f}", f"DICE {round(player.luck):+}", f"CHOICES {round(-cost):+}"
        yield "REVIEW", (name, f"{player.points} POINTS", *parts)
    elif not costly:
        yield "REVIEW", (name, "NO MISTAKE")
    for one in costly:
        yield f"IN TURN {one.turn}", (name, one.chosen, "BETTER:", one.best, f"COST {one.cost:.1f}")
