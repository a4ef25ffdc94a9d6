"""The keyboard of a person who plays at the terminal, and what its keys do."""

import math
import re
import sys
import time
from codecs import utf_8_decode
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Self

from appliance.errors import ApplianceError
from appliance.inputs import HOLD_BUTTONS, SHUT_DOWN, Button, Chord, Key, Picked, Pressed
from appliance.terminal.console import Console
from appliance.words import say
from games.registry import GAMES

THROW_ACTION = "throw"
PEEK_ACTION = "peek"
"""Shows a player's own dice for a while."""
PEEK_HELD_ACTION = "peek:held"
"""Shows them until the next action, such as releasing a key."""
SHOW_ACTION = "show"
COLLECT_ACTION = "collect"
QUIT_ACTION = "quit"
HELP_ACTION = "help"
READINGS_ACTION = "readings"
UP_ACTION = "up"
DOWN_ACTION = "down"
UNKNOWN_ACTION = "unknown"
"""Stands for a key that does nothing except end what lasts until the next key."""
SHUT_DOWN_ACTION = "shut down"
TYPED_PREFIX = "typed:"
"""Prefix of letters of the name that is asked for."""
LONG_PREFIX = "long:"
"""Prefix of a button to be pressed long."""
POINT_PREFIX = "point:"
"""Prefix of a place in the picture, as shares of its size."""
PICK_PREFIX = "pick:"
"""Prefix of a choice pointed at on a page: `pick:GAME:ASKED:INDEX`, then `:yes` if it was asked.

An answer ends in `:die` and the slot that is asked about.
"""

ACTION_OF_KEY: dict[bytes, str] = {
    **{b"%d" % number: hold for number, hold in enumerate(HOLD_BUTTONS, start=1)},
    b"\x1b[D": Button.LEFT,
    b"\x1b[C": Button.RIGHT,
    b"\x1b[A": UP_ACTION,
    b"\x1b[B": DOWN_ACTION,
    b"<": LONG_PREFIX + Button.LEFT,
    b">": LONG_PREFIX + Button.RIGHT,
    b"\r": Button.OK,
    b"\n": Button.OK,
    b"\x7f": Button.BACK,
    b"\x08": Button.BACK,
    b"b": Button.BACK,
    b"h": Button.HINT,
    b"u": LONG_PREFIX + Button.BACK,
    b"m": LONG_PREFIX + Button.OK,
    b"o": SHUT_DOWN_ACTION,
    **{key.encode(): LONG_PREFIX + hold for key, hold in zip("!@#$%^", HOLD_BUTTONS, strict=True)},
    b" ": THROW_ACTION,
    b"t": THROW_ACTION,
    b"p": PEEK_ACTION,
    b"s": SHOW_ACTION,
    b"c": COLLECT_ACTION,
    b"?": HELP_ACTION,
    b"v": READINGS_ACTION,
    b"q": QUIT_ACTION,
    b"\x03": QUIT_ACTION,
}

KEY_HELP: Mapping[Key, str] = {
    Key.SPACE: "SPACE  throw",
    Key.NUMBERS: "1-6    hold a die or let it go",
    Key.ARROWS: "← →    go through a list",
    Key.LONG_STEPS: "< >    five steps at a time",
    Key.ENTER: "ENTER  OK",
    Key.BACK: "b      BACK",
    Key.HINT: "h      HINT: what is best",
    Key.MENU: "m      menu",
    Key.UNDO: "u      undo",
    Key.CORRECTIONS: "!@#$%^ correct a die",
    Key.PEEK: "p      {games}: see your own dice",
    Key.SHOW: "s      {games}: show them",
    Key.COLLECT: "c      take all dice out",
    Key.READINGS: "v      show or hide the readings",
    Key.HELP: "?      this help, on or off",
    Key.SHUT_DOWN: "o      switch off",
    Key.QUIT: "q      quit; the game is saved",
}
"""The use of each key, for people; `{games}` are those in which dice are hidden."""
REAL_DICE_HELP: Mapping[Key, str] = {
    key: line
    for key, line in KEY_HELP.items()
    if key not in (Key.SPACE, Key.PEEK, Key.SHOW, Key.COLLECT)
}
"""Help by key where real dice are thrown."""
WATCH_HELP: Mapping[Key, str] = {key: KEY_HELP[key] for key in (Key.READINGS, Key.HELP, Key.QUIT)}
"""Help by key where somebody only watches."""


