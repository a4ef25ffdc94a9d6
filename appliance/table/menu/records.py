"""The best scores of each game and player, to look through."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from appliance.rules.computers import strength_of
from appliance.rules.registry import GAMES
from appliance.table.menu.pages import ListRow, PlainList
from appliance.table.menu.prompting import ConsolePrompt, NoticePrompt
from appliance.words import Verbatim

if TYPE_CHECKING:
    from appliance.table.menu.console import Console

_TOGETHER = 15
"""Letters of a name and figures that fit on one line."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a player had at the end of a game."""

    game: str
    player: str
    points: int


def best(scores: Iterable[Score]) -> tuple[Score, ...]:
    """Everybody's best score in each game, without computers: game by game, the most first."""
    games = tuple(GAMES)
    people = (score for score in scores if strength_of(score.player) is None)
    ordered = sorted(people, key=lambda s: (games.index(s.game), -s.points, s.player))
    found: dict[tuple[str, str], Score] = {}
    for score in ordered:
        found.setdefault((score.game, score.player), score)
    return tuple(found.values())


class Records(PlainList):
    """Lists them; the service counts them while this lies uppermost."""

    __slots__ = ()
    empty = "RECORDS", "COUNTING"

    def rows(self, console: "Console") -> Sequence[ListRow]:
        """A score each."""
        return [_row(score) for score in console.records or ()]

    def prompt(self, console: "Console") -> ConsolePrompt:
        """The score shown, or why there is none."""
        none = NoticePrompt((("NO GAME", "FINISHED"),), passing=False)
        return none if console.records == () else super().prompt(console)


def _row(score: Score) -> ListRow:
    title, player, points = GAMES[score.game].TITLE, Verbatim(score.player), str(score.points)
    if len(player) + len(points) > _TOGETHER:
        return ListRow(title, (player, points), ok="")
    return ListRow(title, (player,), ok=points)
