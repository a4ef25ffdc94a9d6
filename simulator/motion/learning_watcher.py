"""A watcher that is still learning what its tray looks like, so that nobody has to wait for it."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future

from vision.events import TrayEvent
from vision.frame import Frame
from vision.geometry.profile import Profile
from vision.watch.watching import Watching


class Lesson:
    """A profile that a thread learns, from the moment that somebody first wants it.

    Args:
        learn: learns it; what it raises is raised by `profile`.
    """

    def __init__(self, learn: Callable[[], Profile]) -> None:
        self._learn = learn
        self._learnt = Future[Profile]()
        self._begun = False

    def begin(self) -> None:
        """Starts the thread, unless it runs."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._run, name="learning", daemon=True).start()

    def _run(self) -> None:
        try:
            self._learnt.set_result(self._learn())
        except BaseException as error:  # also what would end a thread in silence
            self._learnt.set_exception(error)

    @property
    def over(self) -> bool:
        """True once `profile` is at hand."""
        return self._learnt.done()

    def profile(self) -> Profile:
        """The profile that was learnt; waits for it."""
        self.begin()
        return self._learnt.result()


class LearningWatcher:
    """Sees nothing until its lesson is over, and watches from then on.

    The lesson begins with the second frame: the first one belongs to the first prompt.

    Args:
        lesson: learns the tray.
        watcher: makes the watcher for what was learnt.
    """

    def __init__(self, lesson: Lesson, watcher: Callable[[Profile], Watching]) -> None:
        self._lesson = lesson
        self._make = watcher
        self._watcher: Watching | None = None
        self._expected: int | None = None
        self._fed = 0

    def feed(self, frame: Frame) -> Sequence[TrayEvent]:
        """The events that are new with this frame; none while the lesson lasts."""
        if self._watcher is None and self._lesson.over:
            self._watcher = self._make(self._lesson.profile())
            self._watcher.expect(self._expected)
        if self._watcher is not None:
            return self._watcher.feed(frame)
        self._fed += 1
        if self._fed > 1:
            self._lesson.begin()
        return ()

    def finish(self) -> Sequence[TrayEvent]:
        """The events that can still be reported when no frame follows."""
        return () if self._watcher is None else self._watcher.finish()

    def expect(self, count: int | None) -> None:
        """How many dice the game needs in the tray; None if it does not matter."""
        self._expected = count
        if self._watcher is not None:
            self._watcher.expect(count)