def help_lines(keys: Mapping[Key, str]) -> tuple[str, ...]:
    """What keys do, in the chosen language."""
    games = ", ".join(game.title for game in GAMES.values() if game.has_bets)
    return tuple(
        say(line, games=games) if "{games}" in line else say(line) for line in keys.values()
    )


class SeenAction(str):
    """An action made on a page, which knows the `View.occasion` that it showed then."""

    __slots__ = ("seen",)
    seen: int

    def __new__(cls, action: str, seen: int) -> Self:
        """An action, made at an occasion."""
        made = super().__new__(cls, action)
        made.seen = seen
        return made


_ESCAPE_SEQUENCE = re.compile(rb"\x1b(?:O.|\[[0-?]*[ -/]*[@-~])", re.DOTALL)
"""Sent by terminals for a key other than a character (ECMA-48, 5.4; SS3 in application mode)."""
_INCOMPLETE_SEQUENCE = re.compile(rb"\x1b(?:O|\[[0-?]{0,8}[ -/]{0,2})?\Z")

_MAX_REPEAT_INTERVAL_S = 0.05  # no finger is as fast as the repeats of a held key are
_RELEASED_AFTER_S = 0.15
_MAX_FIRST_REPEAT_DELAY_S = 0.8
_LIST_ACTIONS = frozenset({UP_ACTION, DOWN_ACTION, Button.LEFT, Button.RIGHT})
_MIN_STEP_INTERVAL_S = 0.09  # between two steps of an arrow


_CHARACTERS = re.compile(rb"[^\x00-\x1f\x7f]+")


def decode(data: bytes, naming: bool = False) -> tuple[list[str], bytes]:
    """The actions in what was typed, and the bytes of a sequence or letter not yet complete.

    Keys that do nothing become `UNKNOWN_ACTION`. While a name is asked for, characters are letters.
    """
    actions: list[str] = []
    while data:
        if _INCOMPLETE_SEQUENCE.match(data):
            return actions, data
        if naming and (found := _CHARACTERS.match(data)):
            letters, used = utf_8_decode(found[0], "ignore", False)
            if not used:
                return actions, data
            actions.append(TYPED_PREFIX + letters)
            data = data[used:]
            continue
        sequence = _ESCAPE_SEQUENCE.match(data)
        key = sequence[0] if sequence else data[:1]
        data = data[len(key) :]
        # Terminals send arrows either way.
        actions.append(ACTION_OF_KEY.get(key.replace(b"\x1bO", b"\x1b["), UNKNOWN_ACTION))
    return actions, b""


