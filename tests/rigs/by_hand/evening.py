"""An evening at the page in a real browser, and whether anything counted that nobody meant.

People play as children do: they press what stands out, twice, at once, late or anywhere, or hit
wrong keys. What each means is written down before the press, from what the page shows then; a
referee in the loop of the program compares it with what counts.
"""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from threading import Lock, Thread
from typing import Any

from appliance.cli.play import UNSAID
from appliance.cli.shared.launch import Simulation
from appliance.cli.shared.simulated_game import SimulatedGame
from appliance.config import Config
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.simulator.appliance import QUICK_STREAM
from appliance.table.session.modes import Undoing
from appliance.table.session.picking import pickable_choices
from appliance.table.session.session import Played, Session, Setup, resume
from appliance.terminal.keyboard import KEY_HELP
from appliance.web.page import BrowserPage
from games.values import Choice, Draw, Keep
from tests.rigs.by_hand.clicks import Unpictured


@dataclass(frozen=True, slots=True)
class Person:
    """How somebody presses.

    Attributes:
        name: what people would say of it.
        size: of the window, pixels.
        finger: whether they tap instead of clicking with a mouse.
        taps: how often they press each time.
        late_s: seconds from seeing to pressing, at most.
        primary: the share of presses on the outlined button; the others are on anything in sight.
        boxes: the share of the others that are on what the dice would score.
        refuses: whether they first say no to a zero.
        keys: whether they type, and how many of their keys are wrong.
    """

    name: str
    size: tuple[int, int]
    finger: bool = False
    taps: int = 1
    late_s: float = 0.0
    primary: float = 0.9
    boxes: float = 0.5
    refuses: bool = False
    keys: float = 0.0


PEOPLE = (
    Person("always the outlined one", (1280, 800), primary=1.0),
    Person("always twice", (1920, 1080), taps=2),
    Person("a finger, twice", (390, 664), finger=True, taps=2),
    Person("a finger, at once", (664, 390), finger=True),
    Person("late", (1280, 800), late_s=0.6),
    Person("anywhere", (1920, 1080), primary=0.4, boxes=0.2),
    Person("no to zeros", (1280, 800), refuses=True),
    Person("a finger on boxes", (820, 1180), finger=True, primary=0.6, boxes=1.0),
    Person("a finger, three times and late", (390, 664), finger=True, taps=3, late_s=0.4),
    Person("a finger, anywhere", (820, 1180), finger=True, primary=0.5, boxes=0.3),
    Person("wrong keys", (1280, 800), late_s=0.3, keys=0.4),
)
WRONG_KEYS = (
    *("1", "2", "5", "6", "9", "x", "b", "h", "q", "?", "v"),
    *("Backspace", "Escape", "ArrowLeft", "ArrowRight", "ArrowUp"),
)
"""What they type who hit other keys than they want, but those that open a menu."""
MOST_PRESSES = 6000
"""Presses after which a game is called endless."""
_QUICK_S = 0.08
"""From one tap of a double tap to the next."""
_AGAIN_S = 0.65
"""After so long a finger's next tap is another one (`TWICE_MS` of the page)."""
_SEEN_MS = 250
"""After so long people have seen what has changed."""
_PATIENCE = 30
"""Throws after which people who go on without an end ask for a hint at each throw, and bet high.

Hold'em without a bet never ends.

Who never holds dice plays Showdown for 1,409 throws (the median of 100 games by the rules alone).
"""
_TELL_S = 10.0
"""From one word on how a game goes to the next."""
_MOST_DICE = 6
_ONE_QUESTION = 2
"""How often the same question may be asked."""

