"""What may be done now, in a real browser: the first action, questions, taps, one stream."""

import itertools
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from appliance.guidance import GO_BACK, Guidance, guidance
from appliance.picture import Picture
from appliance.service.seen_table import (
    Offer,
    SeenDie,
    SeenEnd,
    SeenGoal,
    SeenQuestion,
    SeenTable,
    SeenUndo,
    seen_table,
)
from appliance.service.view import DieView, SeenSheet, View, sheets_of
from appliance.table.prompts.trouble import FacePrompt
from appliance.table.session.session import Played, Setup, resume
from appliance.terminal.keyboard import KEY_HELP
from appliance.web.page import MAX_WAIT_S, BrowserPage
from appliance.words import Label, say
from games.values import DieKind, Face, Rolled
from tests.rigs.browser import (
    IN_BROWSER,
    PATIENCE_MS,
    chromium,
    language,
    tab,
    violations,
)
from vision.reading import DieState, TrayState

__all__ = ("chromium", "language", "tab")

pytestmark = [*IN_BROWSER]
SQUARE = np.array(((-0.04, -0.06), (0.04, -0.06), (0.04, 0.06), (-0.04, 0.06)))
PLACES = ((0.15, 0.2), (0.5, 0.2), (0.85, 0.2), (0.2, 0.8), (0.8, 0.8))
FACES = (3, 3, 3, 5, 6)
BOXES = (
    *("aces", "twos", "threes", "fours", "fives", "sixes", "three-alike", "four-alike"),
    *("full-house", "small-straight", "large-straight", "five-alike", "chance"),
)
POINTS = (0, 0, 9, 0, 5, 6, 20, 0, 0, 0, 0, 0, 20)
UNDO = SeenUndo("BEN", Label("small-straight"))
TURN = guidance("ANNA", "1-{count}|hold", "SPACE|rolls again", "ENTER|scores", count=5)


def turn(can: Guidance = TURN, **more: object) -> View:
    """A first roll of Classic on the table, with what each box would score."""
    dice = tuple(SeenDie(face, DieKind.RED, held=False) for face in FACES)
    offers = tuple(
        Offer(Label(box), points, "", Label(box), possible=True, asks=not points)
        for box, points in zip(BOXES, POINTS, strict=True)
    )
    table: dict[str, Any] = {"dice": dice, "offers": offers, "roll": 1, "rolls": 3}
    table |= {"turn": 0, "round": 4, "rounds": 13, "undo": UNDO, **more}
    rows = tuple((str(Label(box)), "-") for box in BOXES)
    lying = [
        DieView(n + 1, str(face), True, False, np.zeros((64, 64, 3), np.uint8), SQUARE + PLACES[n])
        for n, face in enumerate(FACES)
    ]
    return View(
        Picture(bytes(128)),
        np.full((360, 640, 3), 99, np.uint8),
        tuple(lying),
        can,
        (SeenSheet("ANNA", 12, rows, True), SeenSheet("BEN", 40, rows, False)),
        SeenTable("classic", Label("classic"), False, 7, 3, **table),
        still=True,
    )


@pytest.fixture
def page(tmp_path: Path) -> Iterator[BrowserPage]:
    with closing(BrowserPage(tmp_path / "browser")) as page:
        page.help = KEY_HELP
        yield page


def shown(tab: Any, page: BrowserPage, view: View) -> None:
    page.draw(view)
    tab.goto(page.address)
    tab.wait_for_function("() => document.querySelector('#tray').style.cssText")


@pytest.fixture
def phone(chromium: Any) -> Iterator[Callable[[int, int], Any]]:
    """Opens a page on a phone of this size."""
    contexts = []

    def open_phone(width: int, height: int) -> Any:
        size = {"width": width, "height": height}
        contexts.append(chromium.new_context(viewport=size, has_touch=True, is_mobile=True))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE_MS)
        return page

    yield open_phone
    for context in contexts:
        context.close()


def pressed(page: BrowserPage) -> list[str]:
    """What was pressed, once something was."""
    assert page.pause(PATIENCE_MS / 1000)
    return page.poll()


def nothing_pressed(tab: Any, page: BrowserPage) -> bool:
    """True if a press that is sent now is the first to arrive."""
    tab.evaluate(
        """() => fetch("/press", {method: "POST", body: "typed:z",
            headers: {"X-Token": sessionStorage.token}})"""
    )
    return page.poll() == ["typed:z"]


CLICKS_AS_IT_CHANGES = """() => new Promise((done) => {
    const first = document.querySelector("#primary");
    new MutationObserver((_, observer) => {
        observer.disconnect();
        first.dispatchEvent(new MouseEvent("click", { detail: 1, bubbles: true }));
        done();
    }).observe(first, { subtree: true, childList: true });
})"""


