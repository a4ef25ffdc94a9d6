"""The page in a real browser: whole games by clicks, and everything that may go wrong."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from appliance import words
from appliance.guidance import guidance
from appliance.picture import Picture
from appliance.service.view import DieView, View
from appliance.simulator.people.at_keys import TRAY_IS_BUSY
from appliance.terminal.keyboard import KEY_HELP
from appliance.web.page import BrowserPage
from appliance.words import Label, say, write
from tests.appliance.web.program import running
from tests.rigs.browser import (
    IN_BROWSER,
    PATIENCE_MS,
    PHONE,
    chromium,
    language,
    line,
    tab,
    violations,
    when,
)
from tests.rigs.warm import Warm

__all__ = ("chromium", "language", "tab")

pytestmark = [*IN_BROWSER]


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared, so that the simulated tray is learnt only once."""
    return tmp_path_factory.mktemp("state")


@contextmanager
def served(state: Path, *args: str) -> Iterator[tuple[str, Warm]]:
    """The program, and its page's address, until the end of the block."""
    command = ("play", "--browser", "--no-open", "--speed", "0", "--picture", "small")
    with running(state, *command, "--seed", "5", *args) as served:
        yield served


def game(name: str, *players: str, language: str) -> tuple[str, ...]:
    spoken = ("--language", language)
    return ("--human", "--game", name, "--players", *players, "--new", *spoken)


def opened(tab: Any, address: str) -> str:
    """The line of a page that was opened, once it speaks as the program does."""
    tab.goto(address)
    # Without its first picture the tray does not have its size yet.
    drawn = "document.querySelector('#tray').style.getPropertyValue('--ratio')"
    return when(tab, f"now && {drawn} && document.documentElement.lang === {words.spoken.code!r}")


KEEP_ALL_LINES = """() => {
    if (window.lines) return;
    window.lines = [];
    const line = document.querySelector("#line");
    const keep = () => window.lines.push(line.textContent);
    new MutationObserver(keep).observe(line, { childList: true });
}"""


def after(tab: Any, act: Callable[[], object]) -> str:
    """The line after something was done, repeated if a hand was still in the tray.

    All lines are kept: as fast as possible, the one that says so is soon gone again.
    """
    before = line(tab)
    tab.evaluate(KEEP_ALL_LINES)
    while True:
        seen = tab.evaluate("window.lines.length")
        act()
        tab.wait_for_function(
            """([seen, before, busy]) => {
                const lines = window.lines.slice(seen), now = lines.at(-1);
                const rolls = (line) => busy.some((one) => line.startsWith(one));
                return now && !rolls(now) && (now !== before || lines.some(rolls));
            }""",
            arg=[seen, before, [say(TRAY_IS_BUSY), say("The dice are thrown …")]],
        )
        now = line(tab)
        if now != before:
            return now


def key(text: str, **values: object) -> str:
    """A key and what it does, as the line says it."""
    return say(text, **values).replace("|", " ")


def without_news(tab: Any) -> str:
    """The line once no news stand over the question: a press only takes them away."""
    return when(tab, f"!now.endsWith({key('ENTER|continues')!r})")


def can(tab: Any, action: str) -> bool:
    """True if there is a button for it in the line that says what can be done."""
    return bool(tab.locator(f"#can button[data-action='{action}']").count())


def click(tab: Any, action: str) -> str:
    return after(tab, lambda: tab.click(f"#can button[data-action='{action}']:not(.fresh)"))


