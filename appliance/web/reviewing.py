"""How a game went, for a page: each player's dice and decisions, and what was better."""

from typing import Any

from appliance.stats.reviewed import review_fields
from games.record import Record
from games.strategy.review import review_game

MIN_COST = 0.05
"""Decisions that cost less than this are not worth a line, in units of the hints."""


def review_of(record: Record) -> list[dict[str, Any]]:
    """The review of a game, as a page gets it; it may take seconds."""
    players = review_fields(review_game(record))
    for player in players:
        player["worst"] = [one for one in player["worst"] if one["cost"] >= MIN_COST]
    return players