def test_one_action_comes_first_and_says_what_it_does(
    tab: Any, page: BrowserPage, language: str
) -> None:
    # The texts of a guidance are in the language that is spoken when it is made.
    again = guidance("ANNA", "1-{count}|hold", "SPACE|rolls again", "ENTER|scores", count=5)
    shown(tab, page, turn(again))
    first = tab.locator("#primary span")
    assert first.inner_text() == say("Roll all again")
    # What a label does not say stands below it.
    assert tab.inner_text("#primary small:visible") == say("or first press dice to keep")
    others = tab.locator("#others button span").all_inner_texts()
    assert others == [say("See all boxes"), say("Hint"), say("Undo")]
    # An undo says what it takes back.
    label = tab.evaluate(IN_WORDS, UNDO.label)
    undoes = tab.locator("#others [data-action='long:back']")
    assert undoes.get_attribute("title") == f"{say('Undo')}: {UNDO.player}: {label}"
    assert undoes.get_attribute("aria-label") == undoes.get_attribute("title")
    assert undoes.locator("small").inner_text() == f"{UNDO.player}: {label}"
    assert tab.locator("#holds small:visible").count() == 0
    assert len(tab.locator("#can kbd").all_inner_texts()) == 1 + len(others)
    whole = "(all) => all.every((one) => one.scrollHeight <= one.clientHeight + 3)"
    assert tab.eval_on_selector_all("#can button", whole)
    assert tab.inner_text("#roll").startswith(say("Round {n} of {rounds}", n=4, rounds=13))
    # Dice are held by clicking dice; the button then says how many are thrown.
    tab.click("#holds button >> nth=1")
    assert pressed(page) == ["hold2"]
    held = turn(again)
    dice = tuple(replace(die, kept=die.number in (1, 2)) for die in held.dice)
    height = tab.locator("#says").bounding_box()["height"]
    tab.focus("#primary")
    page.draw(replace(held, dice=dice))
    tab.wait_for_selector(f"#primary:has-text('{say('Roll {count} dice', count=3)}')")
    # Which are kept is said in a word, too, and has the colour of the outlines in the tray.
    words_of_kept = tab.locator("#holds [aria-pressed=true] small:visible").all_inner_texts()
    assert words_of_kept == [say("kept")] * 2
    colours = """() => [...document.querySelectorAll("#holds [aria-pressed=true]")]
        .map((one) => getComputedStyle(one).backgroundColor)"""
    assert tab.evaluate(colours) == ["rgb(255, 230, 0)"] * 2
    drawn = """() => {
        const canvas = document.querySelector("#tray"), { width, height } = canvas;
        const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
        return data.some((_, k) => !(k % 4) && data[k] === 255 && data[k + 1] === 230
            && data[k + 2] === 0);
    }"""
    tab.wait_for_function(drawn)
    listed = f"{say('See all boxes')}: {say('scores nothing')}"
    assert tab.locator("#others [data-action=ok]").get_attribute("title") == listed
    # The focus stays, and no row changes its height.
    assert tab.evaluate("document.activeElement.id") == "primary"
    page.draw(turn(guidance("ANNA", "ENTER|scores")))
    tab.wait_for_selector(f"#primary:has-text('{say('See all boxes')}')")
    assert tab.evaluate("document.activeElement.id") == "primary"
    assert tab.locator("#says").bounding_box()["height"] == height
    tab.click("#primary:not(.fresh)")
    assert pressed(page) == ["ok"]
    # Until something is shown of it, another press is the same one.
    tab.click("#primary")
    assert nothing_pressed(tab, page)
    # What has just changed was not seen.
    tab.evaluate(f"() => {{ window.clicked = ({CLICKS_AS_IT_CHANGES})(); }}")
    page.draw(turn(guidance("ANNA", "ENTER|takes")))
    tab.evaluate("() => window.clicked")
    assert nothing_pressed(tab, page)
    # A double click is one, wherever the list is opened.
    tab.dblclick("#primary:not(.fresh)")
    assert pressed(page) == ["ok"]
    assert nothing_pressed(tab, page)
    page.draw(turn(again))
    tab.wait_for_selector(f"#primary:has-text('{say('Roll all again')}')")
    tab.dblclick("#others [data-action=ok]:not(.fresh)")
    assert pressed(page) == ["ok"]
    assert nothing_pressed(tab, page)
    # Who goes through it presses as often as it takes.
    page.draw(turn(guidance("ANNA", "ENTER|takes", "← →|show others")))
    tab.dblclick("#others [data-action=right]:not(.fresh)")
    steps = pressed(page)
    while len(steps) < 2:
        steps += pressed(page)
    assert steps == ["right", "right"]
    assert violations(tab) == []


