"""Who plays a game: people at the appliance, somebody at a keyboard, or nobody at all.

It is appended to the version of the program that began the game, as a local label of PEP 440 such
as `0.1.0+demo`, so that earlier versions can read these games too.
"""

from enum import StrEnum
from functools import lru_cache


class Origin(StrEnum):
    """Who plays."""

    APPLIANCE = "appliance"
    KEYBOARD = "keyboard"
    DEMO = "demo"


FILES = {Origin.KEYBOARD: "play.sqlite3", Origin.DEMO: "demo.sqlite3"}
"""Where games without hardware are kept, in the user's folder."""

LETTERS = {Origin.APPLIANCE: "", Origin.KEYBOARD: "K", Origin.DEMO: "D"}
"""The letters before a game's number, as each file counts from 1."""


NOT_INSTALLED = "0"
"""The version of a program that is not installed, such as one that is run from a checkout."""


def own_version() -> str:
    """The version of this program as it was installed; `NOT_INSTALLED` where it was not."""
    # A start is not to wait for this.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("dicetray")
    except PackageNotFoundError:
        return NOT_INSTALLED


def written_by(origin: Origin) -> str:
    """The note in a new game's record on who began it."""
    plain = own_version()
    return plain if origin is Origin.APPLIANCE else f"{plain}+{origin}"


def label_of(written: str) -> str:
    """Who plays a game, by what it records; empty where that names nobody."""
    label = written.rpartition("+")[2]
    return label if label in FILES else ""


@lru_cache
def origin_of(written: str, otherwise: Origin = Origin.APPLIANCE) -> Origin:
    """Who plays a game, by what it records; `otherwise` where that names nobody."""
    return Origin(label_of(written) or otherwise)
