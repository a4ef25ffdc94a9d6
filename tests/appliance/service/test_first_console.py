"""What the console knows at the start."""

from dataclasses import replace

import pytest

from appliance.journal.journal import Journal
from appliance.journal.library import Library
from appliance.journal.reader import MEMORY
from appliance.service.devices import Tray
from appliance.service.environment import Environment
from appliance.service.first_console import first_console
from appliance.table.menu.settings import Settings
from tests.appliance.table.scripted import ScriptedWatcher


@pytest.mark.parametrize(
    ("able", "chosen", "speaks"),
    [
        (None, True, None),
        (None, None, None),
        (False, None, False),
        (False, True, True),
        (True, False, False),
    ],
)
def test_it_speaks_as_was_chosen_where_it_can(
    able: bool | None, chosen: bool | None, speaks: bool | None
) -> None:
    with Journal(MEMORY) as journal:
        library = Library(journal)
        library.remember(replace(Settings(), voice=chosen))
        console = first_console(None, library, Environment(speaks=able), Tray(ScriptedWatcher()))
    assert console.equipment.speaks is speaks
