"""The film of the prompt, alerts in turn with it, and sounds: all that people see and hear.

A sound marks a roll that was read, a question, a press that does not count or was not taken, an
alert, and what is announced: that the end is near, a card that was banked, the end.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from appliance.alerts import Alert
from appliance.devices.buzzer import Sound, Sounds
from appliance.inputs import Button
from appliance.picture import Picture
from appliance.screens.draw import film
from appliance.screens.drawing import Film, two_lines
from appliance.service.ports import PictureBoard
from appliance.table.menu.asking import Asked
from appliance.table.menu.prompting import NoticePrompt
from appliance.table.session.modes import Asking
from appliance.table.session.session import Session
from appliance.table.session.standing import announcement
from appliance.words import say
from games.values import Rolled, Shown

ALERT_TURN_S = 3.0
"""Seconds that an alert stays; then the prompt under it comes round whole, and the next alert."""
NO_ALERT_AFTER_PRESS_S = 8.0
PAUSE_S = 0.5
"""Seconds after a press that was not taken in which others are not taken, either.

They were meant for what was up before. A choice of our own; it is not renewed by those others.
"""
TURNED_PAGE_S = 8.0
"""Seconds for which a page stays that a press has turned to."""
_HAIR_S = 1e-6


@dataclass(frozen=True, slots=True)
class Familiar:
    """A question, and the buttons of which pages that have been up tell what they do there."""

    asked: Asked | None = None
    buttons: frozenset[Button] = frozenset()

    def knows(self, button: Button, asked: Asked) -> bool:
        """True if people know what a button does when this is asked."""
        return button in self.buttons and asked.is_same_as(self.asked)


class Presenter:
    """Draws each prompt once and shows its pictures as time goes by; plays sounds.

    The board is given a `picture` only when it differs from the one before (None before the first).
    While it `shows_news` in place of the prompt, a press only uncovers the prompt. What a press
    does must be told by the page that is up, not by others of its film: `is_offered`, `turn_to`.
    """

    def __init__(self, board: PictureBoard, sounds: Sounds) -> None:
        self._board = board
        self._sounds = sounds
        self._asked: Asked | None = None
        self._drawn: Film | None = None
        self._film: Film | None = None  # the same, without an opening that was told or ended
        self._told_of: Asked | None = None
        self._since_s = 0.0
        self._stays_at_s, self._stays_until_s = 0.0, -math.inf  # of a page that was turned to
        # An alert and the prompt under it are shown in turn; of several the one told longest ago.
        self._alerts = False
        self._alert: Alert | None = None
        self._told_s: dict[Alert, float] = {}
        self._opens_anew = False  # the film, as an alert came before its opening was over
        self._turn_until_s = self._quiet_until_s = -math.inf
        self._covered = False
        self._page: Picture | None = None  # of the film's loop, while one is up
        self._known = Familiar()  # when the last press was not taken
        self._pause_s = -math.inf
        self._up_since_s = math.inf
        self.familiar = Familiar()
        self.up_s = 0.0
        self.shows_news = False
        self.picture: Picture | None = None

    def take_prompt(self, asked: Asked, time_s: float) -> None:
        """Takes what is asked, to show its prompt from now on."""
        before, self._asked = self._asked, asked
        if not isinstance(asked.prompt, NoticePrompt):
            # What a notice covers stays as familiar as it was.
            known = asked.is_same_as(self.familiar.asked)
            self.familiar = Familiar(asked, self.familiar.buttons if known else frozenset())
        if before is not None and asked.prompt == before.prompt:
            return
        self._up_since_s = math.inf
        drawn = film(asked.prompt)
        # What looks the same continues: a page is not cut short by changes that it does not show.
        if drawn != self._drawn:
            if self._film is not None and self._film.is_opening_at(time_s - self._since_s):
                # Cut short: it was not told.
                self._told_of = None
            self._drawn = self._film = drawn
            self._since_s = time_s
            self._opens_anew = True
            if not self._alerts:
                self._turn_until_s = time_s + drawn.turn_s
            self._stays_until_s = -math.inf
            told = asked.is_same_as(self._told_of) and not asked.says_more_than(self._told_of)
            if drawn.opening and told:
                # A hand or dice moved meanwhile: the news are no news any more.
                self._film = replace(drawn, opening=())
            elif not told:
                self._told_of = asked if drawn.opening else None

    def is_offered(self, button: Button) -> bool:
        """True if the page that is up tells what a button does, if any page of its film does."""
        return self._film is None or self._film.takes(button, self._page)

    def turn_to(self, button: Button, time_s: float) -> None:
        """Turns to the page that offers a button; it stays for a while, for the next press."""
        if self._film is not None:
            self._film = replace(self._film, opening=())
            # A hair later than its first moment, which rounding may give to the page before.
            self._stays_at_s = self._film.offered_from_s(button) + _HAIR_S
            self._stays_until_s = time_s + TURNED_PAGE_S
            self._since_s = time_s - self._stays_at_s

    def may_answer(self, button: Button, asked: Asked) -> bool:
        """True if a press made while the board shows what it shows can have meant this question.

        The question that the board shows can always be meant. Another one never by OK: at most
        questions it counts something, whatever their pages say of it. By LEFT and RIGHT it can in
        the same list; by any other button, if its pages say nothing of that.
        """
        if asked.is_same_as(self._asked):
            return True
        if button is Button.OK:
            return False
        if button in (Button.LEFT, Button.RIGHT):
            return asked.is_in_list_of(self._asked)
        return button not in film(asked.prompt).offers

    def begin_pause(self, time_s: float) -> None:
        """Begins the time in which nothing counts but what people knew of the prompt before."""
        if time_s - self._pause_s >= PAUSE_S:
            self._pause_s, self._known = time_s, self.familiar

    def pauses(self, button: Button, asked: Asked, time_s: float) -> bool:
        """True if a press follows one that was not taken too soon to be meant for this question.

        Not if it meant the same before: who hammers a button on a page they know is heard.
        """
        return time_s - self._pause_s < PAUSE_S and not self._known.knows(button, asked)

    def refuse_press(self, time_s: float) -> None:
        """Lets people hear that a press was not taken; a pause begins."""
        self.begin_pause(time_s)
        self._sounds.play(Sound.UNTAKEN, time_s)

    def begin_alert(self, time_s: float, sound: Sound | None = None) -> None:
        """Starts the alternation afresh, with the alert first."""
        self._cover(time_s)
        self._alerts, self._turn_until_s = True, time_s + ALERT_TURN_S
        self._alert = None
        self._quiet_until_s = -math.inf
        if sound is not None:
            self._sounds.play(sound, time_s)

    def play_sound(self, before: Session | None, after: Session | None, time_s: float) -> None:
        """Plays the sound that belongs to a step of the session, if any."""
        if (sound := _sound_of(before, after)) is not None:
            self._sounds.play(sound, time_s)

    def answer_press(self, time_s: float) -> bool:
        """Shows the prompt: whoever presses wants to see what it does, whatever is wrong.

        Returns whether the board showed something else, an alert or news, in place of the prompt:
        then nobody could see what the press would have done, and it does nothing else.
        """
        self._quiet_until_s = time_s + NO_ALERT_AFTER_PRESS_S
        self._alerts, self._turn_until_s = True, self._quiet_until_s + ALERT_TURN_S
        self._opens_anew = False
        film = self._film
        if film is not None and film.hides and film.is_opening_at(time_s - self._since_s):
            self._film = replace(film, opening=())
            self._since_s = time_s
        return self._covered

    def notice_is_over(self, time_s: float) -> bool:
        """True once a notice that passes by itself was shown for long enough."""
        shown = None if self._asked is None else self._asked.prompt
        return isinstance(shown, NoticePrompt) and shown.passing and self.was_shown(time_s)

    def was_shown(self, time_s: float) -> bool:
        """True once everything in the present film was shown, and no alert is in its place."""
        film = self._film
        return film is not None and not self._covered and time_s - self._since_s >= film.length_s

    def show(
        self, time_s: float, alerts: Sequence[Alert] = (), instead: Picture | None = None
    ) -> None:
        """Shows what is due now: an alert in its turn, a picture `instead`, or else the prompt.

        Each of several alerts has its turn, the most urgent first, and new ones before old ones.
        """
        alert = self._due_alert(time_s, alerts)
        film = self._film
        if time_s < self._stays_until_s:
            self._since_s = time_s - self._stays_at_s
        shown_s = time_s - self._since_s
        self._covered = self.shows_news = False
        self._page = None
        if alert is not None:
            self._covered = True
            self._show_if_new(two_lines(*map(say, alert.lines)))
        elif instead is not None:
            self._show_if_new(instead)
        elif film is not None:
            opening = film.is_opening_at(shown_s)
            self._covered = self.shows_news = film.hides and opening
            picture = film.picture_at(shown_s)
            if not self._covered:
                # An opening that hides nothing plays with the first page.
                self._page = film.loop[0].picture if opening else picture
                self._note_what_is_told(film.offers - self._page.offers)
            self._show_if_new(picture)
        self._up_since_s = math.inf if self._page is None else min(self._up_since_s, time_s)
        self.up_s = max(0.0, time_s - self._up_since_s)

    def _due_alert(self, time_s: float, alerts: Sequence[Alert]) -> Alert | None:
        """The alert whose turn it is, if any."""
        self._told_s = {alert: self._told_s[alert] for alert in alerts if alert in self._told_s}
        if not self._alerts_are_due(time_s, alerts):
            self._alert = None
            return None
        alert = self._alert
        if alert is None or alert not in alerts:
            alert = min(alerts, key=lambda alert: self._told_s.get(alert, -math.inf))
        self._alert, self._told_s[alert] = alert, time_s
        return alert

    def _alerts_are_due(self, time_s: float, alerts: Sequence[Alert]) -> bool:
        """True in an alert's turn; in its own the prompt begins anew, and comes round whole."""
        if time_s < self._quiet_until_s:
            return False
        if not alerts:
            self._alerts, self._turn_until_s = False, -math.inf
            return False
        if time_s < self._turn_until_s - _HAIR_S:
            return self._alerts
        self._alerts = not self._alerts
        self._turn_until_s = time_s + ALERT_TURN_S
        if self._alerts:
            self._cover(time_s)
        elif self._film is not None:
            if not self._opens_anew:
                self._film = replace(self._film, opening=())
            self._since_s = time_s
            self._turn_until_s = time_s + self._film.turn_s
        return self._alerts

    def _cover(self, time_s: float) -> None:
        """An alert comes up: an opening that is not over is told once more."""
        film = self._film
        self._opens_anew = film is not None and film.is_opening_at(time_s - self._since_s)

    def _note_what_is_told(self, elsewhere: frozenset[Button]) -> None:
        """The page that is up tells of all buttons but those that others of its film tell of."""
        if self._asked is not None and not isinstance(self._asked.prompt, NoticePrompt):
            untold = elsewhere - self.familiar.buttons
            self.familiar = Familiar(self._asked, frozenset(Button) - untold)

    def _show_if_new(self, picture: Picture) -> None:
        if picture != self.picture:
            self.picture = picture
            self._board.show(picture)


def _sound_of(before: Session | None, after: Session | None) -> Sound | None:
    """The sound that belongs to a step of the session; None for most."""
    if before is None or after is None or before.record.serial != after.record.serial:
        return None
    if isinstance(after.mode, Asking) and type(after.mode) is not type(before.mode):
        return Sound.NEED
    new = after.record.events[len(before.record.events) :]
    if any(isinstance(event, Rolled | Shown) for event in new):
        return Sound.READ
    if new and _is_announced(before, after):
        return Sound.NEWS
    if after.remark and after.remark != before.remark:
        return Sound.WRONG
    return None


def _is_announced(before: Session, after: Session) -> bool:
    """True if a step has brought news for all: the end or, as a turn begins, that it is near."""
    was, now = before.record.ask, after.record.ask
    if was is None or now is None:
        return was is not now
    closing, banked = announcement(after)
    turns = [session.record.rules.turn(session.record.state) for session in (before, after)]
    begins = turns[0] != turns[1] or was.seat != now.seat
    return bool(banked) or (begins and bool(closing))
