"""A player who only listens: words as they are handed to espeak-ng, when they end, and keys.

Nothing of the appliance is imported but what its buttons are called. The hands press buttons and
throw the dice of the tray but those to keep, which they find by their places.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from appliance.inputs import HOLD_BUTTONS, Button
from tests.rigs.plan import LOOKED_AT, Roll, best_choice, is_bet_taken, places_to_hold

_ROLL = re.compile(
    r", (roll \d+|last roll): ([^.]*)\.|(?<! held): ([1-6](?: [1-6])+(?:, [^.]*)?)\."
)
_THROW = re.compile(r": (?:throw|put) [^.]*(?:die|dice)")
_OPEN = re.compile(r"Open: ([^.]*)\.")
_HELD = re.compile(r"(?:Di(?:e|ce) ([\d ]+) held: [^.]*|None held)\.")
_BET = re.compile(r"(?:^|\. )((?:Check|Call|Bet|Raise|All in|Fold)\b[^.]*)\.")
_CARD = re.compile(r"\. (?!None|Dice|Hold|Throw|OK)([A-Z][a-z ]+?)(?: of [^,.]*)?[,.]")
_MADE = re.compile(r"Enough for [^.]*?, (\d+) points?")
_ENTRY = re.compile(
    r"(?:Give up |Cross out )?([A-Za-z][a-z ]*?)(?: \d)?(?:, (\d+) points?|, a zero)?(?:, [^.]*)?\."
)
_PLACE = re.compile(r"\b(\d+) of (\d+)\.")


@dataclass
class Listener:
    """Plays whole games.

    Attributes:
        press: presses a button, for long or not.
        throw: throws the dice that are asked for; with places, all but those.
        has_boxes: whether the game that one plays has a sheet of boxes to fill.
    """

    press: Callable[[Button, bool], None]
    throw: Callable[[Collection[int] | None], None]
    has_boxes: bool
    over: bool = False
    _open: frozenset[str] = frozenset()
    _knows_open: bool = False
    _roll: Roll | None = None
    _held: frozenset[int] = frozenset()
    _seen: list[tuple[str, int]] = field(default_factory=list)

    def heard(self, text: str) -> None:
        """Does something, now that nothing is said any more; `text` is all since the last time."""
        if "Game over." in text:
            self.over = True
        elif not text:
            self.press(Button.HINT, True)
        elif bets := _BET.findall(text):
            self.press(Button.OK if is_bet_taken(bets[-1]) else Button.RIGHT, False)
        elif found := _OPEN.search(text):
            self._open, self._knows_open = frozenset(map(_key, found[1].split(", "))), True
            self.throw(None)
        elif _THROW.search(text):
            self._throw_first(text)
        elif self._has_roll(text):
            self._hold_and_throw()
        else:
            self._choose(text)

    def _throw_first(self, text: str) -> None:
        if self.has_boxes and not self._knows_open and re.search("throw [56] dice", text):
            self.press(Button.RIGHT, False)
            return
        self.throw(None)

    def _has_roll(self, text: str) -> bool:
        """Whether a roll was told, or what is held of one."""
        if held := _HELD.search(text):
            self._held = frozenset(int(place) - 1 for place in (held[1] or "").split())
        if found := _ROLL.search(text):
            which, *rows = found.groups()
            roll = int(which.split()[1]) if which and which != "last roll" else 0
            # There is another one, unless it is said to be the last.
            rolls = roll + 1 if roll else 0
            numbers, _, power = next(filter(None, rows)).partition(", ")
            dice = [*map(int, numbers.split()), *([power.removeprefix("times ")] if power else [])]
            made, card = _MADE.search(text), _CARD.search(text)
            wanted = self._open
            if not self.has_boxes:
                wanted = frozenset({_key(card[1])} if card and not made else ())
            points = int(made[1]) if made else 0
            self._roll = Roll(dice, roll, rolls, wanted, points)
            self._held = self._held if held else frozenset()
        return self._roll is not None and bool(held or found)

    def _hold_and_throw(self) -> None:
        assert self._roll is not None
        hold = places_to_hold(self._roll)
        self._seen, self._knows_open = [], False
        if hold is None:
            self._roll = None
            self.press(Button.OK, False)
        elif wrong := sorted(hold ^ self._held):
            self.press(HOLD_BUTTONS[wrong[0]], False)
        else:
            self._roll = None
            self.throw(hold)

    def _choose(self, text: str) -> None:
        """Looks at a few choices, goes back to the best of these, and takes it."""
        entry, place = _ENTRY.match(text), _PLACE.search(text)
        if not self.has_boxes or entry is None or place is None:
            self.press(Button.OK, False)
            return
        at, count = int(place[1]) - 1, int(place[2])
        if at == len(self._seen):
            self._seen.append((_key(entry[1]), int(entry[2] or 0)))
            if len(self._seen) < min(LOOKED_AT, count):
                self.press(Button.RIGHT, False)
                return
        self.press(Button.OK if at == best_choice(self._seen) else Button.LEFT, False)


def _key(name: str) -> str:
    return re.sub(r" \d$", "", name.strip().lower()).replace(" ", "-")


@dataclass
class AdvisedListener(Listener):
    """Asks for a hint at every decision and follows it, whatever the game."""

    _follows: bool = False

    def heard(self, text: str) -> None:
        """Does something, now that nothing is said any more; `text` is all since the last time."""
        if text.startswith("Hint: "):
            self._follows = True
            self.press(Button.OK, False)
        else:
            super().heard(text)

    def _hold_and_throw(self) -> None:
        if not self._follows:
            self.press(Button.HINT, False)
            return
        self._follows, self._roll = False, None
        self.throw(self._held)

    def _choose(self, text: str) -> None:
        self._follows = False
        self.press(Button.OK, False)
