"""Exposure, gain, white balance and focus: requested by one thread, set by the one that reads.

Only the reading thread of a camera talks to its driver. `ExposureControl` stands between it and
the calibration: requests go one way, the values that frames were taken with come back. A camera
that can be set is an `ExposureControl`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock

Values = Mapping[str, float]
"""Values of a camera's controls by their names."""

_MAX_WAITS = 12
"""How often a change of exposure is waited for before the next is requested anyway."""
_MAX_DARKER_SHARE = 0.6
_MIN_USUAL_SHARE = 0.85
"""Of the usual light: frames below the first are darker ones, those above the second are usual."""
_MAX_LIGHT_CHANGE = 0.1
"""Largest relative change of light between two frames of the same exposure."""
_MAX_FRAMES_TO_USUAL = 60
"""Frames after the usual exposure was requested, beyond which whatever comes counts as usual."""
_TOLERANCE = 0.08  # cameras set exposure and gain in steps; values this close are the same


@dataclass(frozen=True, slots=True)
class ExposureRequest:
    """An order to a camera on its exposure.

    Attributes:
        fixed: values that it is given.
        automatic: whether it adjusts all others by itself; otherwise they stay as they are.
    """

    fixed: Values
    automatic: bool


class ExposureControl:
    """The exposure that is requested of a camera, and the one that it has.

    Args:
        fixed: initial values, as kept earlier; empty for none.
        brighter: returns the values for some times as much light as those given; empty if that is
            not known.
        darker: the same for a share of the light, for a moment; by default `brighter`.
    """

    def __init__(
        self,
        fixed: Values,
        brighter: Callable[[Values, float], Values],
        darker: Callable[[Values, float], Values] | None = None,
    ) -> None:
        self._guard = Lock()
        self._brighter, self._darker = brighter, darker or brighter
        self._usual: ExposureRequest | None = None  # while less than that is requested
        self._shaded: int | None = None  # frames since less, or the usual again, was requested
        self._usual_light = self._light = 0.0
        self._request = ExposureRequest(dict(fixed), False) if fixed else None
        self._kept = self._request
        self._settled: ExposureRequest | None = None
        self._count = 0
        self._seen: Values = {}
        self._waited = 0

    def unlock(self) -> None:
        """Lets the camera adjust itself, from the next frames on."""
        with self._guard:
            self._set_request(ExposureRequest({}, True))

    def expose(self, factor: float) -> None:
        """Makes pictures brighter by this factor of light, once; an earlier request comes first."""
        with self._guard:
            request = self._request
            if request is None or not request.automatic:
                return
            if not self._has_arrived(request.fixed) and self._waited < _MAX_WAITS:
                self._waited += 1
                return
            if request.fixed and factor == 1.0:
                return
            fixed = self._brighter({**self._seen, **request.fixed}, factor)
            if fixed and fixed != request.fixed:
                self._set_request(ExposureRequest({**request.fixed, **fixed}, True))

    def lock(self) -> Values:
        """Locks everything as it is now, and returns the values."""
        with self._guard:
            asked = {} if self._request is None else self._request.fixed
            fixed = {**self._seen, **asked}
            self._set_request(ExposureRequest(fixed, False))
            return fixed

    def keep(self) -> None:
        """Stores the current controls for `restore`."""
        with self._guard:
            self._kept = self._usual or self._request

    def restore(self) -> None:
        """Puts everything back to what was kept, or lets the camera adjust itself."""
        with self._guard:
            self._set_request(self._kept or ExposureRequest({}, True))

    def darken(self, share: float) -> bool:
        """Requests frames at this share of the locked exposure; returns whether it can be set."""
        with self._guard:
            usual = self._usual or self._request
            fixed = {} if usual is None else self._darker(usual.fixed, share)
            if usual is None or usual.automatic or not fixed:
                return False
            self._set_request(ExposureRequest({**usual.fixed, **fixed}, False))
            self._usual, self._shaded = usual, 0
            return True

    def brighten(self) -> None:
        """Requests the locked exposure again."""
        with self._guard:
            if self._usual is not None:
                self._set_request(self._usual)
                self._shaded = 0

    def exposure_of(self, light: float, exact: bool) -> float:
        """The share of the usual exposure that a frame was taken with; from the reading thread.

        Frames count as darker ones only after such were requested. At 0 the exposure is changing.

        Args:
            light: what the frame received, in any unit.
            exact: whether the camera reports it; otherwise it is how bright the picture is, and
                counts only once two frames are alike.
        """
        with self._guard:
            before, self._light = self._light, light
            if self._shaded is None:
                self._usual_light = light
                return 1.0
            self._shaded += 1
            share = light / max(self._usual_light, 1e-9)
            steady = exact or abs(light - before) <= _MAX_LIGHT_CHANGE * max(light, before)
            back = steady and share > _MIN_USUAL_SHARE
            if self._usual is None and (back or self._shaded > _MAX_FRAMES_TO_USUAL):
                self._shaded = None
                return 1.0
            return 1.0 if back else share if steady and share < _MAX_DARKER_SHARE else 0.0

    def request(self) -> tuple[int, ExposureRequest | None]:
        """The present request, and the number of requests so far; for the reading thread."""
        with self._guard:
            return self._count, self._request

    def report(self, seen: Values) -> None:
        """Takes the values that the last frame was taken with; from the reading thread."""
        with self._guard:
            self._seen = dict(seen)

    def settle(self) -> None:
        """Keeps what the camera has found by itself, if nothing has been requested yet."""
        with self._guard:
            if self._request is None and self._seen:
                self._settled = self._kept = ExposureRequest(dict(self._seen), False)
                self._set_request(self._kept)

    @property
    def settled(self) -> Values | None:
        """The values that a camera nobody has set was locked to; None if it adjusts itself."""
        with self._guard:
            request = self._settled
            return None if request is None or request.automatic else request.fixed

    def settle_anew(self, change: Callable[[Values], Values | None]) -> None:
        """Changes what was settled, unless something else has been requested since.

        Args:
            change: from the values to others; None lets the camera adjust itself again.
        """
        with self._guard:
            if self._settled is None or self._request is not self._settled:
                return
            fixed = change(self._settled.fixed)
            self._settled = ExposureRequest(dict(fixed or {}), fixed is None)
            self._kept = None if fixed is None else self._settled
            self._set_request(self._settled)

    def _set_request(self, request: ExposureRequest) -> None:
        self._request, self._usual, self._shaded = request, None, None
        self._count += 1
        self._waited = 0

    def _has_arrived(self, fixed: Values) -> bool:
        """True if the last frame was taken with these values, as far as it reports them."""
        return all(
            name not in self._seen or abs(self._seen[name] - value) <= _TOLERANCE * abs(value)
            for name, value in fixed.items()
        )