def test_a_question_shows_its_die_and_is_answered_by_a_face(
    tab: Any, page: BrowserPage, language: str
) -> None:
    asks = guidance("?", "ENTER|yes", "← →|another", "SPACE|throws again")
    question = SeenQuestion(4, DieKind.RED, (1, 2, 3, 4, 5, 6), 3)
    shown(tab, page, turn(asks, question=question, offers=()))
    tab.wait_for_selector("#about:not([hidden])")
    framed = ", ".join((say("red"), say("bottom right")))
    about = " ".join(
        (
            say("It is the one in the frame: {what}.", what=framed),
            say("Press what it shows: that counts."),
        )
    )
    assert tab.inner_text("#about") == about
    assert about in tab.inner_text("#line")
    assert tab.inner_text("#primary span") == say("Yes, it is {answer}", answer="4")
    again = say("Roll {count} dice again", count=5)
    assert tab.inner_text("#others [data-action=throw] span") == again
    title = tab.locator("#others [data-action=throw]").get_attribute("title")
    assert title == f"{again}: {say('in place of this throw')}"
    names = [button.get_attribute("aria-label") for button in tab.locator("#answers button").all()]
    assert names == ["1", "2", "3", f"4, {say('as read')}", "5", "6"]
    # It alone is outlined, in a colour that nothing else has.
    outlined = """() => {
        const canvas = document.querySelector("#tray"), { width, height } = canvas;
        const { data } = canvas.getContext("2d").getImageData(0, 0, width, height), at = [];
        for (let k = 0; k < data.length; k += 4)
            if (data[k] === 255 && data[k + 1] === 79 && data[k + 2] === 216)
                at.push([(k / 4) % width / width, Math.floor(k / 4 / width) / height]);
        return at;
    }"""
    places = np.array(tab.evaluate(outlined))
    assert np.allclose(places.mean(axis=0), PLACES[4], atol=0.03)
    assert np.abs(places - PLACES[4]).max() < 0.1
    tab.click("#answers button >> nth=1")
    assert pressed(page) == ["pick:7:3:1:die4"]
    assert violations(tab) == []
    # Nothing is asked while other dice are thrown.
    thrown = guidance("The dice are thrown …", "b|takes the throw back")
    page.draw(replace(turn(thrown, question=question, offers=()), thrown=True, still=False))
    tab.wait_for_selector("#answers", state="hidden")
    assert not tab.is_visible("#about")


def test_a_zero_that_was_refused_does_not_come_first(
    tab: Any, page: BrowserPage, language: str
) -> None:
    browses = guidance("ANNA", "ENTER|chooses {choice}", "← →|show others", GO_BACK, choice="1")
    back, zero, paid = say("Go back"), BOXES.index("twos"), BOXES.index("threes")
    for chosen, best, first in (
        (zero, None, back),
        (paid, None, None),
        # What a hint is for comes first, and so does the list's first entry.
        (zero, Label("twos"), None),
        (0, None, None),
    ):
        shown(tab, page, turn(browses, chosen=chosen, best=best))
        label = tab.evaluate(IN_WORDS, str(Label(BOXES[chosen])))
        said = say("Take {label}: {points}", label=label, points=POINTS[chosen])
        tab.wait_for_selector(f"#primary:has-text('{first or said}')")
        others = tab.locator("#others button span").all_inner_texts()
        assert (said if first else back) in others


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (820, 1180), (390, 664), (664, 390)])
def test_a_question_does_not_come_under_the_pointer(
    phone: Callable[[int, int], Any], page: BrowserPage, size: tuple[int, int], language: str
) -> None:
    tab = phone(*size)
    shown(tab, page, turn())
    place = tab.locator("#primary").bounding_box()
    asks = FacePrompt(Label("die 5"), 4, 4, DieState.UNSURE, FACES).can_do()
    question = SeenQuestion(4, DieKind.RED, (1, 2, 3, 4, 5, 6), 3)
    page.draw(turn(asks, question=question, offers=()))
    tab.wait_for_selector("#about:not([hidden])")
    under = f"""document.elementFromPoint(
        {place["x"] + place["width"] / 2}, {place["y"] + place["height"] / 2})"""
    assert not tab.evaluate(f"Boolean({under}.closest('#answers'))")
    if size[0] > 900:
        assert tab.evaluate(f"{under}.closest('button').id") == "primary"


TYPES_AS_IT_CHANGES = """() => new Promise((done) => {
    const first = document.querySelector("#primary");
    const enter = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    new MutationObserver((_, observer) => {
        if (!first.textContent.startsWith("Take")) return;
        observer.disconnect();
        enter();
        done();
    }).observe(first, { subtree: true, childList: true });
    enter();
})"""


def test_a_key_hit_twice_does_not_take_what_nobody_has_seen(tab: Any, page: BrowserPage) -> None:
    shown(tab, page, turn(guidance("ANNA", "ENTER|scores")))
    tab.wait_for_selector("#primary:not(.fresh)")
    tab.evaluate(f"() => {{ window.typed = ({TYPES_AS_IT_CHANGES})(); }}")
    assert pressed(page) == ["ok"]
    page.draw(turn(guidance("ANNA", "ENTER|takes it")))
    tab.evaluate("() => window.typed")
    assert nothing_pressed(tab, page)
    tab.wait_for_selector("#primary:not(.fresh)")
    tab.keyboard.press("Enter")
    assert pressed(page) == ["ok"]


