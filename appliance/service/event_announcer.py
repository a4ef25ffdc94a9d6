"""Tells what has happened once it is on disk: by a sound, and to whoever listens."""

from collections.abc import Callable

from appliance.service.ports import Happened
from appliance.service.presenter import Presenter
from appliance.service.tick import Tick
from appliance.table.menu.step import Happening
from appliance.table.session.session import Session


class EventAnnouncer:
    """Announces what has happened; `listen` is called with everything."""

    def __init__(
        self, presenter: Presenter, listen: Callable[[Happened], None] | None, now: Tick
    ) -> None:
        self._presenter = presenter
        self._listen = listen
        self._now = now

    def announce(self, happened: Happening, before: Session | None, after: Session | None) -> None:
        """Tells that this has led from one session to the next."""
        self._presenter.play_sound(before, after, self._now.time_s)
        if self._listen is not None:
            self._listen(Happened(self._now.frame, self._now.time_s, happened, after))