READ = """() => {
    const shown = (one) => one.checkVisibility({ visibilityProperty: true })
        && !one.disabled && one.ariaDisabled !== "true";
    const primary = document.querySelector("#primary");
    const holds = [...document.querySelectorAll("#holds button")].filter((one) => !one.hidden);
    const faces = holds.map((one) => one.dataset.drawn.split(" ")[0]);
    window.targets = [...document.querySelectorAll(
        "#can button, #answers button, #holds button, #side button[data-pick], "
        + "#side button[data-act]")].filter(shown);
    return {
        line: document.querySelector("#line").textContent,
        faces: faces.filter((face) => face !== "null"),
        targets: window.targets.map((one) => ({
            primary: one === primary, action: one.dataset.action ?? one.dataset.act ?? "",
            pick: one.dataset.pick ?? "", armed: one.classList.contains("armed"),
            asks: one.matches(".zero"), answers: Boolean(one.closest("#answers")),
            opens: one === primary && /^(Choose|Boxes)/.test(one.textContent),
            really: Boolean(one.closest(".really")), key: one.querySelector("kbd")?.textContent,
            hint: one.dataset.action === "hint" && !document.querySelector("#felt .pot"),
            bets: one.matches("#acts [data-pick]")
                && /^(Bet|Raise|Call|All in)/i.test(one.textContent),
        })),
    };
}"""
WATCH = """() => {
    const primary = document.querySelector("#primary"), holds = document.querySelector("#holds");
    const stands = () => [primary, ...holds.children].map((one) => one.dataset.drawn).join();
    let changed = performance.now(), last = stands();
    const noted = new MutationObserver(() => {
        if (last === (last = stands())) return;
        changed = performance.now();
    });
    for (const one of [primary, holds])
        noted.observe(one, { subtree: true, childList: true, attributes: true });
    for (const kind of ["click", "keydown"]) addEventListener(kind, (event) => {
        window.pressed ??= {
            age: performance.now() - changed,
            on: kind === "keydown" || event.target.closest("#primary") !== null,
            action: primary.dataset.action, opens: /^(Choose|Boxes)/.test(primary.textContent),
            pick: event.target.closest("button[data-pick]")?.dataset.pick ?? "",
            faces: [...holds.children].filter((one) => !one.hidden)
                .map((one) => one.dataset.drawn.split(" ")[0]).filter((face) => face !== "null"),
        };
    }, true);
}"""
"""Notes what stands there when a press arrives, and for how long (milliseconds)."""
PLACE = """(number) => {
    window.pressed = null;
    const one = window.targets[number];
    one.scrollIntoView({ block: "nearest" });
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""


@dataclass(frozen=True, slots=True)
class Meant:
    """What a press was meant for.

    Attributes:
        faces: of the dice in sight, as the page names them.
        pick: the choice that was pressed, as the page names it; empty for a button of the game.
    """

    faces: tuple[str, ...]
    pick: str


@dataclass(slots=True)
class Evening:
    """How a game went.

    Attributes:
        presses: how often something was pressed.
        counted: choices that counted.
        throws: throws by hand.
        ended: whether the game is over.
        faults: what counted wrongly, or was asked too often.
        refused: dice of which somebody has said no to a zero.
        advised: dice of which somebody has asked for a hint last.
        line: what the page said last that may be done.
    """

    presses: int = 0
    counted: int = 0
    throws: int = 0
    ended: bool = False
    faults: list[str] = field(default_factory=list)
    refused: set[tuple[str, ...]] = field(default_factory=set)
    advised: tuple[str, ...] = ()
    line: str = ""


class _Referee:
    """Compares what counts with what was meant; the browser's thread says what that was."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self._lock = Lock()
        self._happened = list[tuple[object, Session]]()
        self._meant = list[Meant]()
        self._lines = 0
        self._before: Session | None = None
        self._asked = Counter[object]()
        self._question: object = None

    def note(self, meant: Meant) -> None:
        """Takes what the last press was meant for."""
        self._meant.append(meant)

    def judge(self) -> None:
        """Compares what has counted since the last call."""
        with self._lock:
            happened, self._happened = self._happened, []
        for event, before in happened:
            self._judge(event, before)

    def look(self, session: Session, question: object) -> None:
        """Looks at what has been played since the last call, and at what is asked."""
        before, self._before = self._before, session
        record, known = session.record, self._lines
        self._lines = len(record.log)
        for number in range(known, self._lines):
            line = record.log[number]
            if not isinstance(line, Played):
                self._asked.clear()
            elif before and not isinstance(before.mode, Undoing):
                if number > known:
                    # Chance goes on after a choice without another look.
                    before = resume(record.setup, record.log[:number], record.serial)
                with self._lock:
                    self._happened.append((line.event, before))
        if question is not None and question != self._question:
            self._asked[question] += 1
            if self._asked[question] > _ONE_QUESTION:
                self._evening.faults.append(f"{question} was asked three times")
        self._question = question

    def _judge(self, event: object, before: Session) -> None:
        # What is drawn by chance is nobody's choice.
        if not isinstance(event, Choice) or isinstance(event, Keep):
            return
        if isinstance(before.record.ask, Draw):
            return
        self._evening.counted += 1
        # The page has buttons for so many dice.
        dice = before.record.dice[:_MOST_DICE]
        faces = tuple(str(face) for face in dice if face is not None)
        choices = pickable_choices(before)

        def fits(meant: Meant) -> bool:
            if meant.faces != faces:
                return False
            number = meant.pick.split(":")[3:4]
            return not number or event in choices[int(number[0]) :][:1]

        self._use(fits, f"{event} with {faces}")

    def _use(self, fits: Callable[[Meant], bool], what: str) -> None:
        for number, meant in enumerate(self._meant):
            if fits(meant):
                del self._meant[: number + 1]
                return
        self._evening.faults.append(f"{what}: not meant by {self._meant[-3:]}")