def test_a_press_that_nobody_takes_is_told_until_one_is_taken(
    tab: Any, page: BrowserPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown(tab, page, turn())
    assert tab.is_hidden("#link")
    monkeypatch.setattr(page, "_clock", lambda: 0.0)
    tab.keyboard.press("ArrowLeft")
    assert page.pause(PATIENCE_MS / 1000)
    monkeypatch.setattr(page, "_clock", lambda: MAX_WAIT_S)
    tab.keyboard.press("ArrowRight")
    tab.wait_for_selector("#link:visible")
    assert tab.text_content("#link") == "These buttons do nothing right now."
    assert page.poll() == ["left"]
    tab.keyboard.press("ArrowRight")
    tab.wait_for_selector("#link", state="hidden")
    assert page.poll() == ["right"]


def test_a_word_behind_the_address_is_no_token(tab: Any, page: BrowserPage) -> None:
    shown(tab, page, turn())
    for _ in range(2):
        tab.evaluate("location.hash = 'about'")
        tab.wait_for_url(page.address.partition("#")[0])
        tab.wait_for_selector("#primary:visible")
        assert tab.is_hidden("#link")
        assert tab.evaluate("sessionStorage.token") == page.address.partition("#")[2]


def test_a_finger_sees_what_a_box_pays_before_it_takes_it(
    phone: Callable[[int, int], Any], page: BrowserPage
) -> None:
    tab = phone(390, 664)
    shown(tab, page, turn())
    box = tab.locator("#sheets .offer:not(.zero)").first
    pick = box.get_attribute("data-pick")
    # The label belongs to the box.
    row = tab.locator("#sheets tbody tr", has=tab.locator(f"[data-pick='{pick}']")).locator("th")
    row.tap(force=True)
    tab.wait_for_selector(".armed")
    assert say("worth {points}", points=9) in tab.inner_text("#sent")
    assert say("worth {points}", points=9) in tab.locator("#heard p").last.inner_text()
    assert nothing_pressed(tab, page)
    # Two in a row are one.
    twice = """(box) => { for (let k = 0; k < 2; k++) box.dispatchEvent(
        new PointerEvent("click", {bubbles: true, pointerType: "touch"})); }"""
    other = tab.locator("#sheets .offer:not(.zero)").nth(1)
    tab.wait_for_function(f"() => performance.now() > {tab.evaluate('performance.now()')} + 700")
    other.evaluate(twice)
    assert nothing_pressed(tab, page)
    assert tab.locator(".armed").count() == 1
    tab.wait_for_function(f"() => performance.now() > {tab.evaluate('performance.now()')} + 700")
    other.tap()
    assert pressed(page) == [other.get_attribute("data-pick")]
    # A screen reader's click has no pointer: the first says the value, the second takes it.
    box.evaluate("(box) => box.click()")
    assert nothing_pressed(tab, page)
    box.evaluate("(box) => box.click()")
    assert pressed(page) == [pick]
    # A mouse needs one.
    click = 'new PointerEvent("click", {bubbles: true, pointerType: "mouse", detail: 1})'
    tab.locator("#sheets .offer:not(.zero)").nth(2).evaluate(f"(box) => box.dispatchEvent({click})")
    assert len(pressed(page)) == 1


@pytest.mark.parametrize("between", ["#holds button", "#others button:not(.fresh)", "#who"])
def test_what_a_box_pays_is_shown_anew_after_any_other_press(
    phone: Callable[[int, int], Any], page: BrowserPage, between: str
) -> None:
    tab = phone(390, 664)
    shown(tab, page, turn())
    box = tab.locator("#sheets .offer:not(.zero)").first
    later = "() => performance.now() > {} + 700"
    for pressed_between in (between, None):
        box.tap()
        tab.wait_for_selector(".armed")
        if pressed_between is not None:
            assert nothing_pressed(tab, page)
            tab.locator(pressed_between).first.tap()
            tab.wait_for_selector(".armed", state="detached")
            if pressed_between != "#who":
                pressed(page)
        tab.wait_for_function(later.format(tab.evaluate("performance.now()")))
    box.tap()
    assert pressed(page) == [box.get_attribute("data-pick")]


TARGETS = """() => {
    const all = [...document.querySelectorAll("button, summary, input")];
    const seen = all.filter((one) => one.checkVisibility() && one.offsetWidth);
    return seen.map((one) => {
        const row = one.matches("#sheets td:not(:has(.slots)) > .offer") && one.closest("tr");
        const { x, y, width, height } = (row || one).getBoundingClientRect();
        const at = [[.05, .1], [.95, .1], [.5, .5], [.05, .9], [.95, .9]];
        const hit = (dx, dy) => document.elementFromPoint(x + dx * width, y + dy * height);
        const inside = y >= 0 && y + height <= innerHeight;
        const own = !inside || at.every(([dx, dy]) => one.contains(hit(dx, dy)));
        return [one.textContent, x, y, width, height, own];
    });
}"""


@pytest.mark.parametrize(
    "size", [(390, 664), (390, 844), (360, 640), (360, 780), (664, 390), (768, 1024), (320, 256)]
)
def test_what_a_finger_is_meant_for_is_large_enough_and_in_sight(
    phone: Callable[[int, int], Any], page: BrowserPage, size: tuple[int, int], language: str
) -> None:
    tab = phone(*size)
    again = guidance("ANNA", "1-{count}|hold", "SPACE|rolls again", "ENTER|scores", count=5)
    shown(tab, page, turn(again))
    tab.wait_for_selector("#sheets .offer")
    targets = tab.evaluate(TARGETS)
    assert len(targets) > 20
    # Whose boxes they are stands whole over both halves; what they would bring are offers.
    told = tab.locator("#told-boxes")
    whose = say("{name}'s boxes", name="ANNA")
    assert told.inner_text() == f"{whose}: {say('press to score')}"
    assert told.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    both = tab.locator("#sheets tbody").bounding_box()
    assert abs(told.bounding_box()["width"] - both["width"]) <= 1
    gains = tab.locator("#sheets .shown .offer").all_inner_texts()
    assert sorted(gains) == sorted(f"+{points}" for points in POINTS)
    small = [one for one in targets if min(one[3:5]) < 43.9]
    assert small == []
    assert [one[0] for one in targets if not one[5]] == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= size[0]
    # No label is cut off.
    cut = """() => [...document.querySelectorAll("#can button, #holds button")]
        .filter((one) => one.scrollWidth > one.clientWidth + 1
            || one.scrollHeight > one.clientHeight + 3)
        .map((one) => one.textContent)"""
    assert tab.evaluate(cut) == []
    if size[1] > 256:
        # Tray, action and all boxes are on one screen.
        for part in ("#tray", "#primary", "#holds", "#sheets"):
            box = tab.locator(part).bounding_box()
            assert box["y"] >= 0 and box["y"] + box["height"] <= size[1], part
        tray = tab.locator("#tray").bounding_box()
        assert tray["height"] > 80
        if size[1] >= 740 and size[0] < 560:
            assert tray["width"] >= 0.8 * size[0]
    # Another player's sheet is a tap away.
    tab.tap("#sheets [data-seat='1']")
    tab.wait_for_selector("#sheets [data-seat='1'][aria-pressed=true]")
    assert tab.inner_text("#told-boxes") == say("{name}'s boxes", name="BEN")
    assert violations(tab) == []


@pytest.mark.parametrize("size", [(320, 568), (360, 640)])
def test_how_far_a_turn_is_fits_beside_the_menu(
    phone: Callable[[int, int], Any], page: BrowserPage, size: tuple[int, int], language: str
) -> None:
    tab = phone(*size)
    again = guidance("ANNA", "1-{count}|hold", "SPACE|rolls again", "ENTER|scores", count=5)
    shown(tab, page, turn(again))
    tab.evaluate("() => (document.querySelector('#menu').hidden = false)")
    said = tab.locator("#roll").inner_text()
    assert said.endswith("3"), said
    # Its text is as wide as it is, and ends before the buttons.
    ends = tab.evaluate(
        """() => {
            const range = document.createRange();
            range.selectNodeContents(document.querySelector("#roll"));
            const buttons = [...document.querySelectorAll("header button")];
            return [range.getBoundingClientRect().right,
                document.querySelector("#now").getBoundingClientRect().right,
                Math.min(...buttons.map((one) => one.getBoundingClientRect().left))];
        }"""
    )
    assert ends[0] <= ends[1] <= ends[2], ends


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (664, 390), (1280, 800)])
def test_who_has_no_roll_left_reads_what_to_do(
    phone: Callable[[int, int], Any], page: BrowserPage, size: tuple[int, int], language: str
) -> None:
    tab = phone(*size)
    view = turn(guidance("ANNA-KATHRIN", "ENTER|scores"), roll=3)
    named = (replace(view.sheets[0], player="ANNA-KATHRIN"), *view.sheets[1:])
    shown(tab, page, replace(view, sheets=named))
    must = say("no roll left: choose a box")
    said = tab.inner_text("#roll")
    assert said.casefold().endswith(must.casefold())
    if size[0] < 900:
        assert said[0].isupper() and len(said) == len(must)
        told = tab.locator("#told-boxes")
        assert told.evaluate("(one) => one.scrollWidth <= one.clientWidth"), told.inner_text()
        assert must in tab.text_content("#line")
    else:
        assert tab.inner_text("#told-boxes") == say(
            "Framed: what this throw pays. A click scores it."
        )
    cut = "(one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1"
    assert not tab.eval_on_selector("#now", cut)
    assert violations(tab) == []


