"""Acts in the simulated tray: stretches of time with dice and a hand in motion."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise

from simulator.motion.throwing import DiePath
from simulator.render.dice_model import DieBody
from simulator.render.hand import HandPose


class Mishap(StrEnum):
    """A mishap that may befall a thrown die."""

    LEANING = "leaning"
    STACKED = "stacked"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class HandKey:
    """Where the hand is at a time; between two keys it moves smoothly."""

    time_s: float
    pose: HandPose


@dataclass(frozen=True, slots=True)
class Act:
    """A stretch of time in which something happens.

    Attributes:
        start_s: when it begins.
        end_s: when everything is at rest again.
        before: the dice in the tray when it begins, by slot.
        after: the dice in the tray when it has ended.
        paths: the paths of dice in motion, by slot.
        gone: when dice disappear under the hand.
        hand: the hand's path, in time order; empty for no hand.
    """

    start_s: float
    end_s: float
    before: Mapping[int, DieBody]
    after: Mapping[int, DieBody]
    paths: Mapping[int, DiePath] = field(default_factory=dict)
    gone: Mapping[int, float] = field(default_factory=dict)
    hand: tuple[HandKey, ...] = ()

    def dice_at(self, time_s: float) -> dict[int, DieBody]:
        """The dice in view at a time, by slot."""
        slots = sorted(self.before.keys() | self.paths.keys())
        found = {slot: self.die_at(slot, time_s) for slot in slots}
        return {slot: die for slot, die in found.items() if die is not None}

    def die_at(self, slot: int, time_s: float) -> DieBody | None:
        """A die at a time, if it is in view."""
        path = self.paths.get(slot)
        if path is not None and time_s >= path.start_s:
            return path.at(time_s)
        if slot in self.gone and time_s >= self.gone[slot]:
            return None
        return self.before.get(slot)

    def hand_at(self, time_s: float) -> HandPose | None:
        """The hand at a time, if it is near the tray."""
        keys = self.hand
        if not keys or not keys[0].time_s <= time_s <= keys[-1].time_s:
            return None
        for first, second in pairwise(keys):
            if time_s <= second.time_s:
                span = max(second.time_s - first.time_s, 1e-6)
                s = (time_s - first.time_s) / span
                return _interpolate_poses(first.pose, second.pose, s * s * (3 - 2 * s))
        return keys[-1].pose


def _interpolate_poses(a: HandPose, b: HandPose, s: float) -> HandPose:
    return replace(
        a if s < 0.5 else b,
        place=(a.place[0] * (1 - s) + b.place[0] * s, a.place[1] * (1 - s) + b.place[1] * s),
        yaw=a.yaw * (1 - s) + b.yaw * s,
        height=a.height * (1 - s) + b.height * s,
    )
