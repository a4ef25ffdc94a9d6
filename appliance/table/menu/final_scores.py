"""Players' scores at the ends of games, and the best of these."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from appliance.table.menu.settings import spoken_name
from games.computers import strength_of
from games.registry import GAMES


@dataclass(frozen=True, slots=True)
class FinalScore:
    """A player's score at the end of a game."""

    game: str
    player: str
    points: int


def best_scores(scores: Iterable[FinalScore]) -> tuple[FinalScore, ...]:
    """Everybody's best score in each game, without computers: game by game, the highest first.

    A player without a name is the same in all languages.
    """
    games = tuple(GAMES)
    people = (
        replace(score, player=spoken_name(score.player))
        for score in scores
        if strength_of(score.player) is None
    )
    ordered = sorted(people, key=lambda s: (games.index(s.game), -s.points, s.player))
    found: dict[tuple[str, str], FinalScore] = {}
    for score in ordered:
        found.setdefault((score.game, score.player), score)
    return tuple(found.values())