def power_turn(dice: tuple[Face, ...], players: tuple[str, ...] = ("ANNA", "BEN")) -> View:
    """A first roll of Power on the table, by its rules."""
    session = resume(Setup("power", players, (("first", 0),)), (Played(Rolled(dice)),))
    return replace(turn(), sheets=sheets_of(session), table=seen_table(session, TrayState.STILL))


@pytest.mark.parametrize("size", [(320, 568), (390, 664), (820, 1180)])
@pytest.mark.parametrize("dice", [(6, 4, 3, 2, 1, "2"), (3, 3, 3, 5, 5, "2")])
def test_numbers_to_choose_for_a_box_stand_whole_beside_each_other(
    phone: Callable[[int, int], Any],
    page: BrowserPage,
    size: tuple[int, int],
    dice: tuple[Face, ...],
    language: str,
) -> None:
    tab = phone(*size)
    shown(tab, page, power_turn(dice))
    tab.wait_for_selector("#sheets .slots .offer")
    wrong = """() => [...document.querySelectorAll("#sheets tbody tr")].flatMap((row) => {
        const box = (one) => one.getBoundingClientRect(), all = box(row);
        const offers = [...row.querySelectorAll("td.shown .offer")];
        const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1
            || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
        const bad = (one, k) => one.scrollWidth > one.clientWidth
            || box(one).left < all.left || box(one).right > all.right
            || offers.slice(k + 1).some((other) => !apart(box(one), box(other)));
        const name = row.querySelector("th");
        return [...offers.filter(bad), ...[name].filter((one) => one.scrollWidth > one.clientWidth
            || offers.some((other) => !apart(box(one), box(other))))].map((one) => one.textContent);
    })"""
    assert tab.evaluate(wrong) == []


