"""The page in a real browser: whole games by clicks, and everything that may go wrong."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.appliance.web.program import running

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
playwright = pytest.importorskip("playwright.sync_api", reason="skipped: no Playwright here")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="skipped: no axe here")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="skipped: no Chromium here"),
]
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        # Chromium's own sandbox needs privileges that a container often lacks.
        yield driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


@pytest.fixture
def tab(chromium: Any) -> Iterator[Any]:
    tab = chromium.new_page(viewport={"width": 1280, "height": 800})
    tab.set_default_timeout(20_000)
    errors = list[str]()
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    tab.close()
    assert errors == []


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared, so that the simulated tray is learnt only once."""
    return tmp_path_factory.mktemp("state")


@contextmanager
def served(state: Path, *args: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """The program, and its page's address, until the end of the block."""
    command = ("play", "--browser", "--no-open", "--speed", "0", "--picture", "small")
    with running(state, *command, "--seed", "5", *args) as served:
        yield served


def game(name: str, *players: str) -> tuple[str, ...]:
    return ("--human", "--game", name, "--players", *players, "--new")


def line(tab: Any) -> str:
    return str(tab.inner_text("#line"))


def when(tab: Any, wanted: str) -> str:
    """The line that says what can be done, once it is as `wanted`, a condition on `now`."""
    tab.wait_for_function(
        f"() => {{ const now = document.querySelector('#line').textContent; return {wanted}; }}"
    )
    return line(tab)


def after(tab: Any, act: Callable[[], object]) -> str:
    """The line after something was done, repeated if a hand was still in the tray."""
    before = line(tab)
    while True:
        act()
        now = when(tab, f"now && now !== {before!r}")
        if "still rolling" in now:
            now = when(tab, "!now.includes('still rolling')")
        if now != before:
            return now


def click(tab: Any, does: str) -> str:
    return after(tab, lambda: tab.click(f"#can button:has-text('{does}')"))


def violations(tab: Any) -> list[str]:
    found = axe.Axe().run(tab).response["violations"]
    return [f"{one['id']}: {[node['html'] for node in one['nodes']]}" for one in found]


def test_a_whole_game_of_classic_by_clicks(tab: Any, state: Path) -> None:
    with served(state, *game("classic", "ANNA")) as (address, _):
        tab.goto(address)
        now, clicked = when(tab, "now"), 0
        assert now == "ANNA: SPACE throws 5 dice"
        assert violations(tab) == []
        assert "#" not in tab.url, "the token is not left in the history"
        while "The game is over" not in now:
            assert clicked < 150, now
            # The first roll of each turn is scored, and whatever is asked about is accepted.
            choices = ("scores", "chooses", "throws", "yes", "continues")
            now = click(tab, next(does for does in choices if does in now))
            clicked += 1
        rows = tab.locator("#sheets tr").all_inner_texts()
        points = [int(row.split("\t")[1]) for row in rows[1:]]
        assert len(points) == 14
        assert points[0] >= sum(points[1:])
        assert clicked >= 26


def test_a_turn_of_classic_by_all_means_and_the_program_ended_and_back(
    tab: Any, state: Path, chromium: Any
) -> None:
    with served(state, *game("classic", "ANNA")) as (address, process):
        tab.goto(address)
        sent = list[str]()
        tab.on("request", lambda request: sent.append(request.post_data or ""))
        when(tab, "now")
        box = tab.locator("#tray").bounding_box()

        def drag() -> None:
            tab.mouse.move(box["x"] + 50, box["y"] + 200)
            tab.mouse.down()
            tab.mouse.move(box["x"] + 300, box["y"] + 100, steps=3)
            tab.mouse.up()

        assert "SPACE rolls again" in after(tab, drag)

        def hold_down() -> None:
            for _ in range(4):
                tab.keyboard.down("1")
            tab.keyboard.up("1")

        assert "(now 1)" in after(tab, hold_down)
        assert sent.count("hold1") == 1, "a key held down counts once"
        now = after(tab, lambda: tab.click("#holds button >> nth=1"))
        assert "(now 1 2)" in now
        assert tab.get_attribute("#holds button >> nth=1", "aria-pressed") == "true"
        other = chromium.new_page(viewport=PHONE)
        other.goto(address)
        assert when(other, "now") == now
        assert other.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        other.close()
        tab.reload()
        assert when(tab, "now") == now
        click(tab, "scores")
        assert "throws" in click(tab, "chooses")
        assert "Undo " in after(tab, lambda: tab.click("#more button:has-text('Undo')"))
        assert "SPACE rolls again" in click(tab, "yes")
        process.kill()
        tab.wait_for_selector("#link:has-text('has stopped')")
    with served(state, "--human") as (again, _):
        assert again == address
        tab.wait_for_selector("#link", state="hidden")
        when(tab, "now.includes('SPACE rolls again')")
        tab.emulate_media(color_scheme="dark")
        tab.click("#help")
        assert "SPACE" in tab.inner_text("#keys pre")
        assert violations(tab) == []


def test_a_hand_of_holdem_whose_own_dice_are_shown_while_a_button_is_held(
    tab: Any, state: Path
) -> None:
    with served(state, *game("holdem", "ANNA", "BEN")) as (address, _):
        tab.goto(address)
        now, looked = when(tab, "now"), False
        chips = tab.locator("#sheets tr >> nth=1")
        for _ in range(40):
            if "pays out" in now:
                break
            if "shows your own dice" in now and not looked:
                tab.hover("#more button:has-text('Own dice')")
                tab.mouse.down()
                tab.wait_for_selector("#own:has-text('alone')")
                assert "alone" not in line(tab)
                tab.mouse.up()
                tab.wait_for_selector("#own", state="hidden")
                now, looked = when(tab, "now.includes('chooses')"), True
            if "CHECK" in now:
                # If everybody checks, the flop is thrown again, as often as that happens.
                now = after(tab, lambda: tab.click("#others button >> nth=1"))
            choices = ("puts", "chooses", "counts", "throws", "yes", "continues")
            now = click(tab, next(does for does in choices if does in now))
        assert looked
        assert "pays out the pot" in now
        before = chips.inner_text()
        click(tab, "pays out")
        assert chips.inner_text() != before


def test_who_has_no_token_or_comes_from_elsewhere_gets_nothing(tab: Any, state: Path) -> None:
    with served(state) as (address, _):
        place = address.split("#")[0]
        tab.goto(f"{place}#wrong")
        tab.wait_for_selector("#link:has-text('no longer valid')")
        assert not tab.is_visible("#asks") and not tab.is_visible("#table")
        # The same machine under another name is another origin.
        tab.goto(place.replace("127.0.0.1", "localhost"))
        press = """([url, headers]) =>
            fetch(url + "press", {method: "POST", headers, body: "watch"})
            .then((answer) => answer.status, () => "refused")"""
        assert tab.evaluate(press, [place, {"X-Token": address.partition("#")[2]}]) == "refused"
        assert tab.evaluate(press, [place, {}]) == "refused"
        tab.goto(address)
        tab.wait_for_selector("#choices button:enabled")
        assert "What would you like to do?" in tab.inner_text("#asks")
        tab.emulate_media(color_scheme="dark")
        assert violations(tab) == []
