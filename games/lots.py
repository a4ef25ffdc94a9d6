"""Lots drawn from a seed: neither an undo nor a power cut changes them.

For example, the first draw of a game with the seed "5f3a09c1d2e4b687":

    from games.values import Pass
    from games.lots import draw_lot

    draw_lot("5f3a09c1d2e4b687", 0, (Pass(),))
"""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

Lot = TypeVar("Lot")

SEED_PATTERN = re.compile(r"[0-9a-f]{16}")
"""The form of a seed: 64 bits."""


def draw_lot(seed: str, number: int, lots: Sequence[Lot]) -> Lot:
    """The lot drawn: the SHA-256 of `SEED NUMBER`, as a number, modulo the number of lots.

    Args:
        seed: drawn at random once per game.
        number: how many lots the game has drawn before, not counting those undone.
        lots: what may be drawn, each lot as often as it occurs.
    """
    digest = sha256(f"{seed} {number}".encode()).digest()
    return lots[int.from_bytes(digest, "big") % len(lots)]