@pytest.mark.parametrize("size", [(1024, 768), (1280, 800)])
def test_yes_and_no_stand_whole_in_the_narrowest_column(
    phone: Callable[[int, int], Any], page: BrowserPage, size: tuple[int, int], language: str
) -> None:
    tab = phone(*size)
    six = ("MAXIMILIANES", "BEN", "CLEO", "DAVE", "EVA", "FRITZ")
    view = power_turn((6, 4, 3, 2, 1, "2"), six)
    assert view.table is not None
    asked = next(n for n, offer in enumerate(view.table.offers) if offer.asks and offer.row)
    shown(tab, page, replace(view, table=replace(view.table, chosen=asked, confirm=True)))
    tab.wait_for_selector("#sheets .really")
    wrong = """() => [...document.querySelectorAll("#sheets .really button")].filter((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const cell = one.closest("td").getBoundingClientRect(), box = one.getBoundingClientRect();
        return range.getClientRects().length > 1 || range.getBoundingClientRect().width > box.width
            || box.left < cell.left || box.right > cell.right;
    }).map((one) => one.textContent)"""
    assert tab.evaluate(wrong) == []


@pytest.mark.parametrize("width", [320, 360, 390])
def test_names_of_six_players_stand_whole(
    phone: Callable[[int, int], Any], page: BrowserPage, width: int
) -> None:
    tab = phone(width, 568)
    six = ("ANNA", "BEN", "CLEO", "DORA", "EMIL", "FINN")
    shown(tab, page, power_turn((6, 4, 3, 2, 1, "2"), six))
    tab.wait_for_selector("#sheets thead button")
    cut = """(all) => all.filter((one) => one.scrollWidth > one.clientWidth)
        .map((one) => one.textContent)"""
    assert tab.eval_on_selector_all("#sheets thead button :is(span, b)", cut) == []


def thrown_before(view: View, *, left: int | None = 1, **more: Any) -> View:
    """That dice of an earlier throw lie there, which count no more."""
    assert view.table is not None
    dice = tuple(replace(die, face=None) for die in view.table.dice)
    return replace(view, table=replace(view.table, dice=dice, offers=(), left=left, **more))


@pytest.mark.parametrize("size", [(320, 568), (390, 664), (390, 844), (664, 390), (1280, 800)])
def test_dice_that_count_no_more_say_whose_they_were(
    phone: Callable[[int, int], Any], page: BrowserPage, size: tuple[int, int], language: str
) -> None:
    tab = phone(*size)
    throws = guidance("ANNA", "SPACE|throws {dice}", dice="5")
    before = thrown_before(turn(throws))
    shown(tab, page, before)
    tab.wait_for_selector("#left:visible")
    assert tab.inner_text("#left") == say("{name}'s last throw", name="BEN")
    dimmed = "() => getComputedStyle(document.querySelector('#tray')).filter !== 'none'"
    assert tab.evaluate(dimmed)
    tray, left = (tab.locator(one).bounding_box() for one in ("#tray", "#left"))
    # It hides no dice, and is whole.
    below = left["y"] >= tray["y"] + tray["height"] - 1
    assert below or left["x"] >= tray["x"] + tray["width"]
    assert tab.locator("#left").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert violations(tab) == []
    # Not once they are taken out, nor while others are thrown, nor where they count.
    for other in (
        replace(before, dice=()),
        replace(before, thrown=True, still=False),
        turn(throws),
    ):
        page.draw(other)
        tab.wait_for_selector("#left", state="hidden")
        assert not tab.evaluate(dimmed)
        page.draw(before)
        tab.wait_for_selector("#left:visible")


def test_a_throw_for_who_begins_is_called_that(tab: Any, page: BrowserPage, language: str) -> None:
    throws = guidance("ANNA", "SPACE|throws {dice}", dice="5")
    shown(tab, page, thrown_before(turn(throws), left=None, round=0, rolls=1))
    assert tab.inner_text("#roll") == say("Who begins? The highest throw")
    heading = tab.locator("#sheets th.turn").inner_text()
    assert say("throws now") in heading
    assert say("playing now") not in heading
    assert tab.is_hidden("#left")


