"""Which dice can be kept when others are thrown again."""

from collections.abc import Mapping
from itertools import combinations
from types import MappingProxyType

from appliance.rules.game import Keep


def keeps(dice: int) -> tuple[Keep, ...]:
    """Every way to keep some of so many dice, fewest first; at least one is thrown."""
    return tuple(Keep(slots) for n in range(dice) for slots in combinations(range(dice), n))


def thrown_by(dice: int) -> Mapping[tuple[int, ...], tuple[int, ...]]:
    """The slots that are thrown, by the slots that are kept of so many dice."""
    return MappingProxyType(
        {
            keep.slots: tuple(slot for slot in range(dice) if slot not in keep.slots)
            for keep in keeps(dice)
        }
    )
