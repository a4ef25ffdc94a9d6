"""The console at the start: the game to resume, and what is remembered of the last time."""

from contextlib import suppress
from dataclasses import replace

from appliance.errors import JournalError
from appliance.journal.library import Library
from appliance.service.devices import Tray
from appliance.service.environment import Environment
from appliance.table.menu.console import Console, Equipment
from appliance.table.menu.main_menu import over_menu
from appliance.table.session.session import Session
from appliance.words import set_language


def first_console(
    session: Session | None, library: Library, environment: Environment, tray: Tray
) -> Console:
    """The console to begin with, in the language that was chosen; without a game it is the menu."""
    settings = library.settings(environment.settings)
    language = environment.language or settings.language
    if language is not None:
        set_language(language)
    settings = settings.with_spoken_names()
    if session is not None and not session.record.log:
        # Players named on the command line are offered again.
        last = settings.last_setup(session.record.setup.game)
        setup = session.record.setup
        if last is None or last.players != setup.players:
            settings = settings.with_game_begun(setup)
            with suppress(JournalError):
                library.remember(settings)
    network = environment.network()
    if environment.page and network and settings.pin is None:
        settings = replace(settings, pin=network[0][1])
        with suppress(JournalError):
            library.remember(settings)
    level = settings.brightness
    speaks = environment.speaks
    if speaks is not None and settings.voice is not None:
        speaks = settings.voice
    equipment = Equipment(
        games=environment.games,
        can_calibrate=tray.calibrate is not None,
        judges_dice=tray.judge_face is not None,
        speaks=speaks,
        advises=settings.beginners if environment.advises else None,
        network=network,
    )
    console = Console(
        session=session,
        settings=settings,
        equipment=equipment,
        brightness=environment.brightness if level is None else level,
    )
    return over_menu(library.with_aside(console))