@pytest.mark.parametrize("size", [(320, 568), (820, 1180), (1280, 800)])
def test_the_end_says_who_has_won_in_a_sentence_and_marks_the_column(
    phone: Callable[[int, int], Any], page: BrowserPage, size: tuple[int, int], language: str
) -> None:
    tab = phone(*size)
    ends = guidance("The game is over", "ENTER|asks for another", "m|menu", "q|leaves")
    goals = ((SeenGoal("UPPER", 58, 63, 35),), (SeenGoal("UPPER", 66, 63, 35),))
    view = turn(ends, end=SeenEnd((1,), 3, ""), turn=None, goals=goals)
    view = replace(view, sheets=tuple(replace(sheet, turn=False) for sheet in view.sheets))
    shown(tab, page, thrown_before(view, left=0))
    tab.wait_for_selector("#ending:visible")
    assert tab.inner_text("#won") == say("{name} won by {margin} points.", name="BEN", margin=3)
    assert tab.inner_text("#saved") == say("The game is kept.")
    assert tab.get_attribute("#leave", "title") == say("The game is kept.")
    assert tab.inner_text("#left") == say("{name}'s last throw", name="ANNA")
    # Nothing is to be kept any more, and what the head of the page does stands there only.
    assert tab.is_hidden("#holds")
    assert tab.locator("#can [data-action=quit], #can [data-action='long:ok']").count() == 0
    assert tab.is_visible("#menu")
    assert say("has won") in tab.locator("#sheets th.won").inner_text()
    assert tab.locator("#sheets th.won").count() == 1
    # The bonus stands there as points.
    bonus = tab.locator("#sheets .goal td").evaluate_all(
        "(all) => all.map((one) => one.querySelector('b').textContent)"
    )
    assert bonus == ["0", "+35"]
    if size[0] < 900:
        assert tab.inner_text("#told-boxes") == say("{name}'s boxes", name="BEN")
    assert view.table is not None
    page.draw(replace(view, table=replace(view.table, end=SeenEnd((1,), 1, ""))))
    by_one = say("{name} won by {margin} point.", name="BEN", margin=1)
    tab.wait_for_selector(f"#won:has-text('{by_one}')")
    assert violations(tab) == []


OVER = SeenEnd((0,), 5, "")


@pytest.mark.parametrize(
    ("first", "more", "label", "asked"),
    [
        ("", {}, "Finish later", "Stop here? The game is kept."),
        ("Hold dice.", {}, "Close", "Stop here?"),
        ("", {"end": OVER}, "Close", ""),
    ],
    ids=["a game", "a lesson", "a game that is over"],
)
def test_whoever_leaves_reads_first_that_a_game_is_kept(
    phone: Callable[[int, int], Any],
    page: BrowserPage,
    language: str,
    first: str,
    more: dict[str, object],
    label: str,
    asked: str,
) -> None:
    tab = phone(320, 568)
    page.draw(turn(guidance("ANNA", "ENTER|scores"), **more), first)
    tab.goto(page.address)
    tab.wait_for_selector(f"#leave:has-text('{say(label)}')")
    tab.wait_for_selector("#menu:visible")
    boxes = [tab.locator(one).bounding_box() for one in ("#now", "#menu", "#leave")]
    for left, right in itertools.pairwise(boxes):
        assert left["x"] + left["width"] <= right["x"]
    assert boxes[-1]["x"] + boxes[-1]["width"] <= 320
    whole = "(one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight"
    assert tab.eval_on_selector("#leave", whole)
    tab.tap("#leave")
    if asked:
        assert tab.inner_text("#leaving-name") == say(asked)
        buttons = tab.locator("#leaving button").all_inner_texts()
        assert buttons == [say("Play on"), say(label)]
        assert violations(tab) == []
        tab.tap("#leaving [value=leave]")
    assert pressed(page) == ["quit"]


def test_a_tablet_held_upright_shows_a_large_tray(
    phone: Callable[[int, int], Any], page: BrowserPage, language: str
) -> None:
    tab = phone(820, 1180)
    again = guidance("ANNA", "1-{count}|hold", "SPACE|rolls again", "ENTER|scores", count=5)
    shown(tab, page, turn(again))
    tray, view, first = (tab.locator(one).bounding_box() for one in ("#tray", "#view", "#primary"))
    assert tray["width"] >= 0.7 * 820
    assert first["y"] - (tray["y"] + tray["height"]) <= 48
    assert tray["y"] - view["y"] <= 40


PLACED = """() => Object.fromEntries(
    ["#tray", "#can", "#others", "#holds", "#sheets"].map((one) => {
        const { x, y, width, height } = document.querySelector(one).getBoundingClientRect();
        return [one, [x, y, width, height].map(Math.round)];
    }))"""


@pytest.mark.parametrize(
    "size", [(1280, 800), (820, 1180), (390, 664), (390, 844), (360, 640), (664, 390)]
)
def test_nothing_moves_while_dice_are_thrown(
    phone: Callable[[int, int], Any], page: BrowserPage, size: tuple[int, int], language: str
) -> None:
    tab = phone(*size)
    again = guidance("ANNA", "1-{count}|hold", "SPACE|rolls again", "ENTER|scores", count=5)
    shown(tab, page, turn(again))
    tab.wait_for_selector("#primary:visible")
    placed = tab.evaluate(PLACED)
    thrown = guidance("The dice are thrown …", "b|takes the throw back")
    page.draw(replace(turn(thrown), thrown=True))
    tab.wait_for_selector("#primary", state="hidden")
    # What else can be done does not come under the finger that has just thrown.
    assert tab.evaluate(PLACED) == placed
    page.draw(turn(again))
    tab.wait_for_selector("#primary:visible")
    assert tab.evaluate(PLACED) == placed


