"""The pages of the wizard: a list of five items, what each asks for, and what was kept."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Page(StrEnum):
    """A page on the board; the value is its title."""

    LIST = "CALIBRATE"
    TRAY = "TRAY"
    WIDTH = "FLOOR WIDTH"
    DEPTH = "FLOOR DEPTH"
    CORNERS = "CORNERS"
    POWER = "POWER DIE"
    HOLDER = "HOLDER"
    CARD = "CARD"
    CHECK = "CHECK DICE"
    KEPT = "SAVED"


ITEMS = (Page.TRAY, Page.POWER, Page.HOLDER, Page.CARD, Page.CHECK)
"""The jobs that can be done, in any order once the tray is known."""

FLOOR_PAGES = (Page.WIDTH, Page.DEPTH)
"""Asked about a tray without markers, before its corners are pointed at."""

LOOKS_TO_TAKE: Mapping[Page, int] = MappingProxyType(
    {Page.TRAY: 5, Page.POWER: 3, Page.HOLDER: 6, Page.CARD: 5}
)
"""Looks in a row that must show the same before a page goes on by itself.

Long enough to read what the page says, and to put a second die into the holder.
"""

CHANGED_PAGES = (Page.POWER, Page.HOLDER)
"""They only go on by themselves when something has changed since they came up."""
