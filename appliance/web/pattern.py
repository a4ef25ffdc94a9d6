"""The board's lights as pages get them: a picture, or the pictures that come round again and again.

A board that blinks costs a page nothing once its pattern is known: the page shows it by itself, and
is told only of what departs from it.
"""

import time
from collections import deque
from collections.abc import Callable

from appliance.web.serving import Channel

MAX_PICTURES = 64
"""Of a pattern."""
TOLERANCE_S = 0.4
"""By so much a picture may come earlier or later than the pattern has it; less is not noticed."""

Shown = tuple[str | None, float]
"""A picture in hexadecimal digits (None for a dark board), and for how many seconds it was up."""


class BoardPattern:
    """Publishes the lights as events of the kind `board`.

    An event has `loop`, pictures and seconds in order; `at`, how many seconds of it were over at
    `sent`, a time of the clock that the channel tells each page at first. A single picture stays.
    """

    def __init__(self, channel: Channel, now_s: Callable[[], float] = time.monotonic) -> None:
        self._channel, self._now_s = channel, now_s
        self._picture: str | None = None
        self._since_s = 0.0
        self._before = deque[Shown](maxlen=2 * MAX_PICTURES)
        self._loop: tuple[Shown, ...] = ()
        self._began_s = 0.0
        self._shown = False
        channel.tells_time, channel.at_rest = True, self.check

    def show(self, picture: str | None) -> None:
        """Takes in the picture that is up now."""
        now_s = self._now_s()
        if self._shown and picture == self._picture:
            self.check()
            return
        if self._shown:
            self._before.append((self._picture, now_s - self._since_s))
        self._shown, self._picture, self._since_s = True, picture, now_s
        if self._is_expected(now_s):
            return
        self._loop = self._found()
        self._began_s = now_s
        self._publish(now_s)

    def stop(self) -> None:
        """The picture that is up stays: nobody knows what follows."""
        self._before.clear()
        self._loop = ()
        if self._shown:
            self._publish(self._now_s())

    def check(self) -> None:
        """Tells pages that the pattern has ended, once a picture stays longer than it would."""
        now_s = self._now_s()
        if self._loop and not self._is_expected(now_s):
            self.stop()

    def _is_expected(self, now_s: float) -> bool:
        """True if pages that show the pattern show the present picture, or nearly."""
        near = (now_s - self._began_s + by for by in (-TOLERANCE_S, 0.0, TOLERANCE_S))
        return bool(self._loop) and self._picture in map(self._picture_at, near)

    def _picture_at(self, passed_s: float) -> str | None:
        passed_s %= sum(seconds for _, seconds in self._loop)
        for picture, seconds in self._loop:
            if passed_s < seconds:
                return picture
            passed_s -= seconds
        return self._loop[-1][0]

    def _found(self) -> tuple[Shown, ...]:
        """The shortest pattern that has come round twice and begins again now; none without one."""
        before = list(self._before)
        for count in range(2, len(before) // 2 + 1):
            last, earlier = before[-count:], before[-2 * count : -count]
            same = all(
                one == other and abs(seconds - others) < TOLERANCE_S
                for (one, seconds), (other, others) in zip(last, earlier, strict=True)
            )
            if same and last[0][0] == self._picture:
                return tuple(last)
        return ()

    def _publish(self, now_s: float) -> None:
        loop = self._loop or ((self._picture, 1.0),)
        at_s = (now_s - self._began_s) if self._loop else 0.0
        told = [(picture, round(seconds, 2)) for picture, seconds in loop]
        self._channel.publish(
            "board", {"loop": told, "at": round(at_s, 2), "sent": round(now_s, 2)}
        )
