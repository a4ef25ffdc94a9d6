"""Pictures in time: pages that take turns, small animations. Pure, so no press waits for one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

from appliance.picture import Picture
from appliance.table.menu.prompting import ConsolePrompt

FIRST_S = 3.2
"""Seconds that the first page of a prompt stays: it says what to do now."""
PAGE_S = 1.6
"""Seconds that each other page stays."""
FRAME_S = 0.15
"""Seconds that each picture of an animation stays."""


@dataclass(frozen=True, slots=True)
class Still:
    """A picture and how many seconds it stays."""

    picture: Picture
    seconds: float


@dataclass(frozen=True, slots=True)
class Film:
    """What the board shows of a prompt: the opening once, then the loop again and again."""

    loop: tuple[Still, ...]
    opening: tuple[Still, ...] = ()

    @classmethod
    def of(cls, pages: Sequence[Picture], opening: Sequence[Still] = ()) -> "Film":
        """Pages that take turns; the first one, wherever it comes up, stays the longest."""
        stills = (Still(page, FIRST_S if page == pages[0] else PAGE_S) for page in pages)
        return cls(tuple(stills), tuple(opening))

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures in the order in which they come up, those of the opening first."""
        return tuple(still.picture for still in (*self.opening, *self.loop))

    def at(self, time_s: float) -> Picture:
        """The picture that is up `time_s` seconds after the film began."""
        for still in self.opening:
            if time_s < still.seconds:
                return still.picture
            time_s -= still.seconds
        time_s %= sum(still.seconds for still in self.loop)
        for still in self.loop:
            if time_s < still.seconds:
                return still.picture
            time_s -= still.seconds
        return self.loop[0].picture


def animation(pictures: Sequence[Picture]) -> tuple[Still, ...]:
    """Pictures that follow each other fast enough to look like a movement."""
    return tuple(Still(picture, FRAME_S) for picture in pictures)


@singledispatch
def pages(prompt: ConsolePrompt) -> tuple[Picture, ...]:
    """The pages of a prompt, what to do now first. Each kind of prompt registers its own.

    TypeError for a prompt that has no screen.
    """
    raise TypeError(f"no screen for {type(prompt).__name__}")


@singledispatch
def film(prompt: ConsolePrompt) -> Film:
    """A prompt in time: its pages in turn, where no animation is registered for it."""
    return Film.of(pages(prompt))