def test_a_whole_game_of_classic_by_clicks(tab: Any, state: Path, language: str) -> None:
    with served(state, *game("classic", "ANNA", language=language)) as (address, _):
        now, clicked = opened(tab, address), 0
        throws = key("SPACE|throws {dice}", dice=say("{count} dice", count=5))
        assert now == f"ANNA: {throws}"
        # One action comes first, in words; nothing that is not possible has a button in sight.
        assert tab.inner_text("#primary span") == say(
            "Roll {dice}", dice=say("{count} dice", count=5)
        )
        assert tab.locator("#can button:visible").count() == 1
        assert tab.is_visible("#menu")
        # There are five dice, and so is the number of buttons that hold one.
        assert tab.is_hidden("#holds button[data-action='holdp']")
        # The names of the hardware's buttons are in a drawer.
        tray_buttons = [
            f"#buttons [data-action={name}]" for name in ("hold1", "left", "ok", "hint")
        ]
        assert not any(tab.is_visible(button) for button in tray_buttons)
        tab.click("#buttons-name")
        for button in tray_buttons:
            tab.wait_for_selector(button, state="visible")
        assert violations(tab) == []
        tab.click("#buttons-name")
        assert violations(tab) == []
        assert "#" not in tab.url, "the token is not left in the history"
        while say("The game is over") not in now:
            assert clicked < 150, now
            # The first roll of each turn is scored, and whatever is asked about is accepted.
            click(tab, "ok" if can(tab, "ok") else "throw")
            now = without_news(tab)
            clicked += 1
        cells = tab.locator("#sheets tr:not(.goal) td:last-child").all_inner_texts()
        points = [int(cell) for cell in cells]
        assert len(points) == 14
        assert points[0] >= sum(points[1:])
        won = say("The game is over. {name} has won.", name="ANNA")
        assert tab.inner_text("#won") == won
        tab.click("#ask-review")
        tab.wait_for_selector("#review h3")
        assert tab.inner_text("#review h3") == f"ANNA: {say('{points} points', points=points[0])}"
        assert tab.locator("#review .die").count() % 5 == 0
        assert violations(tab) == []
        assert clicked >= 26


def test_a_turn_of_classic_by_all_means_and_the_program_ended_and_back(
    tab: Any, state: Path, chromium: Any, language: str
) -> None:
    rolls_again = key("SPACE|rolls again")
    with served(state, *game("classic", "ANNA", language=language)) as (address, process):
        opened(tab, address)
        sent = list[str]()
        tab.on("request", lambda request: sent.append(request.post_data or ""))
        box = tab.locator("#tray").bounding_box()

        def drag() -> None:
            tab.mouse.move(box["x"] + 50, box["y"] + 200)
            tab.mouse.down()
            tab.mouse.move(box["x"] + 300, box["y"] + 100, steps=3)
            tab.mouse.up()

        assert rolls_again in after(tab, drag)

        def hold_down() -> None:
            for _ in range(4):
                tab.keyboard.down("1")
            tab.keyboard.up("1")

        assert key("1-{count}|hold (now {kept})", count=5, kept="1") in after(tab, hold_down)
        assert sent.count("hold1") == 1, "a key held down counts once"
        now = after(tab, lambda: tab.click("#holds button >> nth=1"))
        assert key("1-{count}|hold (now {kept})", count=5, kept="1 2") in now
        assert tab.get_attribute("#holds button >> nth=1", "aria-pressed") == "true"
        other = chromium.new_page(viewport=PHONE)
        assert opened(other, address) == now
        assert other.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        other.close()
        tab.reload()
        assert when(tab, "now") == now
        click(tab, "ok")
        click(tab, "ok")
        without_news(tab)
        assert can(tab, "throw")
        asked = click(tab, "long:back")
        assert key("← →|earlier or later") in asked
        assert rolls_again in click(tab, "ok")
        process.kill()
        gone = "The program has stopped or is restarting. This page will reconnect."
        tab.wait_for_selector(f"#link:has-text('{say(gone)}')")
    with served(state, "--human", "--language", language) as (again, _):
        assert again == address
        tab.wait_for_selector("#link", state="hidden")
        when(tab, f"now.includes({rolls_again!r})")
        tab.emulate_media(color_scheme="dark")
        tab.click("#help")
        assert say("SPACE  throw") in tab.inner_text("#keys pre")
        assert violations(tab) == []


def until_offered(tab: Any) -> None:
    """Throws until the sheet shows what the dice would give."""
    while True:
        offered = tab.wait_for_function(
            """() => {
                if (document.querySelector("#side .offer:enabled")) return "yes";
                const has = (one) => document.querySelector(`#can [data-action='${one}']`);
                const does = ["throw", "ok"].find(has);
                return document.body.classList.contains("busy") ? null : does;
            }"""
        ).json_value()
        if offered == "yes":
            return
        click(tab, offered)


