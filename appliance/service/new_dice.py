"""Dice that seem to be others than those that are known: people say whether they are new ones."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from calibration.calibration import Calibration
from calibration.own_dice import ConfirmedDie, OwnDice, with_new_colours
from vision.body_colours import ColourName
from vision.frame import Image

Colours = tuple[ColourName, ...]


class Keeper(Protocol):
    """Who keeps what is known of a tray and its dice."""

    @property
    def calibration(self) -> Calibration | None:
        """The calibration in use; None while there is none."""

    @property
    def unstored(self) -> int:
        """How many changes are used that are not stored yet."""

    def use(self, calibration: Calibration) -> None:
        """Uses a calibration that is stored together with later ones."""

    def store(self, calibration: Calibration) -> None:
        """Uses and stores a calibration."""

    def store_learnt(self, calibration: Calibration) -> None:
        """Uses and stores a calibration, with the checks and dice that are known by now."""


class NewDice:
    """Asks once for each size, and whenever other colours are seen, whether dice are new ones.

    Args:
        renew: reads with a calibration from now on.

    Attributes:
        sizes: the size of the dice as known and as it seems now, millimetres; None where nothing is
            to be asked about it.
        colours: the same about their colours.
    """

    def __init__(self, keeper: Keeper, renew: Callable[[Calibration], None]) -> None:
        self._keeper = keeper
        self._renew = renew
        self.sizes: tuple[float, float] | None = None
        self.colours: tuple[Colours, Colours] | None = None
        self._asked_mm: set[float] = set()
        self._colours_asked = False
        self._throw: tuple[Image, tuple[ConfirmedDie, ...]] | None = None

    def note_size(self, edge_mm: float) -> bool:
        """Takes note that dice seem to have another size; whether it is to be used at once.

        Where throws have confirmed a size before, people are asked first.
        """
        known = self._keeper.calibration
        if known is None or not known.size_known:
            return True
        if edge_mm not in known.sizes_denied and edge_mm not in self._asked_mm:
            self.sizes = (known.profile.die_edge_mm, edge_mm)
        return False

    def note_colours(
        self, known: Colours, seen: Colours, picture: Image, dice: tuple[ConfirmedDie, ...]
    ) -> None:
        """Takes note that dice seem to have other colours, in a throw that shows them."""
        self.colours, self._throw = (known, seen), (picture, dice)

    def ask_about_size(self, ask: Callable[[float, float], None], *, busy: bool = False) -> None:
        """Asks on the board whether dice of another size are new ones, once they seem to be."""
        if self.sizes is None or busy or self.sizes[1] in self._asked_mm:
            return
        self._asked_mm.add(self.sizes[1])
        ask(*self.sizes)

    def ask_about_colours(
        self, ask: Callable[[Colours, Colours], None], *, busy: bool = False
    ) -> None:
        """Asks on the board whether dice of other colours are new ones, once they are seen."""
        if self.colours is None or busy or self._colours_asked:
            return
        self._colours_asked = True
        ask(*self.colours)

    def answer(self, new: bool) -> None:
        """Keeps whether people play with new dice, so that they are not asked again."""
        if self._colours_asked:
            self._learn_colours(new)
            return
        sizes, self.sizes = self.sizes, None
        known = self._keeper.calibration
        if sizes is None or known is None:
            return
        if new:
            known = known.with_dice_of(sizes[1])
        else:
            known = replace(known, sizes_denied=(*known.sizes_denied, sizes[1]))
        self._keeper.store_learnt(known)
        self._renew(known)

    def _learn_colours(self, new: bool) -> None:
        """New dice are learnt in place of the old ones; dice that look otherwise now, too."""
        self.colours, self._colours_asked = None, False
        throw, self._throw = self._throw, None
        known = self._keeper.calibration
        if throw is None or known is None:
            return
        told = replace(known, profile=with_new_colours(known.profile, *throw, instead=new))
        self._keeper.store(replace(told, own_dice=OwnDice()) if new else told)
        self._renew(told)