class _Keys:
    """The page as the keys of a simulated game."""

    def __init__(self, page: BrowserPage) -> None:
        self._page = page
        self.poll, self.pause = page.poll, page.pause
        self.left = False

    def obey_signals(self) -> bool:
        """True if the evening is over."""
        return self.left


def play_evening(
    browser: Any,
    person: Person,
    setup: Setup,
    seed: int,
    folder: Path,
    *,
    speed: float = 0.0,
    slow: float = 1.0,
    most: int = MOST_PRESSES,
    tell: Callable[[Evening], object] = lambda _: None,
) -> Evening:
    """Plays a game to its end.

    Args:
        browser: Playwright's.
        person: who presses, for all players.
        setup: what is played.
        seed: chance.
        folder: for the page's files.
        speed: simulated seconds in a second; 0 for as fast as possible.
        slow: how many times as slow the browser's processor is made.
        most: presses after which they leave.
        tell: gets how it goes, every ten seconds.
    """
    evening = Evening()
    referee = _Referee(evening)
    with closing(BrowserPage(folder / f"page-{seed}")) as page:
        page.help = KEY_HELP
        keys = _Keys(page)

        def serve() -> None:
            buttons = Config().buttons
            with Journal(":memory:") as journal:
                parts = load_session(journal, setup), journal, dict(buttons.pins), buttons.lights
                made = Unpictured(
                    *parts, seed=seed, stream=QUICK_STREAM, person=True, folder=folder
                )
                with made as simulated:
                    throw = simulated.tray.throw

                    def thrown(*dice: Any) -> None:
                        evening.throws += 1
                        throw(*dice)

                    simulated.tray.throw = thrown  # type: ignore[assignment]

                    def show() -> None:
                        view = simulated.view()
                        table = view.table
                        die = table and table.question
                        asked = table and die and (table.turn, table.round, table.roll, die.slot)
                        referee.look(simulated.appliance.session, asked)
                        page.draw(view)
                        evening.ended = evening.ended or simulated.appliance.console.over

                    options = replace(
                        UNSAID, buttons="keyboard", simulation=Simulation(speed=speed)
                    )
                    SimulatedGame(simulated, options, [show], keys).run(0.0)  # type: ignore[arg-type]

        def serve_and_tell() -> None:
            try:
                serve()
            except BaseException as error:  # also one that would end it silently
                evening.faults.append(f"the program has ended: {error!r}")
                raise
            if not (evening.ended or keys.left):
                # Whoever presses anywhere may find how to.
                evening.faults.append(f"the program was left or switched off: {evening.line!r}")

        game = Thread(target=serve_and_tell, daemon=True)
        game.start()
        wide, high = person.size
        context = browser.new_context(
            viewport={"width": wide, "height": high}, has_touch=person.finger
        )
        tab = context.new_page()
        errors = list[str]()
        tab.on("pageerror", lambda error: errors.append(str(error)))
        try:
            context.new_cdp_session(tab).send("Emulation.setCPUThrottlingRate", {"rate": slow})
            tab.goto(page.address)
            tab.wait_for_selector("#primary:visible")
            tab.evaluate(WATCH)
            random = Random(f"{person.name} {seed}")
            told_s = time.monotonic()
            while not evening.ended and evening.presses < most and game.is_alive():
                _press(tab, person, random, referee, evening)
                if time.monotonic() - told_s >= _TELL_S:
                    told_s = time.monotonic()
                    tell(evening)
        finally:
            keys.left = True
            game.join(60)
            referee.judge()
            context.close()
        evening.faults += errors
    return evening


