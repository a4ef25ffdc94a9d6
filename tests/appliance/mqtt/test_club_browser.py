"""A club's page in a real browser: tables, league, sizes, languages, accessibility."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest

from appliance.config.settings import MqttConfig
from appliance.mqtt import club
from appliance.mqtt.messages import Composer, Message
from appliance.service.snapshot import Story
from appliance.table.session.session import Setup
from appliance.words import ENGLISH, speak
from tests.rigs.played_tables import line, lines, played
from tests.rigs.room import free_port

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
playwright = pytest.importorskip("playwright.sync_api", reason="skipped: no Playwright here")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="skipped: no axe here")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="skipped: no Chromium here"),
]


def messages() -> Iterator[Message]:
    """What three tables publish: one has finished a game, one is playing, one has gone."""
    for number, (game, players) in enumerate(
        (("classic", ("ANNA", "BEN")), ("power", ("CLEO", "DAN")), ("showdown", ("EVE", "FINN")))
    ):
        teller, story = (
            Composer(MqttConfig(tray=f"table-{number + 1}", names=True), lambda: 0.0),
            Story(),
        )
        yield from teller.messages(line("hello", {}))
        steps = list(played(Setup(game, players, (("first", 0),)), 1, Random(3)))
        for session in steps if number == 0 else steps[:30]:
            for told in lines(session, story):
                yield from teller.messages(told)
    yield "dicetray/table-3/available", "offline", 1, True


class Broker:
    """A client whose broker has everything the tables have published."""

    def __init__(self) -> None:
        self.on_message: Callable[..., None] = lambda *_: None
        self.ended, self.waiting = Event(), messages()

    def is_connected(self) -> bool:
        for topic, text, *_ in self.waiting:
            self.on_message(None, None, SimpleNamespace(topic=topic, payload=text.encode()))
        return not self.ended.is_set()

    def enable_logger(self, _: object) -> None:
        pass

    def subscribe(self, *_: object) -> None:
        pass


@pytest.fixture(params=[ENGLISH, "de"])
def address(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    broker, port = Broker(), free_port()
    monkeypatch.setattr(club, "keep_connected", lambda _settings, _make, follow: follow(broker))
    monkeypatch.setattr(club, "TICK_S", 0.05)
    speak(request.param)
    arguments = MqttConfig(), tmp_path / "club.jsonl", "127.0.0.1", port
    served = Thread(target=club.evening, args=arguments)
    served.start()
    yield f"http://127.0.0.1:{port}/"
    broker.ended.set()
    served.join()
    speak(ENGLISH)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        # Its own sandbox needs privileges that a container often lacks.
        yield driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


@pytest.mark.parametrize("width", [390, 1920])
def test_tables_and_league_are_shown_to_everybody(
    chromium: Any, address: str, width: int, request: pytest.FixtureRequest
) -> None:
    german = "[de" in request.node.name or "-de" in request.node.name
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme="dark")
    tab = context.new_page()
    tab.set_default_timeout(20_000)
    tab.goto(address)
    tab.locator("#league td", has_text="ANNA").first.wait_for()
    texts = tab.locator("#tables").inner_text()
    for word in ("ANNA", "CLEO", "EVE"):
        assert word in texts
    said = tab.locator("body").inner_text()
    assert ("Die Tabelle" if german else "The league") in said
    assert ("Das Spiel ist aus." if german else "The game is over.") in said
    assert tab.evaluate("document.documentElement.lang") == ("de" if german else "en")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert [found["id"] for found in axe.Axe().run(tab).response["violations"]] == []
    context.close()