class Repeats:
    """Drops the repeats of a key while it is held down.

    A held key counts once; a held arrow keeps moving through a list, but more slowly than what
    counts as a stuck button. The clock returns seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last = self._waits = ""
        self._held = False
        self._typed_s = self._stepped_s = -math.inf

    def drop_repeats(self, actions: Sequence[str]) -> list[str]:
        """The actions that count; to be called at every poll of the keys, with what was typed."""
        now_s, counted = self._clock(), list[str]()
        if (
            self._waits
            and now_s - self._typed_s >= _MAX_REPEAT_INTERVAL_S
            and self._waits not in actions[:1]
        ):
            counted.append(self._waits)
            self._waits = ""
        for action, run in groupby(actions):
            after_s, same = now_s - self._typed_s, action == self._last
            times = list(run)
            quick = len(times) > 1 or after_s < _MAX_REPEAT_INTERVAL_S or bool(self._waits)
            self._held = same and (quick or (self._held and after_s < _RELEASED_AFTER_S))
            if self._waits and not same:
                counted.append(self._waits)
            self._waits = ""
            if action.startswith(TYPED_PREFIX):
                counted += [action, *times[1:]]
            elif action in _LIST_ACTIONS:
                if not same or now_s - self._stepped_s >= _MIN_STEP_INTERVAL_S:
                    counted.append(action)
                    self._stepped_s = now_s
            elif (
                same and not self._held and _RELEASED_AFTER_S <= after_s < _MAX_FIRST_REPEAT_DELAY_S
            ):
                # The first repeat comes as late as a second press would: what follows decides.
                self._waits = action
            elif not self._held:
                counted.append(action)
            self._last, self._typed_s = action, now_s
        return counted


class Keyboard:
    """Reads keys without waiting and without echo, until it is closed.

    ApplianceError if standard input is not a terminal.
    """

    def __init__(self) -> None:
        if not sys.stdin.isatty():
            raise ApplianceError(
                "keys are read from a terminal, and standard input is not one",
                "start it in a terminal, without --human or --buttons keyboard where there is none",
            )
        self._console = Console()
        self._rest = b""
        self._leaves = False
        self._repeats = Repeats(time.monotonic)
        self.open()

    def poll(self, naming: bool = False) -> list[str]:
        """The actions typed since the last call: names of buttons, `THROW_ACTION` and the like.

        While a name is asked for, characters are its letters.
        """
        data = self._console.read()
        if data is None or self._leaves:
            return [QUIT_ACTION]
        if self._rest and not data:
            # Terminals send a sequence in one go: this one will never be complete.
            self._rest = b""
            return [UNKNOWN_ACTION]
        actions, self._rest = decode(self._rest + data, naming)
        return self._repeats.drop_repeats(actions)

    def close(self) -> None:
        """Puts the terminal back as it was."""
        self._console.close()

    def open(self) -> None:
        """Takes over the terminal, also again after `close`; of earlier keys only q counts.

        The others were meant for what was there before.
        """
        self._console.open()
        early = self._console.read()
        self._leaves = early is None or QUIT_ACTION in decode(early)[0]


_PICK = re.compile(PICK_PREFIX + r"(\d{1,9}):(\d{1,9}):(\d{1,4})(:yes|:die\d)?")


def pick_of(action: str) -> Picked | None:
    """The pick that an action makes; None for one that picks nothing."""
    found = _PICK.fullmatch(action)
    if found is None:
        return None
    game, asked, index = map(int, found.groups()[:3])
    more = found[4] or ""
    slot = int(more.removeprefix(":die")) if more.startswith(":die") else None
    return Picked(game, asked, index, more == ":yes", slot)


def press_of(action: str) -> Pressed | Chord | None:
    """The press that an action makes; None for one that presses no button."""
    if action == SHUT_DOWN_ACTION:
        return SHUT_DOWN
    name = action.removeprefix(LONG_PREFIX)
    return Pressed(Button(name), long=name != action) if name in tuple(Button) else None


class KeyboardButtons:
    """The keyboard as the port to the buttons; `typed` returns what was typed, as `Keyboard.poll`.

    `others` gets all of it at every poll; `naming` says whether a name is asked for.
    """

    def __init__(self, typed: Callable[[bool], list[str]]) -> None:
        self._typed = typed
        self.others: Callable[[Sequence[str]], None] = lambda _: None
        self.naming: Callable[[], bool] = lambda: False

    def poll(self) -> tuple[Pressed | Chord, ...]:
        """The presses since the last call; KeyboardInterrupt when somebody wants to leave."""
        actions = self._typed(self.naming())
        if QUIT_ACTION in actions:
            raise KeyboardInterrupt
        self.others(actions)
        return tuple(press for press in map(press_of, actions) if press is not None)

    def stuck(self) -> frozenset[Button]:
        """None: a keyboard repeats a key that is held down."""
        return frozenset()

    def light(self, slots: frozenset[int]) -> None:
        """Does nothing: dice that are held are marked in the picture."""
