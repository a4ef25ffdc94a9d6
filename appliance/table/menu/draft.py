"""A game that is being set up."""

from dataclasses import dataclass, replace

from appliance.table.menu.console import Console
from appliance.table.menu.options import seat_option
from appliance.table.menu.requests import BeginGame
from appliance.table.session.session import Setup
from games.values import OptionValue


@dataclass(frozen=True, slots=True)
class Draft:
    """A game that is being set up, with the names and house rules so far.

    With `joins`, it is the current game that continues, with one more player. With `names` it
    continues, too: the player in that seat, counted from 0, gets a name.
    """

    game: str
    count: int = 0
    players: tuple[str, ...] = ()
    options: tuple[tuple[str, OptionValue], ...] = ()
    joins: bool = False
    names: int | None = None

    @property
    def seat(self) -> int:
        """The seat that the next name is for, counted from 0."""
        return len(self.players) if self.names is None else self.names

    def with_option(self, name: str, value: OptionValue) -> "Draft":
        """The draft with an option decided, replacing its value so far."""
        options = {**dict(self.options), name: value}
        return replace(self, options=tuple(sorted(options.items())))

    @property
    def setup(self) -> Setup:
        """The game as it can be begun."""
        return Setup(self.game, self.players, self.options)


def request_game(console: Console, draft: Draft, first: OptionValue) -> Console:
    """The draft is complete: requests the game."""
    return console.with_requests(BeginGame(draft.with_option(seat_option(draft.game), first).setup))