def _press(tab: Any, person: Person, random: Random, referee: _Referee, evening: Evening) -> None:
    seen = tab.evaluate(READ)
    evening.line = seen["line"]
    number = _chosen(seen, person, random, evening)
    if number is None:
        return
    if person.keys:
        _type(tab, person, random, referee, evening, seen)
        return
    target = seen["targets"][number]
    place = tab.evaluate(PLACE, number)
    time.sleep(random.uniform(0.0, person.late_s))
    # A finger's first tap on a box only shows it.
    shows = person.finger and target["pick"] and not target["asks"] and not target["really"]
    means = not shows or target["armed"]
    for tap in range(person.taps):
        if person.finger:
            tab.touchscreen.tap(*place)
        else:
            tab.mouse.move(*place)
            tab.mouse.down(click_count=tap + 1)
            tab.mouse.up(click_count=tap + 1)
        if tap + 1 < person.taps:
            time.sleep(_QUICK_S)
    evening.presses += 1
    stood = tab.evaluate("window.pressed")
    faces, opens, pick = seen["faces"], target["opens"], target["pick"]
    if stood and stood["age"] >= _SEEN_MS:
        # The press came so late that what stands there now was seen: the button, or the box.
        if stood["on"] and target["primary"]:
            faces, opens = stood["faces"], stood["opens"]
        elif pick and stood["pick"]:
            faces, pick = stood["faces"], stood["pick"]
    if means and not opens:
        referee.note(Meant(tuple(faces), pick))
    referee.judge()
    if person.finger:
        time.sleep(_AGAIN_S)


def _type(
    tab: Any,
    person: Person,
    random: Random,
    referee: _Referee,
    evening: Evening,
    seen: dict[str, Any],
) -> None:
    first = [target for target in seen["targets"] if target["primary"]]
    key = first[0]["key"] if first else "Escape"
    right = {"SPACE": " ", "ENTER": "Enter"}.get(key, key)
    tab.evaluate("window.pressed = null")
    time.sleep(random.uniform(0.0, person.late_s))
    tab.keyboard.press(random.choice(WRONG_KEYS) if random.random() < person.keys else right)
    evening.presses += 1
    stood = tab.evaluate("window.pressed")
    late = stood and stood["age"] >= _SEEN_MS
    # Keys do what the first button says, wherever the mouse is.
    if not (stood["opens"] if late else first and first[0]["opens"]):
        referee.note(Meant(tuple((stood if late else seen)["faces"]), ""))
    referee.judge()


def _chosen(seen: dict[str, Any], person: Person, random: Random, evening: Evening) -> int | None:
    """The number of what is pressed next; None if there is nothing."""
    targets = list(enumerate(seen["targets"]))
    faces = tuple(seen["faces"])
    if evening.throws > _PATIENCE:
        hints = [number for number, target in targets if target["hint"]]
        if hints and faces and faces != evening.advised:
            evening.advised = faces
            return hints[0]
        if bets := [number for number, target in targets if target["bets"]]:
            return bets[-1]
    if person.refuses and faces not in evening.refused:
        for number, target in targets:
            if target["really"] and not target["pick"]:
                evening.refused.add(faces)
                return number
    first = [number for number, target in targets if target["primary"]]
    if random.random() < person.primary:
        # Where nothing stands out, as while dice roll, they wait: else each throw is taken back.
        return first[0] if first else None
    picks = [number for number, target in targets if target["pick"] or target["answers"]]
    armed = [number for number, target in targets if target["armed"]]
    if picks and random.random() < person.boxes:
        return random.choice(armed or picks)
    return random.choice(targets)[0] if targets else None
