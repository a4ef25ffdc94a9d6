"""What can lie over the game on the board: menus, and the steps by which a game is set up.

Pages lie on one another; BACK takes away the uppermost one.
"""

from dataclasses import dataclass, field, replace

from appliance.rules.game import OptionValue
from appliance.table.menu.name_entry import Entry
from appliance.table.session.session import Setup, ViewingSheet


@dataclass(frozen=True, slots=True)
class _List:
    """A list; `index` is the item shown."""

    index: int = 0


class Menu(_List):
    """The menu."""


class Games(_List):
    """The games that were put aside."""


class Rules(_List):
    """The options of the present game, and those of the next."""


class About(_List):
    """Versions and how everything is."""


class PickGame(_List):
    """Which game?"""


@dataclass(frozen=True, slots=True)
class Keeping:
    """Asks whether a new game shall begin, and says that the present one is kept."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The sheets of the present game."""

    sheet: ViewingSheet


@dataclass(frozen=True, slots=True)
class Brightness:
    """The brightness, changed live; `before` comes back with BACK."""

    before: int


@dataclass(frozen=True, slots=True)
class Off:
    """Asks whether the appliance shall be switched off."""


@dataclass(frozen=True, slots=True)
class GoodBye:
    """The appliance is being switched off."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A game that is being set up.

    Attributes:
        game: which one.
        count: how many will play.
        players: the names so far.
        options: the house rules so far.
    """

    game: str
    count: int = 0
    players: tuple[str, ...] = ()
    options: tuple[tuple[str, OptionValue], ...] = ()

    def with_option(self, name: str, value: OptionValue) -> "Draft":
        """The draft with an option decided, in place of what it was before."""
        options = {**dict(self.options), name: value}
        return replace(self, options=tuple(sorted(options.items())))

    @property
    def setup(self) -> Setup:
        """The game as it can be begun."""
        return Setup(self.game, self.players, self.options)


@dataclass(frozen=True, slots=True)
class _ListOfDraft:
    """A list in the setting up of a game; `index` is the item shown."""

    draft: Draft
    index: int = 0


class PickPlayers(_ListOfDraft):
    """How many play, or the same as last time?"""


class PickName(_ListOfDraft):
    """Who sits in the next seat? One of the names that are known, or a new one."""


class PickFirst(_ListOfDraft):
    """Who begins: a roll-off, or one of the players?"""


@dataclass(frozen=True, slots=True)
class Typing:
    """A new name, letter by letter; `remark` says what is wrong with it."""

    draft: Draft
    entry: Entry = field(default_factory=Entry)
    remark: str = ""


@dataclass(frozen=True, slots=True)
class PickOption:
    """Which value of the house rule `name`?"""

    draft: Draft
    name: str
    index: int = 0


@dataclass(frozen=True, slots=True)
class RollOff:
    """One die each decides who begins, in a game whose own rules have no roll-off.

    Attributes:
        draft: the game.
        totals: the faces so far, in the order in which they were thrown.
        telling: the face that the players are about to tell; None while a throw is waited for.
        thrown: dice that were thrown at once in place of one; 0 when nothing is wrong.
    """

    draft: Draft
    totals: tuple[int, ...] = ()
    telling: int | None = None
    thrown: int = 0


ListPage = Menu | Games | Rules | About | PickGame | PickPlayers | PickName | PickOption | PickFirst
"""Pages that show one item of a list: LEFT and RIGHT go through it, OK takes it, BACK goes back."""

SettingUp = PickGame | PickPlayers | PickName | Typing | PickOption | PickFirst | RollOff
"""Pages of a game that is being set up: throws meanwhile do not belong to the present game."""

Page = ListPage | Keeping | Scores | Brightness | Off | GoodBye | SettingUp
