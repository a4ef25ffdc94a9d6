"""The ports of people at the table: dice, the tray and the buttons."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from appliance.inputs import Button
from games.registry import GAMES
from games.values import Face
from simulator.motion.acts import Mishap
from vision.reading import Kind


class Tray(Protocol):
    """The dice and the hand over them."""

    @property
    def busy(self) -> bool:
        """True while the hand is at work or dice are rolling."""

    def kind(self, die: int) -> Kind:
        """Which kind of die this is."""

    def throw(self, faces: Mapping[int, Face], mishaps: Mapping[int, Mishap]) -> None:
        """Throws these dice so that they show these faces, unless something goes wrong."""

    def rest_hand(self) -> None:
        """Lets a hand rest in the tray for a while."""

    def knock(self, die: int) -> None:
        """Pushes a die aside; its face stays up."""

    def turn(self, die: int, face: Face) -> None:
        """Turns a die where it lies, so that it shows another face."""

    def set_aside(self, dice: Sequence[int]) -> None:
        """Puts dice into the holder beside the tray, as they lie."""

    def pick_up(self, dice: Sequence[int]) -> None:
        """Takes these dice out of the tray."""

    def lying(self) -> Mapping[int, tuple[tuple[float, float], Face | None]]:
        """Dice in and beside the tray: the place and face of each; None if it has no face."""

    def places(self) -> Mapping[int, tuple[float, float]]:
        """Where each die lies, or lay before it was picked up."""


class Pressing(Protocol):
    """Buttons that can be pressed."""

    def press(self, button: Button) -> None:
        """Presses a button and lets it go."""


class Presser(Pressing, Protocol):
    """Buttons that can also be held."""

    def hold(self, button: Button) -> None:
        """Presses a button for a long time."""


def kinds_of_dice_in(game: str) -> dict[int, Kind]:
    """The dice a game is played with, by the players' numbers; five black ones if it is unknown."""
    if game not in GAMES:
        return dict.fromkeys(range(5), Kind.BLACK)
    return {number: Kind(kind.value) for number, kind in enumerate(GAMES[game].dice_kinds)}