def test_the_sheet_is_where_one_plays(tab: Any, state: Path, language: str) -> None:
    with served(state, *game("classic", "ANNA", "BEN", language=language)) as (address, _):
        opened(tab, address)
        until_offered(tab)
        total = tab.locator("#sheets .total td")
        turn = tab.locator("#sheets thead .turn >> nth=0").inner_text()
        seat = 0 if "ANNA" in turn else 1
        assert say("playing now") in turn
        # Every open box shows what it would give.
        offers = "document.querySelectorAll('#sheets tbody .offer:enabled')"
        tab.wait_for_function(f"() => {offers}.length === 13")
        assert "0/63" not in tab.inner_text("#sheets")
        assert tab.locator("#sheets .goal meter").count() == 2
        assert violations(tab) == []
        best = tab.locator("#sheets .offer:not(.zero) >> nth=-1")
        points = best.inner_text().removeprefix("+")
        assert say("worth {points}", points=points) in best.get_attribute("aria-label")
        # A zero asks, and can be left.
        zeros = tab.locator("#sheets .offer.zero")
        if zeros.count():
            zeros.first.click()
            tab.wait_for_selector("#sheets .really")
            assert violations(tab) == []
            tab.click("#sheets .really [data-act=back]")
            tab.wait_for_selector("#sheets .really", state="detached")
            assert total.nth(seat).inner_text() == "0"
        # A list that was looked at has new numbers: a beginner's best comes first.
        pick = best.get_attribute("data-pick")
        best.click()
        tab.wait_for_selector(f"#sheets .total td:nth-child({seat + 2}):text-is('{points}')")
        leads = say("leads by {points}", points=points)
        assert leads in tab.inner_text(f"#sheets thead th:nth-child({seat + 2})")
        # What was clicked a moment ago counts no more.
        status = """(pick) => fetch("/press", {method: "POST", body: pick,
            headers: {"X-Token": sessionStorage.token}}).then((answer) => answer.status)"""
        assert tab.evaluate(status, pick) == 204
        until_offered(tab)
        assert total.all_inner_texts()[1 - seat] == "0"
        assert tab.evaluate("document.querySelector('#board').open")
        tab.click("#board summary")
        # The browser tells of it a moment after the click.
        tab.wait_for_function("() => localStorage.board === 'folded'")
        tab.reload()
        opened(tab, address)
        assert not tab.evaluate("document.querySelector('#board').open")


def test_a_phone_keeps_whoever_is_on_turn_and_the_buttons_in_view(
    tab: Any, state: Path, language: str
) -> None:
    names = ("MAXIMILIANUS", "ANNA-KATHRIN", "BARTHOLOMÄUS", "WILHELMINA B", "CHRIS", "EVA")
    with served(state, *game("classic", *names, language=language)) as (address, _):
        opened(tab, address)
        tab.set_viewport_size(PHONE)
        tab.wait_for_function(
            """() => {
                const box = document.querySelector("#sheets").getBoundingClientRect();
                const column = document.querySelector("#sheets th.turn").getBoundingClientRect();
                return column.left >= box.left && column.right <= box.right + 1;
            }"""
        )
        buttons = tab.locator("#primary").bounding_box()
        assert buttons["y"] + buttons["height"] <= PHONE["height"]
        assert tab.is_hidden("#naming")
        assert violations(tab) == []


def test_power_has_a_row_for_each_kind_and_fits_on_a_phone(
    tab: Any, state: Path, language: str
) -> None:
    with served(state, *game("power", "ANNA", "BEN", language=language)) as (address, _):
        tab.set_viewport_size(PHONE)
        opened(tab, address)
        until_offered(tab)
        names = tab.locator("#sheets tbody th").all_inner_texts()
        assert len(names) == 15 + 1
        assert names.count(write(Label("choice"))) == 1
        sheet = tab.locator("#sheets").bounding_box()
        assert sheet["y"] + sheet["height"] <= PHONE["height"]
        # What may be chosen for a number stands in its row, and nowhere else.
        assert tab.locator("#acts .offer").count() == 0
        assert violations(tab) == []


