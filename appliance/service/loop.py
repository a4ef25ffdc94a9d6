"""The main loop of the appliance: frames, buttons, health, watchdog, memory.

A live camera's frames are waited for; those of a film, or of a rendered tray, are given to it.
"""

import ctypes
import logging
from collections.abc import Callable

from appliance.alerts import BLINDING_ALERTS, CAMERA_ALERTS, Alert, by_urgency
from appliance.devices.camera.feed import Failure
from appliance.devices.camera.health import CameraHealth
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices
from appliance.service.installation import CalibratedTray
from appliance.service.stuck import StuckCamera
from appliance.service.systemd import Notifier
from vision.frame import Frame

log = logging.getLogger(__name__)

FRAME_TIMEOUT_S = 0.04
"""Without a frame for so long, the loop looks at the buttons anyway: longer than from one frame to
the next, or most rounds would have nothing to do."""

RELEASE_MEMORY_INTERVAL_S = 20.0

VOLTAGE_INTERVAL_S = 30.0
"""How often the voltage is looked at: OctoPrint does so while it is too low, else every 300 s
(plugins/pi_support, `_CHECK_INTERVAL_THROTTLED`)."""

RESTART_FEED_AFTER_S = 60.0
"""How long a camera must hang; then again each time that it hangs on for as long."""

RESTART_PROGRAM_AFTER_S = 600.0
"""How long a camera must hang, and nobody press anything: nothing else can help by then."""


