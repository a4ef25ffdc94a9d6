"""The appliance's memory from game to game: names, how each game was set up, brightness."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from appliance.picture import BRIGHTNESS_LEVELS
from appliance.table.menu.options import option_in_force, options_asked, options_offered
from appliance.table.names import MAX_NAME_LETTERS, NAME_LETTERS
from appliance.table.session.session import Setup
from appliance.words import can_be_read, in_every_language, say
from games.computers import strength_of
from games.registry import GAMES
from games.values import OptionValue

MAX_NAMES = 24
"""Names remembered; the one unused for the longest time makes room for a new one."""


_UNNAMED = "PLAYER {number}"
"""How players are called before they have names."""
_MOST_UNNAMED = 9


def unnamed(number: int) -> str:
    """The name for an unnamed player in a seat, counted from 1, as the board speaks."""
    return say(_UNNAMED.format(number=number))


def number_of_unnamed(name: str) -> int | None:
    """The seat of a player without a name, in whatever language; None for a name."""
    # Most names have no number in them: for these no catalogue is read.
    if not any(letter.isdigit() for letter in name):
        return None
    numbers = range(1, _MOST_UNNAMED + 1)
    return next((n for n in numbers if name in in_every_language(_UNNAMED.format(number=n))), None)


def spoken_name(name: str) -> str:
    """A player's name; that of one without a name as the board speaks now."""
    number = number_of_unnamed(name)
    return name if number is None else unnamed(number)


@dataclass(frozen=True, slots=True)
class Settings:
    """The remembered settings.

    Attributes:
        names: players, the latest first.
        setups: the last game of each kind, the latest first, with the options for the next one.
        brightness: of the board; None leaves the configured one.
        pin: the score page's six-digit PIN, then what its cookies are derived from; empty while
            the page is off, None leaves it as configured.
        language: its code; None leaves the configured one.
        voice: whether it speaks; None leaves it as configured.
        beginners: whether those who have never won see the best choice first.
        winners: who has won a game.
        camera: which of a Pi's own cameras is used; empty leaves it as configured.
    """

    names: tuple[str, ...] = ()
    setups: tuple[Setup, ...] = ()
    brightness: int | None = None
    pin: str | None = None
    language: str | None = None
    voice: bool | None = None
    beginners: bool = True
    winners: frozenset[str] = frozenset()
    camera: str = ""

    def last_setup(self, game: str | None = None) -> Setup | None:
        """How that game, or any if none is named, was set up last."""
        return next((s for s in self.setups if game in (None, s.game)), None)

    def option(self, game: str, name: str) -> OptionValue:
        """The value of a house rule for the next game of this kind."""
        return option_in_force(self.last_setup(game) or Setup(game, ()), name)

    def house_rules(self, game: str) -> dict[str, OptionValue]:
        """The house rules of the next game that nobody is asked about, but for the defaults."""
        quiet = set(options_offered(game)) - set(options_asked(game))
        rules = {name: self.option(game, name) for name in sorted(quiet)}
        usual = GAMES[game].options
        return {name: value for name, value in rules.items() if value != usual[name][0]}

    def with_game_begun(self, setup: Setup) -> "Settings":
        """The settings after a game began: its players come first, its options are for the next."""
        others = [name for name in self.names if name not in setup.players]
        people = [name for name in setup.players if strength_of(name) is None]
        names = (*people, *others)[:MAX_NAMES]
        setups = (setup, *(s for s in self.setups if s.game != setup.game))
        return replace(self, names=names, setups=setups)

    def with_spoken_names(self) -> "Settings":
        """The settings with PLAYER 1 and the like in the chosen language: never two for one."""
        setups = tuple(
            replace(setup, players=tuple(map(spoken_name, setup.players))) for setup in self.setups
        )
        names = tuple(dict.fromkeys(map(spoken_name, self.names)))
        return replace(self, names=names, setups=setups)

    @property
    def given_names(self) -> tuple[str, ...]:
        """The remembered names that somebody has chosen."""
        return tuple(name for name in self.names if number_of_unnamed(name) is None)

    def with_winners(self, names: Iterable[str]) -> "Settings":
        """The settings after these have won; nobody without a name is remembered."""
        people = {n for n in names if strength_of(n) is None and number_of_unnamed(n) is None}
        return self if people <= self.winners else replace(self, winners=self.winners | people)

    def with_option(self, game: str, name: str, value: OptionValue) -> "Settings":
        """The settings with another value of a house rule for the next game of this kind."""
        last = self.last_setup(game) or Setup(game, ())
        options = tuple(sorted({**dict(last.options), name: value}.items()))
        kept = Setup(game, last.players, options)
        setups = tuple(kept if s.game == game else s for s in self.setups)
        return replace(self, setups=setups if kept in setups else (*setups, kept))

    @property
    def text(self) -> str:
        """Everything as JSON; `from_text` reads it."""
        setups = [
            {"game": s.game, "players": list(s.players), "options": dict(s.options)}
            for s in self.setups
        ]
        others: dict[str, object] = {
            "brightness": self.brightness,
            "pin": self.pin,
            "language": self.language,
        }
        if self.voice is not None:
            others["voice"] = self.voice
        if not self.beginners:
            others["beginners"] = False
        if self.winners:
            others["winners"] = sorted(self.winners)
        if self.camera:
            others["camera"] = self.camera
        return json.dumps({"names": list(self.names), "setups": setups, **others})


