"""Pages for what people can set: brightness, language, camera, voice, rules, score page."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from textwrap import wrap

from appliance.inputs import Button, Pressed
from appliance.table.menu.console import Console, Page
from appliance.table.menu.options import (
    option_in_force,
    option_title,
    option_value_words,
    option_values,
    options_offered,
)
from appliance.table.menu.pages import ListRow, PlainList
from appliance.table.menu.prompting import BrightnessPrompt
from appliance.table.menu.requests import ShowAbout
from appliance.table.names import MAX_NAME_LETTERS
from appliance.table.prompts.prompt import Prompt
from appliance.words import Verbatim, languages


@dataclass(frozen=True, slots=True)
class Brightness(Page):
    """The brightness, changed live; BACK restores `before`."""

    before: int

    def prompt(self, console: Console) -> Prompt:
        """The brightness now."""
        return BrightnessPrompt(console.brightness)

    def pressed(self, console: Console, press: Pressed) -> Console:
        """LEFT and RIGHT change it, OK takes it."""
        if press.button is Button.BACK:
            return console.with_brightness(self.before).back()
        if press.button is Button.OK:
            return console.back()
        change = {Button.LEFT: -1, Button.RIGHT: 1}.get(press.button, 0)
        return console.with_brightness(console.brightness + change)


class Languages(PlainList):
    """The languages that the board can speak, each by its own name."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One language per row."""
        return [
            ListRow("LANGUAGE", (Verbatim(name),), partial(_choose_language, code=code))
            for code, name in languages().items()
        ]


def _choose_language(console: Console, code: str) -> Console:
    return console.with_settings(replace(console.settings, language=code)).back()


class CameraPage(PlainList):
    """The cameras on the Pi's own connectors, of which one is used."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One camera per row, by the sensor's name."""
        return [
            ListRow(
                "CAMERA",
                tuple(map(Verbatim, wrap(name.replace("_", " ").upper(), MAX_NAME_LETTERS))),
                partial(_choose_camera, name=name),
            )
            for name in console.equipment.cameras
        ]


def can_choose_camera(console: Console) -> bool:
    """True if there are several cameras, or only others than the chosen one."""
    there, chosen = console.equipment.cameras, console.settings.camera
    return len(there) > 1 or bool(there and chosen and chosen not in there)


def _choose_camera(console: Console, name: str) -> Console:
    return console.with_settings(replace(console.settings, camera=name)).back()


class VoicePage(PlainList):
    """The voice that says what the board shows, on or off."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """Its switch."""
        word = "SWITCH OFF" if console.equipment.speaks else "SWITCH ON"
        return [ListRow("VOICE", (word,), _switch_voice)]


def _switch_voice(console: Console) -> Console:
    speaks = not console.equipment.speaks
    console = console.with_settings(replace(console.settings, voice=speaks))
    return replace(console, equipment=replace(console.equipment, speaks=speaks))


class Beginners(PlainList):
    """The order for those who have never won: the best choice first, or that with most points."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """The kind of choice that comes first now; OK changes it."""
        word = "BEST FIRST" if console.equipment.advises else "POINTS FIRST"
        return [ListRow("BEGINNERS", (word,), _switch_advice)]


def _switch_advice(console: Console) -> Console:
    advises = not console.equipment.advises
    console = console.with_settings(replace(console.settings, beginners=advises))
    return replace(console, equipment=replace(console.equipment, advises=advises))


class HouseRules(PlainList):
    """The options of the current game, and those of the next."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One option per row; OK changes those that are asked about for the next game."""
        if console.session is None:
            return ()
        setup = console.session.record.setup
        game, changing = setup.game, options_offered(setup.game)
        rows = []
        for name in setup.rules.options:
            text = option_value_words(game, name, option_in_force(setup, name), setup.players)
            if name not in changing:
                rows.append(ListRow(option_title(game, name), (text,), ok=""))
                continue
            later = option_value_words(game, name, console.settings.option(game, name))
            lines = (f"NOW {text}",) if later == text else (f"NOW {text}", f"NEXT {later}")
            change = partial(_choose_next_value, game=game, name=name)
            rows.append(ListRow(option_title(game, name), lines, change))
        return rows


def _choose_next_value(console: Console, game: str, name: str) -> Console:
    known, coming = option_values(game, name), console.settings.option(game, name)
    following = known[(known.index(coming) + 1) % len(known)] if coming in known else known[0]
    return console.with_settings(console.settings.with_option(game, name, following))


class NetworkPage(PlainList):
    """The score page for the room: its PIN and address, and whether it is on."""

    __slots__ = ()
    private = True

    def rows(self, console: Console) -> Sequence[ListRow]:
        """Everything needed to open the page; at the end, or alone, its switch."""
        pin, ((_, new), *about) = console.settings.pin, console.equipment.network
        said = [("PIN", pin[:6]), *about] if pin else []
        rows = [ListRow(label, tuple(wrap(text, MAX_NAME_LETTERS)), ok="") for label, text in said]
        word, switch = ("SWITCH OFF", "") if pin else ("SWITCH ON", new)
        return [*rows, ListRow("NETWORK", (word,), partial(_switch_network, pin=switch))]


def _switch_network(console: Console, pin: str) -> Console:
    console = console.with_settings(replace(console.settings, pin=pin))
    return console.replace_top(NetworkPage()).with_requests(ShowAbout())