def test_a_hint_marks_what_to_hold_until_all_of_it_is_held(
    tab: Any, state: Path, language: str
) -> None:
    with served(state, *game("classic", "ANNA", language=language)) as (address, _):
        opened(tab, address)
        until_offered(tab)
        rounds = say("Round {n} of {rounds}", n=1, rounds=13)
        assert f"{rounds}, {say('roll {roll} of {rolls}', roll=1, rolls=3)}" == tab.inner_text(
            "#roll"
        )
        tab.keyboard.press("h")
        tab.wait_for_selector(".best")
        # Which dice these are, the seed decides: some are to be held, some to be thrown.
        wanted = tab.locator("#holds .best").count()
        assert 0 < wanted < 5
        for held in range(1, wanted + 1):
            tab.locator("#holds .best:not([aria-pressed=true])").first.click()
            tab.wait_for_function(
                f"() => document.querySelectorAll('#holds [aria-pressed=true]').length === {held}"
            )
            assert tab.locator("#holds .best").count() == wanted
        assert tab.locator("#primary.best[data-action=throw]").count() == 1
        assert violations(tab) == []


@pytest.mark.parametrize("name", ["showdown", "free-for-all", "holdem"])
def test_the_table_is_drawn_and_played_on(tab: Any, state: Path, name: str, language: str) -> None:
    with served(state, *game(name, "ANNA", "BEN", language=language)) as (address, _):
        opened(tab, address)
        until_offered(tab)
        assert tab.is_visible("#felt")
        drawn = {"showdown": (".ring > .place", 16), "free-for-all": (".home", 2)}
        where, count = drawn.get(name, (".common .die", 5))
        assert tab.locator(f"#felt {where}").count() == count
        assert "C1" not in tab.inner_text("#felt")
        assert violations(tab) == []
        before = tab.locator("#side .offer:enabled").first.get_attribute("data-pick")
        tab.locator("#side .offer:enabled").first.click()
        if tab.locator(".really").count():
            tab.locator(".really button").first.click()
        tab.wait_for_selector(f"[data-pick='{before}']", state="detached")
        for size in (PHONE, {"width": 844, "height": 390}, {"width": 820, "height": 1180}):
            tab.set_viewport_size(size)
            wide = tab.evaluate("document.documentElement.scrollWidth")
            assert wide <= size["width"]


def throw_heard(tab: Any, count: int) -> str:
    """The words said of a throw, the `count`th of all; thrown again if a hand was in the tray."""
    tab.evaluate(KEEP_ALL_LINES)
    while True:
        # Refused twice, the line would say the same, and no other would follow.
        when(tab, f"now !== {say(TRAY_IS_BUSY)!r}")
        seen = tab.evaluate("window.lines.length")
        tab.keyboard.press("Space")
        said = tab.wait_for_function(
            """([seen, count, busy]) => {
                const said = document.querySelectorAll("#heard p")[count - 1];
                return said?.textContent ?? (window.lines.slice(seen).includes(busy) ? " " : null);
            }""",
            arg=[seen, count, say(TRAY_IS_BUSY)],
        ).json_value()
        if said != " ":
            return str(said)


def test_dice_choice_and_points_of_a_turn_are_said(tab: Any, state: Path, language: str) -> None:
    with served(state, *game("classic", "ANNA", language=language)) as (address, _):
        opened(tab, address)
        assert tab.locator("#heard p").count() == 0
        before = say("Dice in the tray: {dice}").partition("{")[0]
        for count in (1, 2):
            said = throw_heard(tab, count)
            assert said.startswith(before)
            lying = tab.get_attribute("#tray", "aria-label").removeprefix(before).split(", ")
            # What is held already is not said of a throw.
            faces = [die.partition(": ")[2].removesuffix(f" {say('held')}") for die in lying]
            assert said.removeprefix(before).removesuffix(".").split(", ") == faces
            assert len(faces) == 5
        click(tab, "ok")
        click(tab, "ok")
        tab.wait_for_selector("#heard p >> nth=2")
        total = tab.locator("#sheets .total td").first.inner_text()
        scored = tab.locator("#heard p >> nth=2").inner_text()
        assert scored.startswith("ANNA: ")
        assert scored.endswith(say("{player} has {total}.", player="ANNA", total=total))
        assert tab.locator("#heard p").count() == 3
        assert violations(tab) == []


