"""The scoreboard's modules, as far as they are known."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BoardModules:
    """A linked scoreboard's own account of its modules.

    Attributes:
        board: which one it is.
        layouts: the layouts to choose from, by name; none before a board is linked.
        layout: the one that it has; empty if it is none of these.
        chosen: whether anybody has chosen it.
        trouble: why none can be chosen, in pages of two lines; empty if one can.
    """

    board: str = ""
    layouts: tuple[str, ...] = ()
    layout: str = ""
    chosen: bool = True
    trouble: tuple[tuple[str, str], ...] = ()
