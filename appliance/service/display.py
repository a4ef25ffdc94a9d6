"""The console as people see it: its prompt or an alert on the board, and lamps at held dice."""

from dataclasses import replace

from appliance.alerts import BLINDING_ALERTS, Alert, by_urgency
from appliance.devices.buzzer import Sound
from appliance.inputs import Button, Pressed
from appliance.picture import Picture
from appliance.service.backlog import Backlog
from appliance.service.ports import Keys
from appliance.service.presenter import Presenter
from appliance.service.rest import Rest
from appliance.service.tick import Tick
from appliance.service.tray_watch import TrayWatch
from appliance.service.voice_announcer import VoiceAnnouncer
from appliance.table.menu.asking import Asked, asked_of
from appliance.table.menu.console import Console
from appliance.table.menu.lesson import Lesson
from appliance.table.menu.modules import layout_on_trial
from appliance.table.session.by_hand import enters_throw
from appliance.table.session.session import held_slots


def only_looks(console: Console, press: Pressed) -> bool:
    """True if a press counts nothing by itself: a long one opens or closes something, or leaps."""
    ok = press.button is Button.OK
    return press.long and not (ok and console.page is not None and not console.page.closes)


class Display:
    """Shows the console, unless an activity, an alert or the board's rest is in its place.

    Attributes:
        alerts: what is wrong, the most urgent first.
    """

    def __init__(
        self,
        presenter: Presenter,
        keys: Keys | None,
        rest: Rest,
        tray: TrayWatch,
        backlog: Backlog,
        now: Tick,
        announcer: VoiceAnnouncer,
    ) -> None:
        self._presenter = presenter
        self._keys = keys
        self._rest = rest
        self._tray = tray
        self._backlog = backlog
        self._now = now
        self._announcer = announcer
        self._shown: Console | None = None
        self._asked: tuple[Console, Asked] | None = None
        self.alerts: tuple[Alert, ...] = ()

    def warn(self, *alerts: Alert) -> None:
        """Says from now on that this is wrong, and nothing else; the most urgent comes first."""
        fresh = [alert for alert in alerts if alert not in self.alerts]
        self.alerts = alerts
        if fresh:
            self._presenter.begin_alert(self._now.time_s, Sound.WRONG)
            self._announcer.warn(*fresh)

    def asked(self, console: Console) -> Asked:
        """The question of a console, which may not have been shown yet; found out once for each."""
        if self._asked is None or self._asked[0] is not console:
            self._asked = console, asked_of(console)
        return self._asked[1]

    def without_unseen_notice(self, console: Console) -> Console:
        """The console without a notice that came up after a press, which cannot have meant it."""
        seen = None if self._shown is None else self._shown.notice
        return console if console.notice is seen else replace(console, notice=None)

    def may_answer(self, console: Console, press: Pressed) -> bool:
        """True if a press can have meant this console, which may not have been shown yet."""
        looks = only_looks(console, press)
        return looks or self._presenter.may_answer(press.button, self.asked(console))

    def refuse_press(self) -> None:
        """Lets people hear that a press was not taken."""
        self._presenter.refuse_press(self._now.time_s)

    def say_again(self) -> None:
        """Says what the board shows: a press has only uncovered it."""
        self._announcer.say_again()

    def repeat(self) -> None:
        """Says once more what was said last, then all else that the board shows."""
        self._announcer.repeat()

    def hush(self) -> None:
        """Ends what is being said: somebody pressed a button."""
        self._announcer.hush()

    def show(self, console: Console) -> None:
        """Shows what is due now."""
        instead = None
        if self._tray.activity is not None:
            instead = self._tray.activity.picture(self._now.time_s)
        elif self._shown is not console:
            # A console is looked at once, not at every frame that shows it.
            self._shown, asked = console, self.asked(console)
            self._light_hold_lamps(console)
            self._presenter.take_prompt(asked, self._now.time_s)
            self._announcer.take_prompt(asked.prompt, wanted=bool(console.equipment.speaks))
        alerts = self._due_alerts(console)
        if self._rest.update(self._now.time_s, console.brightness):
            self._light_hold_lamps(console)
        if self._rest.dark:
            instead = Picture()
            alerts = ()
        self._presenter.show(self._now.time_s, alerts, instead)

    def _due_alerts(self, console: Console) -> tuple[Alert, ...]:
        if layout_on_trial(console) is not None:
            # Words would hide the figures, and most of the time nobody could read them.
            return ()
        if self._backlog.fault is None and not self.alerts:
            return ()
        session = console.session
        entering = session is not None and enters_throw(session)
        # Who enters the throw by hand knows that it cannot be seen.
        said = (alert for alert in self.alerts if not (entering and alert in BLINDING_ALERTS))
        return by_urgency(filter(None, (self._backlog.fault, *said)))

    def _light_hold_lamps(self, console: Console) -> None:
        if self._keys is None:
            return
        session = console.session if console.page is None else None
        if isinstance(console.page, Lesson):
            session = console.page.session
        lit = frozenset() if session is None or self._rest.dark else held_slots(session)
        self._keys.light(lit)

    @property
    def up_s(self) -> float:
        """For how long what is asked or told had been up, without a break, when last shown."""
        return self._presenter.up_s

    def is_up_to_date(self, console: Console) -> bool:
        """True if the board shows this console, saved, and no activity in its place."""
        saved = self._backlog.fault is None
        return console is self._shown and saved and self._tray.activity is None