def test_no_single_key_leaves_the_game_and_letters_can_be_switched_off(
    tab: Any, state: Path, language: str
) -> None:
    with served(state, *game("classic", "ANNA", language=language)) as (address, _):
        opened(tab, address)
        sent = list[str]()
        tab.on("request", lambda request: sent.append(request.post_data or ""))
        tab.keyboard.press("q")
        assert tab.is_visible(f"#leaving:has-text('{say('Stop here? The game is kept.')}')")
        assert violations(tab) == []
        # Whoever meant another key stays.
        tab.keyboard.press("Enter")
        tab.wait_for_selector("#leaving", state="hidden")
        tab.click("#help")
        tab.click("#letters")
        assert tab.get_attribute("#letters", "aria-pressed") == "false"
        tab.keyboard.press("Escape")
        for key in "1bq":
            tab.keyboard.press(key)
        assert tab.is_hidden("#leaving")
        # On a button with the focus, SPACE is that button's.
        tab.evaluate("document.activeElement.blur()")
        throw_heard(tab, 1)
        assert {"throw"} <= set(sent) <= {"throw", ""}
        tab.reload()
        opened(tab, address)
        assert tab.evaluate("localStorage.letters") == "off"
        tab.click("#help")
        tab.click("#letters")
        tab.keyboard.press("Escape")
        tab.keyboard.press("q")
        tab.click("#leaving [value=leave]")
        tab.wait_for_selector("#choices button:enabled")


def test_a_hand_of_holdem_whose_own_dice_are_shown_while_a_button_is_held(
    tab: Any, state: Path, language: str
) -> None:
    pays_out = key("ENTER|pays out the pot")
    with served(state, *game("holdem", "ANNA", "BEN", language=language)) as (address, _):
        looked = False
        opened(tab, address)
        chips = tab.locator("#sheets tr >> nth=1")
        for _ in range(40):
            now = without_news(tab)
            if pays_out in now:
                break
            if key("p|shows your own dice") in now and not looked:
                alone = "For {player} alone: {one} and {two}."
                player = now.partition(":")[0]
                secret = say(alone, player=player, one="|", two="|").partition("|")[0]
                tab.hover("#can button[data-action='peek']")
                tab.mouse.down()
                tab.wait_for_selector(f"#own:has-text('{secret.strip()}')")
                assert secret not in line(tab)
                tab.mouse.up()
                tab.wait_for_selector("#own", state="hidden")
                now, looked = when(tab, f"now.includes({key('← →|show others')!r})"), True
            if write(Label("check")) in now:
                # If everybody checks, the flop is thrown again, as often as that happens.
                click(tab, "right")
            click(tab, next(does for does in ("show", "throw", "ok") if can(tab, does)))
        assert looked
        assert pays_out in now
        before = chips.inner_text()
        click(tab, "ok")
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


def test_a_browser_that_opens_the_private_file_comes_to_the_page(tab: Any, tmp_path: Path) -> None:
    with closing(BrowserPage(tmp_path / "browser")) as page:
        url = page.write_redirect(tmp_path)
        page.draw(View(None, np.full((90, 160, 3), 99, np.uint8), (), guidance("ANNA")))
        tab.goto(url, wait_until="commit")
        # What it shows came by the stream, for which it has sent the token.
        tab.wait_for_selector("#table:not([hidden])")
        assert tab.url == page.address.partition("#")[0]
        assert not Path(url.removeprefix("file://")).exists()


