"""Ignores a contact that bounces or is wet: no finger presses that often."""

import logging
from collections import defaultdict, deque
from collections.abc import Sequence

from appliance.inputs import Button, Chord, Pressed

log = logging.getLogger(__name__)

WINDOW_S = 3.0
"""Seconds to look back, and for which a button must be quiet to count again."""

MAX_PRESSES_IN_WINDOW = 60
"""Of one button: 20 a second, which a finger can just manage."""


class SteadyButtons:
    """Leaves out the presses of buttons that are `stuck`, until they are quiet."""

    def __init__(self) -> None:
        self.stuck: set[Button] = set()
        self._times_s: defaultdict[Button, deque[float]] = defaultdict(deque)
        self._before_s: float | None = None

    def debounce(self, presses: Sequence[Pressed | Chord], now_s: float) -> list[Pressed | Chord]:
        """The presses that count, of those since the last call, oldest first."""
        before_s = now_s if self._before_s is None else self._before_s
        self._before_s = now_s
        for button, times_s in self._times_s.items():
            while times_s and times_s[0] <= now_s - WINDOW_S:
                times_s.popleft()
            if not times_s and button in self.stuck:
                self.stuck.remove(button)
                log.info("the button %s is quiet again", button)
        pressed = [press.button for press in presses if isinstance(press, Pressed)]
        for number, button in enumerate(pressed, start=1):
            # When they came is not known: a slow round may bring many.
            time_s = before_s + (now_s - before_s) * number / len(pressed)
            if time_s > now_s - WINDOW_S:
                self._times_s[button].append(time_s)
            if len(self._times_s[button]) > MAX_PRESSES_IN_WINDOW and button not in self.stuck:
                self.stuck.add(button)
                log.warning("the button %s bounces or is stuck: it is ignored", button)
        return [p for p in presses if isinstance(p, Chord) or p.button not in self.stuck]
