"""Input by people: buttons, chords, keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

Item = TypeVar("Item")


class Button(StrEnum):
    """The buttons of the appliance."""

    HOLD1 = "hold1"
    HOLD2 = "hold2"
    HOLD3 = "hold3"
    HOLD4 = "hold4"
    HOLD5 = "hold5"
    HOLDP = "holdp"
    LEFT = "left"
    RIGHT = "right"
    OK = "ok"
    BACK = "back"
    HINT = "hint"


HOLD_BUTTONS = tuple(button for button in Button if button.startswith("hold"))
"""The hold buttons in slot order."""


class Key(StrEnum):
    """A key of a keyboard, or a group of keys, as programs call it: the same in every language.

    What people read stands beside it, such as `KeyAction.name`.
    """

    SPACE = "space"
    ENTER = "enter"
    BACKSPACE = "backspace"
    ARROWS = "arrows"
    LONG_STEPS = "long-steps"
    NUMBERS = "numbers"
    CORRECTIONS = "corrections"
    LETTERS = "letters"
    BACK = "b"
    COLLECT = "c"
    HINT = "h"
    MENU = "m"
    SHUT_DOWN = "o"
    PEEK = "p"
    QUIT = "q"
    SHOW = "s"
    UNDO = "u"
    READINGS = "v"
    HELP = "?"


def neighbour(items: Sequence[Item], now: Item | None, button: Button) -> Item:
    """The item that LEFT or RIGHT leads to from another; the items form a ring.

    From None, which is none of them, RIGHT leads to the first and LEFT to the last.
    """
    step = 1 if button is Button.RIGHT else -1
    place = min(step, 0) if now is None else items.index(now) + step
    return items[place % len(items)]


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button was pressed and released, or held down for a second (`long`)."""

    button: Button
    long: bool = False


@dataclass(frozen=True, slots=True)
class Typed:
    """Letters were typed on a keyboard, for the name being asked for."""

    letters: str


@dataclass(frozen=True, slots=True)
class Picked:
    """An entry of what can be chosen, or of the answers to a question, was pointed at on a page.

    Attributes:
        game: the serial number of the game that was shown.
        asked: the number of the `Moment` of `appliance.table.session.picking` that was shown.
        index: the place of the choice among those the session lists, or of the answer among those
            of the question.
        confirmed: whether it was asked about on that page, as a zero is, and taken all the same.
        slot: the die that the question is about; None for a choice.
    """

    game: int
    asked: int
    index: int
    confirmed: bool = False
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class Chord:
    """Buttons were held down together for a second; none of them counts as pressed."""

    buttons: frozenset[Button]


SHUT_DOWN = Chord(frozenset({Button.LEFT, Button.RIGHT}))
"""It works in every state, even without a board to look at."""

SHOW_MODULES = Chord(frozenset({Button.OK, Button.BACK}))
"""Opens the page about the board's modules, even if nothing on the board can be read."""

CHORDS: tuple[Chord, ...] = (SHUT_DOWN, SHOW_MODULES)