def test_names_are_typed_into_a_field_and_a_throw_is_heard_at_once(
    tab: Any, tmp_path: Path, language: str
) -> None:
    with closing(BrowserPage(tmp_path / "browser")) as page:
        asks = guidance("ANNA", "SPACE|throws {dice}", dice="5")
        view = View(Picture(bytes(128)), np.full((90, 160, 3), 99, np.uint8), (), asks)
        # With these keys the dice are simulated.
        page.help = KEY_HELP
        page.draw(view)
        tab.goto(page.address)
        tab.wait_for_selector("#can button")
        assert tab.is_hidden("#naming")
        assert tab.is_hidden("#sent")
        # The sign does not wait for an answer: none comes here.
        tab.click("#can button[data-action=throw]:not(.fresh)")
        assert tab.inner_text("#sent") == say("The dice are thrown …")
        assert page.pause(10)
        assert page.poll() == ["throw"]
        page.draw(replace(view, typing=True))
        tab.wait_for_selector("#naming:not([hidden])")
        assert tab.evaluate("document.activeElement.id") == "name"
        # In the field every key is a letter.
        tab.keyboard.type("lena b")
        tab.keyboard.press("Enter")
        got = list[str]()
        while len(got) < 2:
            assert page.pause(10)
            got += page.poll()
        assert got == ["typed:lena b", "ok"]
        assert violations(tab) == []


def test_a_finger_that_scrolls_throws_nothing_and_points_at_nothing(
    chromium: Any, tmp_path: Path
) -> None:
    """A swipe over the tray threw the dice, with nothing held."""
    with closing(BrowserPage(tmp_path / "browser")) as page:
        can = guidance("ANNA", "1-{count}|hold", "SPACE|rolls again", count=5)
        corners = np.array(((0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)))
        lying = DieView(2, "5", True, False, np.zeros((64, 64, 3), np.uint8), corners)
        picture = np.full((360, 640, 3), 99, np.uint8)
        view = View(Picture(bytes(128)), picture, (lying,), can, still=True)
        page.help = KEY_HELP
        page.draw(view)
        phone = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
        tab = phone.new_page()
        tab.set_default_timeout(PATIENCE_MS)
        tab.goto(page.address)
        tab.wait_for_function("() => document.querySelector('#tray').style.cssText")
        tab.evaluate("document.body.style.paddingBottom = '1600px'")
        finger = phone.new_cdp_session(tab)

        def touch(kind: str, *places: tuple[float, float]) -> None:
            points = [{"x": x, "y": y} for x, y in places]
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        def swipe(from_x: float, from_y: float, to_x: float, to_y: float) -> list[str]:
            touch("touchStart", (from_x, from_y))
            for share in np.linspace(0, 1, 12):
                x, y = (1 - share) * from_x + share * to_x, (1 - share) * from_y + share * to_y
                touch("touchMove", (x, y))
            touch("touchEnd")
            # What it might send would have come before this.
            assert (
                tab.evaluate(
                    """() => fetch("/press", {method: "POST", body: "typed:z",
                headers: {"X-Token": sessionStorage.token}}).then((answer) => answer.status)"""
                )
                == 204
            )
            scrolled.append(tab.evaluate("scrollY"))
            tab.evaluate("scrollTo(0, 0)")
            return page.poll()

        scrolled = list[float]()
        swipes = ((195, 190, 195, 60), (195, 60, 195, 190), (60, 100, 330, 104), (330, 80, 60, 190))
        for pointing in (False, True):
            page.draw(replace(view, pointing=pointing))
            tab.wait_for_selector("#tray.points" if pointing else "#tray:not(.points)")
            for line in swipes:
                assert swipe(*line) == ["typed:z"]
        assert any(scrolled)
        box = tab.locator("#tray").bounding_box()
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        tab.touchscreen.tap(*middle)
        assert page.pause(10)
        assert page.poll()[0].startswith("point:0.5")
        # A tap holds a die, and on Throw it throws.
        page.draw(view)
        tab.wait_for_selector("#tray:not(.points)")
        tab.touchscreen.tap(*middle)
        assert page.pause(10)
        assert page.poll() == ["hold2"]
        tab.tap("#can [data-action=throw]:not(.fresh)")
        assert page.pause(10)
        assert page.poll() == ["throw"]
        phone.close()
