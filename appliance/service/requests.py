"""Carries out what the menu asked for: games, settings, brightness, stick, calibration, the end."""

import logging
from dataclasses import replace

from appliance.errors import ApplianceError
from appliance.journal.library import Library
from appliance.service.devices import Devices, Tray
from appliance.service.environment import Environment
from appliance.service.ports import Layouts
from appliance.service.tray_watch import TrayWatch
from appliance.table.menu import requests as menu
from appliance.table.menu.console import Console, Notice, with_refusal
from appliance.table.menu.own_die import with_verdict
from appliance.words import set_language

log = logging.getLogger(__name__)


class Requests:
    """Answers requests of the menu, which is a value and can do nothing by itself."""

    def __init__(
        self,
        library: Library,
        environment: Environment,
        devices: Devices,
        tray: Tray,
        watch: TrayWatch,
    ) -> None:
        self._library = library
        self._environment = environment
        self._devices = devices
        self._tray = tray
        self._watch = watch

    def carry_out(self, console: Console, request: menu.Request) -> Console:
        """The console after the request; a JournalError leaves it to be tried again."""
        devices = self._devices
        match request:
            case menu.BeginGame(setup, after):
                house = setup.with_house_rules(self._environment.house)
                kept = replace(console.kept, ended=after)
                return self._library.begin(replace(console, kept=kept), house)
            case menu.OpenGame(number):
                return self._library.open(console, number)
            case menu.NamePlayer(seat, name):
                return self._library.name_player(console, seat, name)
            case menu.Remember(settings):
                self._library.remember(settings)
                if settings.language is not None:
                    set_language(settings.language)
                    console = replace(console, settings=console.settings.with_spoken_names())
            case menu.SetBrightness(level) if devices.dim is not None:
                devices.dim(level)
            case menu.StoreLayout(layout) if devices.layouts is not None:
                return _store_layout(console, layout, devices.layouts)
            case menu.ShowAbout():
                return self._show_about(console)
            case menu.AnswerDice() | menu.JudgeFace():
                return self._learn_about_dice(console, request)
            case menu.UseStick(word):
                return self._use_stick(console, word)
            case menu.Calibrate():
                return self._begin_calibration(console)
        return console

    def _show_about(self, console: Console) -> Console:
        environment = self._environment
        if environment.health is None:
            return console
        network, about = environment.network(), environment.health()
        equipment = replace(console.equipment, network=network, about=about)
        return replace(console, equipment=equipment)

    def _learn_about_dice(
        self, console: Console, request: menu.AnswerDice | menu.JudgeFace
    ) -> Console:
        tray = self._tray
        match request:
            case menu.AnswerDice(new) if tray.answer_dice is not None:
                tray.answer_dice(new)
            case menu.JudgeFace(reading, face) if tray.judge_face is not None:
                return with_verdict(console, face, tray.judge_face(reading, face))
        return console

    def _use_stick(self, console: Console, word: str) -> Console:
        if self._devices.stick is None:
            return console
        try:
            self._devices.stick.ask(word)
        except ApplianceError as error:
            log.warning("%s", error)
            return with_refusal(console, word, "NOT DONE")
        pages = (word, "PLEASE WAIT"), ("LEAVE THE", "STICK IN")
        return replace(console, notice=Notice(pages))

    def _begin_calibration(self, console: Console) -> Console:
        if self._tray.calibrate is None:
            return console
        try:
            self._watch.activity = self._tray.calibrate()
        except ApplianceError as error:
            log.warning("calibration does not start: %s", error)
            return with_refusal(console, "CALIBRATE", "NOT POSSIBLE")
        return console

    def shut_down(self, console: Console) -> tuple[Console, bool]:
        """Begins to shut down; returns the console, and whether this is the end."""
        try:
            if self._devices.power is not None:
                self._devices.power.off()
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
