"""A game on a page that fails: it is said, the page's stream ends, and the game is kept."""

import json
import os
import re
from contextlib import closing
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NoReturn
from unittest.mock import patch

import pytest

from appliance.cli.program import program
from appliance.cli.shared.failing import EXIT_SOFTWARE
from appliance.journal.journal import Journal
from appliance.journal.origin import Origin
from appliance.simulator.appliance import SimulatedAppliance
from tests.appliance.web.test_page import Browser
from tests.rigs.warm import Warm

PLACES = {
    "thinking": "games.strategy.advice.hint",
    "working": "appliance.service.background.Background.work",
    "drawing": "appliance.web.page.BrowserPage.draw",
}
"""What fails, by what the program is doing meanwhile."""
ERRORS = {"mistake": ZeroDivisionError(), "end": StopIteration(), "exit": SystemExit(0)}


def failing_program() -> NoReturn:
    """The program, a part of which fails once somebody has asked for a hint."""
    place, kind = os.environ["FAILS"].split()
    asked = list[str]()
    obey, works = SimulatedAppliance.obey, resolve_name(PLACES[place])

    def noting(self: SimulatedAppliance, actions: list[str], seen: int | None = None) -> bool:
        asked.extend(actions)
        return obey(self, actions, seen)

    def failing(*args: Any, **options: Any) -> Any:
        if "hint" in asked:
            raise ERRORS[kind]
        return works(*args, **options)

    with patch.object(SimulatedAppliance, "obey", noting), patch(PLACES[place], failing):
        program()


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared, so that the simulated tray is learnt only once."""
    return tmp_path_factory.mktemp("state")


@pytest.mark.parametrize(
    ("place", "kind"),
    [*((place, "mistake") for place in PLACES), ("thinking", "end"), ("thinking", "exit")],
)
def test_what_ends_a_game_is_said_and_its_page_does_not_look_alive(
    place: str, kind: str, state: Path, tmp_path: Path
) -> None:
    games = tmp_path / "games"
    words = ("play", "--browser", "--no-open", "--human", "--game", "yatzy", "--players", "ANNA")
    quick = ("--speed", "0", "--picture", "small", "--journal", str(games))
    environment = {**os.environ, "XDG_STATE_HOME": str(state), "FAILS": f"{place} {kind}"}
    with Warm((*words, *quick), environment, function=f"{__name__}:failing_program") as process:
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/#\S+", process.stdout.readline())
        assert address
        browser = Browser(address[0])
        answer, of_kind = browser.told("/events")
        with closing(answer):
            while not dice_lie(view := json.loads(of_kind("view"))):
                if "SPACE" in view["guidance"]["line"] and not view["thrown"]:
                    assert browser.status("POST", "/press", "throw") == 204
            assert browser.status("POST", "/press", "hint") == 204
            # The page has no stream any more, which it says.
            answer.read()
        _, complaints = process.communicate(120)
    assert process.returncode == EXIT_SOFTWARE
    assert "dicetray: internal error" in complaints
    assert "Your games are saved." in complaints
    with Journal(games, origin=Origin.KEYBOARD) as journal:
        saved = journal.last()
    assert saved is not None
    assert len(saved.lines) == 1


def dice_lie(view: dict[str, Any]) -> bool:
    """True once a throw was read."""
    table: dict[str, Any] = view.get("table") or {"dice": [{"face": None}]}
    return all(die["face"] is not None for die in table["dice"])
