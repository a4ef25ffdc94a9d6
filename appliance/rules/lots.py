"""Lots that follow from a seed: an undo or a power cut changes none of them.

For example, what is drawn first in a game with the seed "5f3a09c1d2e4b687":

    from appliance.rules.game import Pass
    from appliance.rules.lots import lot

    lot("5f3a09c1d2e4b687", 0, (Pass(),))
"""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

Lot = TypeVar("Lot")

SEED = re.compile(r"[0-9a-f]{16}")
"""What a seed looks like: 64 bits."""


def lot(seed: str, number: int, lots: Sequence[Lot]) -> Lot:
    """The lot that is drawn: the SHA-256 of `SEED NUMBER`, as a number, modulo how many there are.

    Args:
        seed: drawn by chance once a game.
        number: how many lots were drawn before in the game as it stands, without what was undone.
        lots: what may be drawn, equal lots as often as they are there.
    """
    digest = sha256(f"{seed} {number}".encode()).digest()
    return lots[int.from_bytes(digest, "big") % len(lots)]
