"""Asks how the scoreboard's modules are mounted: once for each board that has nothing stored."""

from dataclasses import replace

from appliance.devices.flash.layouts import LAYOUTS, name_of, wiring_of
from appliance.devices.scoreboard import Hello, LayoutFrom, Scoreboard
from appliance.devices.scoreboard.serial_port import check_layout_can_be_stored
from appliance.service.ports import Layouts
from appliance.service.saved_console import SavedConsole
from appliance.service.tray_watch import TrayWatch
from appliance.table.menu.board_modules import BoardModules
from appliance.table.menu.console import Console
from appliance.table.menu.main_menu import Menu
from appliance.table.menu.modules import ask_for_layout, layout_on_trial

OLD_FIRMWARE_PAGES = (("FIRMWARE", "TOO OLD"), ("ON THE PI:", "DICETRAY FLASH"))
OWN_FILE_PAGES = (("SET IN THE", "PICO'S FILE"), ("ON THE PI:", "DICETRAY FLASH"))


class BoardLayouts:
    """The layouts of a scoreboard, by their names."""

    def __init__(self, board: Scoreboard) -> None:
        self._board = board
        self._hello: Hello | None = None
        self._modules = BoardModules()

    def look(self) -> BoardModules | None:
        """The modules as the board describes them; None while it is not linked."""
        status = self._board.status
        hello = status.hello
        if not status.connected or hello is None:
            return None
        if hello is not self._hello:
            self._hello, self._modules = hello, _modules_of(hello)
        return self._modules

    def check_can_be_stored(self) -> None:
        """ScoreboardError if the board would not store a layout, and why."""
        check_layout_can_be_stored(self._board.status)

    def try_layout(self, name: str | None) -> None:
        """Draws pictures for this layout from now on; None for the board's own."""
        self._board.try_layout(None if name is None else LAYOUTS[name].code())

    def store(self, name: str) -> None:
        """Makes it the board's own; ScoreboardError if that fails."""
        self._board.store_layout(LAYOUTS[name].code())


def _modules_of(hello: Hello) -> BoardModules:
    wiring = wiring_of(hello.layout)
    trouble: tuple[tuple[str, str], ...] = ()
    if hello.layout_from is None:
        trouble = OLD_FIRMWARE_PAGES
    elif hello.layout_from is LayoutFrom.OWN:
        trouble = OWN_FILE_PAGES
    return BoardModules(
        hello.unique_id,
        tuple(LAYOUTS),
        "" if wiring is None else name_of(wiring),
        hello.layout_from is not LayoutFrom.DEFAULT,
        trouble,
    )


class ModuleWatch:
    """Keeps the console's knowledge of the board's modules, and the board's of the page.

    Args:
        layouts: those of the scoreboard; None where there is none.
    """

    def __init__(self, saved: SavedConsole, tray: TrayWatch, layouts: Layouts | None) -> None:
        self._saved = saved
        self._tray = tray
        self._layouts = layouts
        self._asked = set[str]()
        self._tried: str | None = None

    def work(self) -> None:
        """Takes note of what the board says, and asks about a board without a choice, once."""
        modules = None if self._layouts is None else self._layouts.look()
        if modules is None:
            return
        saved = self._saved
        if modules != saved.console.equipment.modules:
            equipment = replace(saved.console.equipment, modules=modules)
            saved.console = replace(saved.console, equipment=equipment)
        page = saved.console.page
        interrupts = self._tray.activity is not None or not isinstance(page, Menu | None)
        if not modules.chosen and modules.board not in self._asked and not interrupts:
            self._asked.add(modules.board)
            saved.console = ask_for_layout(saved.console)

    def follow(self, console: Console) -> None:
        """Makes the board try what the page shows; to be called before that is drawn."""
        trial = None if self._tray.activity is not None else layout_on_trial(console)
        if self._layouts is not None and trial != self._tried:
            self._tried = trial
            self._layouts.try_layout(trial)
