"""The camera above the simulated tray."""

from collections import deque
from dataclasses import replace
from threading import Lock

import numpy as np

from simulator.motion.simulated_tray import SimulatedTray
from simulator.render.renderer import LIVE_QUALITY, Quality, render
from simulator.render.scene import with_exposure_share
from vision.frame import Frame, Image, LazyFrame

FULL_SIZE_PX = (1280, 720)
"""Width and height of the full picture of a live camera."""

SMALL_SIZE_PX = (640, 360)
"""Width and height of the small picture that the watcher follows."""


EXPOSURE_DELAY_FRAMES = 8
"""As with a Pi's camera."""


class SimulatedCamera:
    """Takes frames of a simulated tray: small pictures, and full ones rendered on demand.

    A reduced exposure takes effect `EXPOSURE_DELAY_FRAMES` frames after it is requested.

    Args:
        tray: what it looks at.
        small: width and height of the small pictures.
        full: of the full ones, which are rendered only when they are used.
        quality: how carefully the small ones are drawn.
    """

    def __init__(
        self, tray: SimulatedTray, small: tuple[int, int], full: tuple[int, int], quality: Quality
    ) -> None:
        self._tray = tray
        self._small = small
        self._full = full
        self._quality = quality
        self._drawing = Lock()
        self._pending_exposure_shares = deque([1.0] * EXPOSURE_DELAY_FRAMES, EXPOSURE_DELAY_FRAMES)
        self._requested_share = 1.0

    def darken(self, share: float) -> bool:
        """Asks for frames with this share of the usual exposure; always succeeds."""
        self._requested_share = share
        return True

    def brighten(self) -> None:
        """Asks for the usual exposure again."""
        self._requested_share = 1.0

    def take(self) -> Frame:
        """A frame of the tray as it is now; time stands still."""
        share = self._pending_exposure_shares[0]
        self._pending_exposure_shares.append(self._requested_share)
        small = self._tray.frame(self._small, self._quality, share)
        scene = with_exposure_share(self._tray.scene(self._full), share)

        def make() -> Image:
            with self._drawing:
                return render(scene, None, np.random.default_rng(small.index), LIVE_QUALITY)

        return LazyFrame(small, make, self._full)

    def prepare(self) -> None:
        """Draws what all full pictures share; a second thread can, while everything else waits."""
        with self._drawing:
            render(replace(self._tray.scene(self._full), dice=(), hand=None), quality=LIVE_QUALITY)
