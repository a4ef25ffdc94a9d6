"""A rendered tray that is known exactly, once what it looks like was learnt."""

from pathlib import Path

from simulator.motion.learning_watcher import LearningWatcher, Lesson
from simulator.motion.perfect_profile import cached_profile, kept_profile, learn_profile
from simulator.motion.watched_tray import WatchedTray, geometry_of_tray
from vision.geometry.profile import Profile
from vision.reader import Reader
from vision.watch.darker import Exposure
from vision.watch.watcher import watcher_for
from vision.watch.watching import Watching


class LearntTray:
    """Makes watchers for a rendered tray.

    Args:
        tray: the tray.
        full_px: width and height of the pictures that are read.
        shutter: the camera's exposure.
        folder: where to keep what was learnt, so that the next start is quick; None learns it each
            time.
        waits: whether the first watcher waits for that, or else learns it meanwhile.

    Attributes:
        profile: what is known; None before the first watcher.
        lesson: learns it meanwhile; None where nothing is learnt meanwhile.
    """

    def __init__(
        self,
        tray: WatchedTray,
        full_px: tuple[int, int],
        shutter: Exposure,
        folder: Path | None,
        *,
        waits: bool,
    ) -> None:
        self._tray, self._full_px, self._shutter = tray, full_px, shutter
        self._folder, self._waits = folder, waits
        self.profile: Profile | None = None
        self.lesson: Lesson | None = None

    @property
    def is_ready(self) -> bool:
        """True once throws can be read: what is to be known of the tray was learnt."""
        return self.lesson is None or self.lesson.over

    def watcher(self) -> Watching:
        """A new watcher, which may still be learning."""
        if self.lesson is None:
            kept = self._folder and kept_profile(self._tray, self._full_px, self._folder)
            if kept or self._waits:
                return self._watcher_of(kept or self._learn())
            # How the tray lies is known; how it and its dice look is learnt while people read.
            self.profile = geometry_of_tray(self._tray, self._full_px)
            self.lesson = Lesson(self._learn)
        if self.lesson.over:
            return self._watcher_of(self.lesson.profile())
        return LearningWatcher(self.lesson, self._watcher_of)

    def _learn(self) -> Profile:
        if self._folder is None:
            return learn_profile(self._tray, self._full_px)
        return cached_profile(self._tray, self._full_px, self._folder)

    def _watcher_of(self, profile: Profile) -> Watching:
        self.profile = profile
        return watcher_for(Reader(profile), profile, self._shutter)
