"""Counts across games: wins, points, faces thrown. Totals of some games can be added up.

As text they are a JSON list with an entry for each tray and each kind of who plays:

    [["0b1d2e4b6875f3a0", "", [["classic", "ANNA", 2, 1, 431, 256]], [["black", 6, 31]], []]]

has two games of Classic by Anna, one of them won, 431 points in all, 256 in the better one, and 31
sixes.
"""

import json
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from appliance.journal.origin import Origin, label_of
from appliance.journal.summary import Counted
from games.values import DieKind, Face

Trays = Container[str] | None
"""Identities of trays whose games count, besides those of which nobody knows the tray; None if the
games of all trays do."""


@dataclass(slots=True)
class Fared:
    """How somebody fared in finished games of one kind: wins include shared ones."""

    games: int = 0
    wins: int = 0
    points: int = 0
    best: int = 0

    def add(self, games: int, wins: int, points: int, best: int) -> None:
        """Counts further games."""
        self.best = max(self.best, best) if self.games else best
        self.games += games
        self.wins += wins
        self.points += points


@dataclass(slots=True)
class Group:
    """The totals of the games that somebody played.

    Attributes:
        players: by game and name.
        faces: how often each face of each kind of die was thrown, in all games.
        faults: why games could not be counted.
    """

    players: dict[tuple[str, str], Fared] = field(default_factory=dict)
    faces: dict[DieKind, Counter[Face]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def count(self, counted: Counted) -> None:
        """Counts a game."""
        game, faces = counted
        if game.fault:
            self.faults.append(game.fault)
        if game.winners:
            for seat, (player, points) in enumerate(zip(game.players, game.points, strict=True)):
                self.player(game.game, player).add(1, seat in game.winners, points, points)
        for (kind, face), times in faces.items():
            self._thrown(kind)[face] += times

    def _thrown(self, kind: DieKind) -> Counter[Face]:
        return self.faces.setdefault(kind, Counter())

    def player(self, game: str, player: str) -> Fared:
        """How somebody fared in a kind of game so far, to be added to."""
        return self.players.setdefault((game, player), Fared())

    def join(self, other: "Group") -> None:
        """Counts the games of another group, too."""
        for (game, player), f in other.players.items():
            self.player(game, player).add(f.games, f.wins, f.points, f.best)
        for kind, faces in other.faces.items():
            self._thrown(kind).update(faces)
        self.faults += other.faults

    def add(
        self,
        players: Iterable[tuple[str, str, int, int, int, int]],
        faces: Iterable[tuple[str, Face, int]],
        faults: Iterable[str],
    ) -> None:
        """Counts further games, as they stand in the text of totals."""
        for game, player, *fared in players:
            self.player(game, player).add(*fared)
        for kind, face, times in faces:
            self._thrown(DieKind(kind))[face] += times
        self.faults += faults


class Totals:
    """The totals of games, by who played them.

    Args:
        trays: whose games count.
    """

    def __init__(self, trays: Trays = None) -> None:
        self._trays = trays
        self._groups: dict[tuple[str, str], Group] = {}

    def count(self, counted: Counted) -> None:
        """Counts a game."""
        tray, label = counted[0].tray, label_of(counted[0].version)
        if self._counts(tray):
            self._group(tray, label).count(counted)

    def add(self, text: str) -> None:
        """Adds the totals of further games."""
        for tray, label, players, faces, faults in json.loads(text):
            if self._counts(tray):
                self._group(tray, label).add(players, faces, faults)

    def _counts(self, tray: str) -> bool:
        return self._trays is None or not tray or tray in self._trays

    def _group(self, tray: str, label: str) -> Group:
        return self._groups.setdefault((tray, label), Group())

    @property
    def text(self) -> str:
        """The totals as text."""
        return json.dumps(
            [
                (
                    tray,
                    label,
                    [(*who, f.games, f.wins, f.points, f.best) for who, f in g.players.items()],
                    [(k, face, n) for k, faces in g.faces.items() for face, n in faces.items()],
                    g.faults,
                )
                for (tray, label), g in self._groups.items()
            ],
            separators=(",", ":"),
        )

    def of(self, origin: Origin, otherwise: Origin) -> Group:
        """The totals of somebody's games, on all trays; `otherwise` is whose games name nobody."""
        found = Group()
        for (_, label), group in self._groups.items():
            if (label or otherwise) == origin:
                found.join(group)
        return found