def release_memory() -> None:
    """Returns all free pages of all heaps to the system; does nothing where libc is not glibc.

    By itself glibc returns what is free at the top of a heap; `malloc_trim(3)` also what is free
    between two small allocations that live on.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def say_what_came_up(tray: CalibratedTray, appliance: Appliance, *, notices: bool = True) -> None:
    """Says and asks on the board what has come up about the tray, one thing at a time."""
    console = appliance.console
    if notices:
        tray.say_next_notice(appliance.say, busy=console.notice is not None)
    busy = console.notice is not None or bool(console.pages) or console.session is None
    tray.new_dice.ask_about_size(appliance.ask_about_dice, busy=busy)
    busy = busy or bool(appliance.console.pages)
    tray.new_dice.ask_about_colours(appliance.ask_about_colours, busy=busy)


class Loop:
    """Runs until the players switch the appliance off, or round by round.

    Args:
        devices: those of the appliance; without a camera each round is given what it is to take.
        appliance: what works on it.
        notifier: systemd.
        look: called with every frame that can be trusted, for example to keep it.
        watch_over: gets every such frame, returns what else is wrong, such as a moved tray.
        tidy: releases memory that is no longer needed.
        show: draws what there is to see, at the end of each round.
        voltage_is_low: whether the machine's voltage is too low, or was since it was last asked.
        always: alerts that stay until the end.
        health: of the camera; by default a USB camera's.
        stuck: restarts the machine where its camera hangs in the kernel; None where nobody may.
    """

    def __init__(
        self,
        devices: Devices,
        appliance: Appliance,
        notifier: Notifier,
        look: Callable[[Frame], None] = lambda _: None,
        watch_over: Callable[[Frame], frozenset[Alert]] = lambda _: frozenset(),
        tidy: Callable[[], None] = release_memory,
        show: Callable[[], None] | None = None,
        voltage_is_low: Callable[[], bool] = bool,
        always: frozenset[Alert] = frozenset(),
        health: CameraHealth | None = None,
        stuck: StuckCamera | None = None,
    ) -> None:
        self._stuck = stuck
        self._frames = devices.camera
        self._appliance = appliance
        self._notifier = notifier
        self._clock = clock = devices.clock
        self._look = look
        self._watch_over = watch_over
        self._tidy = tidy
        self._show = show
        self._missing_board = devices.missing_board
        self._always = always
        self._voltage_is_low = voltage_is_low
        self._voltage_seen_s = -VOLTAGE_INTERVAL_S
        self._low_voltage: frozenset[Alert] = frozenset()
        self._health = health or CameraHealth()
        self._health.begin(clock())
        self._tidied_s = clock()
        self._tray_alerts: frozenset[Alert] = frozenset()
        self._reported: frozenset[Alert] | None = None
        self._hangs_since_s: float | None = None
        self._restarting = False
        self._feed_restarted_s = 0.0
        self._logged = ""
        self._status = ""

    def run(self) -> None:
        """Runs until the end."""
        while not self._appliance.ended:
            self.once()

    def once(self) -> None:
        """Waits briefly for a frame, then deals with everything there is."""
        self.take(None if self._frames is None else self._frames.next(FRAME_TIMEOUT_S))

    def take(self, news: Frame | Failure | None) -> None:
        """Deals with a frame or a failure, and with everything else that there is."""
        now_s = self._clock()
        match news:
            case Frame() if news.exposure < 1.0:
                # Requested for reading dice; to everything else it would be a lamp that went out.
                self._appliance.feed(news)
            case Frame() if self._health.see(news, now_s):
                self._logged = ""
                activity = self._appliance.activity
                if activity is None or not activity.private:
                    self._look(news)
                self._appliance.feed(news)
                self._tray_alerts = self._watch_over(news)
            case Failure():
                self._health.miss(news.hangs, news.error.alert)
                if str(news.error) != self._logged:
                    # A camera that stays away is tried again and again, but reported once.
                    self._logged = str(news.error)
                    log.warning("%s", news.error)
                self._appliance.tick(now_s)
            case _:
                self._appliance.tick(now_s)
        self._report_alerts(now_s)
        if self._show is not None:
            self._show()
        if now_s - self._tidied_s >= RELEASE_MEMORY_INTERVAL_S:
            self._tidied_s = now_s
            self._tidy()
        if not self._check_hanging_feed(now_s):
            self._notifier.alive()

    def _report_alerts(self, now_s: float) -> None:
        alerts = self._health.alerts(now_s)
        if not alerts:
            alerts = self._tray_alerts
        if self._appliance.disk is not None:
            alerts |= {self._appliance.disk}
        alerts |= self._appliance.stuck | self._voltage(now_s) | self._always
        if self._appliance.misses_voice:
            alerts |= {Alert.VOICE_SILENT}
        said = alerts if self._appliance.activity is None else alerts & CAMERA_ALERTS
        self._appliance.warn(*by_urgency(said), blind=not BLINDING_ALERTS.isdisjoint(alerts))
        # The board cannot say that it is not there: `systemctl status` does.
        board = self._missing_board()
        known = [alert.sentence for alert in by_urgency(alerts)]
        known += [f"no scoreboard: {board}"] if board else []
        status = "; ".join(known) or "all is well"
        if status != self._status:
            self._status = status
            self._notifier.status(status)
        if alerts == self._reported:
            return
        before = self._reported or frozenset()
        for alert in alerts - before:
            log.warning("%s", alert.sentence)
        for alert in before - alerts:
            log.info("resolved: %s", alert.sentence)
        self._reported = alerts

    def _voltage(self, now_s: float) -> frozenset[Alert]:
        if now_s - self._voltage_seen_s >= VOLTAGE_INTERVAL_S:
            self._voltage_seen_s = now_s
            self._low_voltage = frozenset({Alert.LOW_VOLTAGE} if self._voltage_is_low() else ())
        return self._low_voltage

    def _check_hanging_feed(self, now_s: float) -> bool:
        """Restarts a feed that hangs; returns whether the watchdog had better restart us."""
        stuck = self._stuck
        if not self._health.hangs(now_s):
            self._hangs_since_s = None
            if stuck is not None and not self._health.alerts(now_s) & CAMERA_ALERTS:
                stuck.works(now_s)
            return False
        if stuck is not None:
            stuck.hangs(now_s)
        if self._hangs_since_s is None:
            self._hangs_since_s = self._feed_restarted_s = now_s
        if self._frames and now_s - self._feed_restarted_s > RESTART_FEED_AFTER_S:
            self._feed_restarted_s = now_s
            log.warning("the camera hangs: another thread reopens it")
            self._frames.restart()
        # Players who enter throws by hand meanwhile are not interrupted.
        if min(now_s - self._hangs_since_s, self._appliance.idle_s) <= RESTART_PROGRAM_AFTER_S:
            return False
        # While the machine goes down, the watchdog had better wait.
        return not (self._restarting or (stuck is not None and self._restart(stuck)))

    def _restart(self, stuck: StuckCamera) -> bool:
        self._restarting = stuck.restart_machine()
        return self._restarting