def from_text(text: str) -> Settings:
    """The settings that `Settings.text` wrote.

    What cannot be read, or is no longer allowed, is left out: nobody at the table could fix it, and
    a default is never wrong.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return Settings()
    if not isinstance(found, dict):
        return Settings()
    setups: dict[str, Setup] = {}
    for item in _list_or_empty(found.get("setups")):
        setup = _setup_or_none(item)
        if setup is not None:
            setups.setdefault(setup.game, setup)
    level, pin = found.get("brightness"), found.get("pin")
    level = level if type(level) is int and level in BRIGHTNESS_LEVELS else None
    pin = pin if isinstance(pin, str) and re.fullmatch("([0-9]{6}[0-9a-f]{32})?", pin) else None
    language = found.get("language")
    language = language if isinstance(language, str) and can_be_read(language) else None
    names = _valid_names(found.get("names"))
    voice = found.get("voice")
    voice = voice if isinstance(voice, bool) else None
    won = [n for n in _list_or_empty(found.get("winners")) if isinstance(n, str) and _is_name(n)]
    beginners = found.get("beginners") is not False
    camera = found.get("camera")
    camera = camera if isinstance(camera, str) else ""
    setups_found = tuple(setups.values())
    return Settings(
        names, setups_found, level, pin, language, voice, beginners, frozenset(won), camera
    )


def _list_or_empty(found: Any) -> list[Any]:
    return found if isinstance(found, list) else []


def _valid_names(found: Any) -> tuple[str, ...]:
    good = [n for n in _list_or_empty(found) if isinstance(n, str) and _is_name(n)]
    return tuple(dict.fromkeys(good))[:MAX_NAMES]


def _is_name(text: str) -> bool:
    if strength_of(text) is not None:
        return True
    fits = 1 <= len(text) <= MAX_NAME_LETTERS and text == text.strip()
    return fits and set(text) <= set(NAME_LETTERS)


def _setup_or_none(found: Any) -> Setup | None:
    game = found.get("game") if isinstance(found, dict) else None
    if not isinstance(game, str) or game not in GAMES:
        return None
    given = found.get("options")
    options: dict[str, OptionValue] = {}
    for name, value in given.items() if isinstance(given, dict) else ():
        known = GAMES[game].options.get(name, ())
        # Not == alone: a number must not pass for a yes or no.
        if name in options_offered(game) and any(
            v == value and type(v) is type(value) for v in known
        ):
            options[name] = value
    return Setup(game, _valid_names(found.get("players")), tuple(sorted(options.items())))