@pytest.mark.parametrize("size", [(390, 664), (390, 844), (360, 640)])
def test_what_lies_over_the_dice_is_said_whole(
    phone: Callable[[int, int], Any], page: BrowserPage, size: tuple[int, int], language: str
) -> None:
    tab = phone(*size)
    says = guidance(
        "A hand is in the tray, or the dice are still rolling.", "b|takes the throw back"
    )
    shown(tab, page, replace(turn(says), thrown=True))
    tab.wait_for_selector("#who:has-text('.')")
    whole = """() => {
        const who = document.querySelector("#who"), now = document.querySelector("#now");
        return [who.scrollHeight - who.clientHeight, now.scrollHeight - now.clientHeight];
    }"""
    assert max(tab.evaluate(whole)) <= 1


@pytest.mark.parametrize("size", [(390, 664), (320, 568), (664, 390)])
def test_what_a_tap_would_take_is_said_beside_the_dice(
    phone: Callable[[int, int], Any], page: BrowserPage, size: tuple[int, int], language: str
) -> None:
    tab = phone(*size)
    again = guidance("ANNA", "1-{count}|hold", "SPACE|rolls again", "ENTER|scores", count=5)
    shown(tab, page, turn(again))
    tab.locator("#sheets .offer:not(.zero)").first.tap()
    tab.wait_for_selector("#sent:visible")
    covered = """() => {
        const sign = document.querySelector("#sent"), over = sign.getBoundingClientRect();
        const hit = [...document.querySelectorAll(
            "#tray, header button, #can button, #holds button, #sheets button")]
            .filter((one) => one.checkVisibility()).filter((one) => {
                const { left, right, top, bottom } = one.getBoundingClientRect();
                return left < over.right - 1 && right > over.left + 1
                    && top < over.bottom - 1 && bottom > over.top + 1;
            }).map((one) => one.textContent || one.id);
        return [hit, sign.scrollHeight <= sign.clientHeight, over.width <= innerWidth];
    }"""
    assert tab.evaluate(covered) == [[], True, True]


def test_ten_tabs_share_a_stream_and_the_others_go_on_when_one_is_closed(
    chromium: Any, page: BrowserPage
) -> None:
    context = chromium.new_context(viewport={"width": 900, "height": 700})
    page.draw(turn())
    tabs = [context.new_page() for _ in range(10)]
    for one in tabs:
        one.set_default_timeout(PATIENCE_MS)
        one.goto(page.address)
        one.wait_for_selector("#primary:visible")
    assert len(page._news._pages) == 1
    tabs.pop(0).close()
    page.draw(turn(guidance("BEN", "SPACE|throws {dice}", dice="5")))
    for one in tabs:
        one.wait_for_selector("#who:has-text('BEN')", timeout=2000)
    # Who is not seen gives the stream back, and gets it again.
    for hidden, streams in (("true", 0), ("false", 1)):
        for one in tabs:
            one.evaluate(
                f"""() => {{
                    const told = {{get: () => {hidden}, configurable: true}};
                    Object.defineProperty(document, "hidden", told);
                    document.dispatchEvent(new Event("visibilitychange"));
                }}"""
            )
        for count in range(500):
            if len(page._news._pages) == streams:
                break
            # Who has gone is noticed when something is sent.
            page.draw(turn(guidance("EVA", "SPACE|throws {dice}", dice=str(count))))
            tabs[0].evaluate("() => fetch('/words')")
        assert len(page._news._pages) == streams
    page.draw(turn(guidance("EVA", "SPACE|throws {dice}", dice="5")))
    for one in tabs:
        one.wait_for_selector("#who:has-text('EVA')")
    context.close()


def test_a_reload_gets_no_file_again(tab: Any, page: BrowserPage) -> None:
    shown(tab, page, turn())
    got = list[tuple[str, int]]()
    tab.on("response", lambda answer: got.append((answer.url, answer.status)))
    sizes = """() => performance.getEntriesByType('resource')
        .filter((one) => /[.](js|css)$/.test(one.name)).map((one) => one.transferSize)"""
    assert sum(tab.evaluate(sizes)) > 10_000
    tab.reload()
    tab.wait_for_function("() => document.querySelector('#tray').style.cssText")
    assert sum(tab.evaluate(sizes)) == 0
    assert [status for url, status in got if re.fullmatch("http://[^/]*/", url)] in ([304], [200])


IN_WORDS = "async (label) => (await import('/shared/texts.js')).inWords(label)"


def test_a_label_in_words_has_the_letters_of_its_language(
    tab: Any, page: BrowserPage, language: str
) -> None:
    """Capitals do not tell whether their SS is an ß."""
    shown(tab, page, turn())
    german = language == "de"
    assert tab.evaluate(IN_WORDS, "WHITE") == ("Weiß" if german else "White")
    assert tab.evaluate(IN_WORDS, "CHANCE") == "Chance"
    assert tab.evaluate(IN_WORDS, "4 ALIKE") == ("Viererpasch" if german else "Four alike")
    # Where a card lies is for the board alone.
    shown(tab, page, turn(undo=SeenUndo("BEN", Label("c2 fours"))))
    undoes = tab.locator("#others [data-action='long:back'] small")
    assert undoes.inner_text() == ("BEN: Vierer" if german else "BEN: Fours")
