"""The menu's choice among the Pi's own cameras: what it offers, and what becomes of it."""

from pathlib import Path

from appliance.devices.camera.connectors import Connectors
from appliance.inputs import Button
from appliance.table.menu.main_menu import MENU_ENTRIES
from appliance.table.menu.preferences import CameraPage
from appliance.table.session.session import Setup
from tests.appliance.service.test_loop import Script
from tests.rigs.at_table import AtTable

SETUP = Setup("classic", ("ANNA", "BEN"), (("first", 0),))


def table_with(connectors: Connectors, path: Path) -> tuple[AtTable, Script]:
    camera = Script([])
    table = AtTable(path / "games", SETUP, connectors=connectors, camera=camera)
    table.wait()
    return table, camera


def offered(table: AtTable) -> bool:
    (entry,) = (entry for entry in MENU_ENTRIES if entry.word == "CAMERA")
    return bool(entry.offered(table.appliance.console))


def choose(table: AtTable, index: int) -> None:
    """Takes a row of the page."""
    table.appliance.console = table.appliance.console.push(CameraPage())
    table.wait()
    table.press(*[Button.RIGHT] * index, Button.OK)
    table.wait()


def test_the_camera_that_is_chosen_is_opened_and_remembered(tmp_path: Path) -> None:
    connectors = Connectors(("imx708", "imx477"))
    table, camera = table_with(connectors, tmp_path)
    assert offered(table)
    assert connectors.chosen == ""
    assert camera.restarts_s == []
    choose(table, 1)
    assert connectors.chosen == "imx477"
    table.wait(5)
    assert len(camera.restarts_s) == 1, "once is enough"
    table.journal.close()
    later = Connectors(("imx708", "imx477"))
    _, camera = table_with(later, tmp_path)
    assert later.chosen == "imx477"
    assert len(camera.restarts_s) == 1


def test_with_one_camera_there_is_nothing_to_choose(tmp_path: Path) -> None:
    connectors = Connectors(("imx708",))
    table, _ = table_with(connectors, tmp_path)
    assert not offered(table)


def test_another_than_the_chosen_one_can_be_chosen(tmp_path: Path) -> None:
    """Else a camera that was taken away would leave nobody a way back but the settings."""
    connectors = Connectors(("imx708", "imx477"))
    table, _ = table_with(connectors, tmp_path)
    choose(table, 1)
    connectors.there = ("imx708",)
    table.wait()
    assert offered(table)
    choose(table, 0)
    assert connectors.chosen == "imx708"
    assert not offered(table)
