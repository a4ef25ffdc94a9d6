"""What each press is for: to wake the board, to hurry the computer, an activity, or the game."""

from appliance.alerts import Alert
from appliance.inputs import Button, Chord, Pressed
from appliance.service.computer_turn import computer_decision, deciding_session
from appliance.service.display import Display
from appliance.service.ports import Keys
from appliance.service.presenter import Presenter
from appliance.service.rest import Rest
from appliance.service.steady import SteadyButtons
from appliance.service.tray_watch import TrayWatch
from appliance.table.menu.console import Console
from appliance.table.menu.step import Happening
from appliance.table.session.session import Session

OPEN_MENU = Pressed(Button.OK, long=True)
"""Opens the menu over the game."""


class Presses:
    """Passes each press on to what it is for; `keys` are None if there are no buttons."""

    def __init__(
        self,
        keys: Keys | None,
        presenter: Presenter,
        rest: Rest,
        display: Display,
        tray: TrayWatch,
    ) -> None:
        self._keys = keys
        self._presenter = presenter
        self._rest = rest
        self._display = display
        self._tray = tray
        self._steady = SteadyButtons()

    @property
    def stuck(self) -> frozenset[Alert]:
        """The alert for a button that does what no finger can, such as bounce or never open."""
        stuck = self._steady.stuck or (self._keys is not None and self._keys.stuck())
        return frozenset({Alert.BUTTON_STUCK} if stuck else ())

    def for_the_game(self, console: Console, time_s: float) -> list[Happening]:
        """What the presses since the last call mean for menu and game, oldest first."""
        presses = () if self._keys is None else self._keys.poll()
        asleep = self._rest.dark
        meant: list[Happening] = []
        for press in self._steady.debounce(presses, time_s):
            opens = self._opens_menu(console, press) or self._asks_to_undo_news(console, press)
            covered = self._presenter.answer_press(time_s)
            self._rest.wake(time_s)
            uncovers = covered and not opens
            if isinstance(press, Pressed) and (asleep or uncovers):
                # Nobody could see what it would have done: it only wakes or uncovers the board.
                asleep = False
                self._display.say_again()
            elif (session := self._session_to_hurry(console, press)) is not None:
                meant.append(computer_decision(session))
            elif self._tray.activity is not None and isinstance(press, Pressed):
                self._tray.activity.press(press)
            else:
                # Shutting down is possible whatever is going on.
                self._tray.activity = None
                meant.append(press)
        return meant

    def _opens_menu(self, console: Console, press: Pressed | Chord) -> bool:
        """Whether it opens the menu, over whatever is shown, and acts on nothing."""
        return press == OPEN_MENU and self._tray.activity is None and console.page is None

    def _asks_to_undo_news(self, console: Console, press: Pressed | Chord) -> bool:
        """Whether it asks to take back what is shown as news, which acts on nothing yet."""
        undoes = isinstance(press, Pressed) and press.button is Button.BACK
        return undoes and self._presenter.shows_news and console.page is None

    def _session_to_hurry(self, console: Console, press: Pressed | Chord) -> Session | None:
        """The session in which a player does not want to wait for the computer; None if none."""
        if press != Pressed(Button.OK) or not self._display.is_up_to_date(console):
            return None
        return deciding_session(console)
