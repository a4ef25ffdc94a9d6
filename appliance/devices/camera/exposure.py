"""Exposure, gain, white balance and focus: asked for by one thread, set by the one that reads.

Only the reading thread of a camera talks to its driver. `ExposureControl` stands between it and
whoever calibrates: requests go one way, the values that frames were taken with come back. A
camera that can be set is one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock

Values = Mapping[str, float]
"""Values of a camera's controls by their names."""

_PATIENCE = 12
"""So often a change of exposure is waited for before the next is asked for all the same."""
_ALIKE = 0.08  # cameras have steps of exposure and gain; values so near to each other are the same


@dataclass(frozen=True, slots=True)
class ExposureRequest:
    """What a camera shall do.

    Attributes:
        fixed: values that it is given.
        automatic: whether it adjusts all others by itself; else they stay as they are.
    """

    fixed: Values
    automatic: bool


class ExposureControl:
    """What is requested of a camera, and what it does.

    Args:
        fixed: values to begin with, as they were kept; empty for none.
        brighter: values that give some times as much light as those given; empty if that cannot
            be said.
    """

    def __init__(self, fixed: Values, brighter: Callable[[Values, float], Values]) -> None:
        self._guard = Lock()
        self._brighter = brighter
        self._request = ExposureRequest(dict(fixed), False) if fixed else None
        self._kept = self._request
        self._count = 0
        self._seen: Values = {}
        self._waited = 0

    def unlock(self) -> None:
        """Lets the camera adjust itself, from the next frames on."""
        with self._guard:
            self._set(ExposureRequest({}, True))

    def expose(self, factor: float) -> None:
        """Makes pictures brighter by this factor of light, once; what was asked for comes first."""
        with self._guard:
            request = self._request
            if request is None or not request.automatic:
                return
            if not self._arrived(request.fixed) and self._waited < _PATIENCE:
                self._waited += 1
                return
            if request.fixed and factor == 1.0:
                return
            fixed = self._brighter({**self._seen, **request.fixed}, factor)
            if fixed and fixed != request.fixed:
                self._set(ExposureRequest({**request.fixed, **fixed}, True))

    def lock(self) -> Values:
        """Keeps everything as it is now, and returns it."""
        with self._guard:
            asked = {} if self._request is None else self._request.fixed
            fixed = {**self._seen, **asked}
            self._set(ExposureRequest(fixed, False))
            return fixed

    def keep(self) -> None:
        """What is set now is what `restore` goes back to."""
        with self._guard:
            self._kept = self._request

    def restore(self) -> None:
        """Puts everything back to what was kept, or lets the camera adjust itself."""
        with self._guard:
            self._set(self._kept or ExposureRequest({}, True))

    def request(self) -> tuple[int, ExposureRequest | None]:
        """What is requested now, and the number of requests so far; for the reading thread."""
        with self._guard:
            return self._count, self._request

    def report(self, seen: Values) -> None:
        """What the last frame was taken with; from the reading thread."""
        with self._guard:
            self._seen = dict(seen)

    def settle(self) -> None:
        """Keeps what the camera has found by itself, if nobody has requested anything yet."""
        with self._guard:
            if self._request is None and self._seen:
                self._kept = ExposureRequest(dict(self._seen), False)
                self._set(self._kept)

    def _set(self, request: ExposureRequest) -> None:
        self._request = request
        self._count += 1
        self._waited = 0

    def _arrived(self, fixed: Values) -> bool:
        """Whether the last frame was taken with these values, as far as it says so."""
        return all(
            name not in self._seen or abs(self._seen[name] - value) <= _ALIKE * abs(value)
            for name, value in fixed.items()
        )
