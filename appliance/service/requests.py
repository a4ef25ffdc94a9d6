"""Carries out what the menu asked for: games, settings, brightness, stick, calibration, the end."""

import logging
from dataclasses import replace

from appliance.errors import ApplianceError
from appliance.journal.library import Library
from appliance.service.environment import Environment
from appliance.service.ports import Layouts
from appliance.service.tray_watch import TrayWatch
from appliance.table.menu import requests as menu
from appliance.table.menu.console import Console, Notice, with_about, with_refusal
from appliance.table.menu.own_die import with_verdict
from appliance.words import set_language

log = logging.getLogger(__name__)


class Requests:
    """Answers requests of the menu, which is a value and can do nothing by itself."""

    def __init__(self, library: Library, environment: Environment, tray: TrayWatch) -> None:
        self._library = library
        self._environment = environment
        self._tray = tray

    def carry_out(self, console: Console, request: menu.Request) -> Console:
        """The console after the request; a JournalError leaves it to be tried again."""
        environment = self._environment
        match request:
            case menu.BeginGame(setup, after):
                house = setup.with_house_rules(environment.house)
                return self._library.begin(replace(console, ended=after), house)
            case menu.OpenGame(number):
                return self._library.open(console, number)
            case menu.NamePlayer(seat, name):
                return self._library.name_player(console, seat, name)
            case menu.Remember(settings):
                self._library.remember(settings)
                if settings.language is not None:
                    set_language(settings.language)
                    console = replace(console, settings=console.settings.with_spoken_names())
            case menu.SetBrightness(level) if environment.dim is not None:
                environment.dim(level)
            case menu.StoreLayout(layout) if environment.layouts is not None:
                return _store_layout(console, layout, environment.layouts)
            case menu.ShowAbout() if environment.health is not None:
                console = replace(console, network=environment.network())
                return with_about(console, environment.health())
            case menu.AnswerDice() | menu.JudgeFace():
                return self._learn_about_dice(console, request)
            case menu.UseStick(word):
                return self._use_stick(console, word)
            case menu.Calibrate():
                return self._begin_calibration(console)
        return console

    def _learn_about_dice(
        self, console: Console, request: menu.AnswerDice | menu.JudgeFace
    ) -> Console:
        environment = self._environment
        match request:
            case menu.AnswerDice(new) if environment.answer_dice is not None:
                environment.answer_dice(new)
            case menu.JudgeFace(reading, face) if environment.judge_face is not None:
                return with_verdict(console, face, environment.judge_face(reading, face))
        return console

    def _use_stick(self, console: Console, word: str) -> Console:
        if self._environment.stick is None:
            return console
        try:
            self._environment.stick.ask(word)
        except ApplianceError as error:
            log.warning("%s", error)
            return with_refusal(console, word, "NOT DONE")
        pages = (word, "PLEASE WAIT"), ("LEAVE THE", "STICK IN")
        return replace(console, notice=Notice(pages))

    def _begin_calibration(self, console: Console) -> Console:
        if self._environment.calibrate is None:
            return console
        try:
            self._tray.activity = self._environment.calibrate()
        except ApplianceError as error:
            log.warning("calibration does not start: %s", error)
            return with_refusal(console, "CALIBRATE", "NOT POSSIBLE")
        return console

    def shut_down(self, console: Console) -> tuple[Console, bool]:
        """Begins to shut down; returns the console, and whether this is the end."""
        try:
            if self._environment.power is not None:
                self._environment.power.off()
        except ApplianceError as error:
            log.error("%s", error)
            return with_refusal(console, "CANNOT", "SHUT DOWN"), False
        return console, True


def _store_layout(console: Console, layout: str, layouts: Layouts) -> Console:
    try:
        layouts.store(layout)
    except ApplianceError as error:
        log.warning("%s", error)
        return with_refusal(console, "MODULES", "NOT SAVED")
    log.info("the scoreboard's modules are mounted as %s", layout)
    return replace(console, notice=Notice((("MODULES", "SAVED"),)))
