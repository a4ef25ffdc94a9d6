#!/usr/bin/env python3
"""Makes the films in the documents from the product itself, so that they never go stale.

    .venv/bin/python scripts/make_films.py              all of them, into docs/pictures
    .venv/bin/python scripts/make_films.py turn --out DIR
    .venv/bin/python scripts/make_films.py yatzy --out DIR      a turn of any game

Tray, hands and buttons are simulated, with a fixed seed; everything else is the real program.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import Any, NamedTuple

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.config import Config
from appliance.guidance import Guidance
from appliance.inputs import HOLD_BUTTONS, Button
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.service.guide import wizard_guidance
from appliance.service.installation import CalibratedTray
from appliance.service.view import DieView, View
from appliance.simulator.appliance import FULL_SIZE_PX, SimulatedAppliance, StreamSettings
from appliance.simulator.people.calibrator import CHECKED_THROWS, throws_in
from appliance.simulator.people.menu_user import MenuUser, Wishes
from appliance.table.menu.options import seat_option
from appliance.table.menu.prompting import NoticePrompt
from appliance.table.prompts.betting import (
    BetPrompt,
    ColourPrompt,
    DealPrompt,
    HandPrompt,
    PotPrompt,
    ShowPrompt,
)
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, OverPrompt, ThrowPrompt
from appliance.table.session.session import Setup
from appliance.terminal.keyboard import KEY_HELP, PEEK_ACTION, SHOW_ACTION, THROW_ACTION
from appliance.web.page import BrowserPage
from calibration.wizard.pages import Page
from calibration.wizard.prompts import wizard_prompt
from calibration.wizard.state import Wizard
from games.registry import GAMES
from tests.rigs.browser import PHONE, launched
from tests.rigs.rendering.led_photo import photograph
from vision.frame import Image
from vision.reading import TrayState

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
FPS = 10
FILM_WIDTH_PX = 650
LIGHT_PITCH_PX = 10
"""From one of the board's 64 columns of lights to the next."""
WEBP_QUALITY = 55
"""Out of 100."""
SHARP = StreamSettings(FULL_SIZE_PX, (960, 540), float(FPS))
HASTY = StreamSettings(FULL_SIZE_PX, (640, 360), FPS / 2)
"""The camera's stream for a game, and for a calibration, which takes long."""
TEXT_LINES = 2
"""Lines of text below the board."""
TURN_SEED = 7
HAND_SEED = 5
CALIBRATION_SEED = 7
TURN_ROLLS = 2
BEFORE_FIRST_KEY_S = 1.2
AFTER_REST_S = 1.6
AFTER_NOTICE_S = 0.5
AFTER_LAST_KEY_S = 4.0
CHOICE_S = 3.0
"""How long the best choice is shown before it is taken."""
NEWS_S = 1.8
"""How long the points of a turn are shown at the end of its film."""
MAX_UNCHANGING_FRAMES = 8
"""Of a scene that stays as it is, in the film of a calibration."""
END_OF_STEP_FRAMES = 9
MAX_FILM_S = 60.0
"""Of a game."""
HELD_BGR = (0, 230, 255)
"""Outlines of dice are as in the terminal and on the page."""
SURE_BGR = (80, 200, 60)
DOUBT_BGR = (0, 165, 255)
FONT = cv2.FONT_HERSHEY_SIMPLEX
TEXT_BGR = (225, 225, 225)
BACKGROUND_GREY = 16
PHONE_FILM_PX = 780
"""Height of a phone in a film."""
BETWEEN_TAPS_S = 1.2
TAP_S = 0.5
"""How long the place of a tap is shown."""
FINGER_PX = 24
FINGER_BGR = (60, 60, 255)
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
READ_PHONE = """() => {
    const holds = [...document.querySelectorAll("#holds button")].filter((one) => !one.hidden);
    const lying = holds.filter((one) => one.ariaDisabled !== "true");
    const first = document.querySelector("#primary:not(.fresh)");
    return {
        first: first?.checkVisibility() ? first.dataset.action : "",
        dice: lying.map((one) => one.dataset.drawn.split(" ")[0]),
        held: lying.map((one) => one.ariaPressed === "true"),
        boxes: [...document.querySelectorAll("#sheets .shown .offer:not(.zero)")]
            .map((one) => [one.dataset.pick, parseInt(one.textContent, 10)]),
    };
}"""
ARROWS = str.maketrans({"←": "<-", "→": "->"})


class Act(NamedTuple):
    """A key or button, and the seconds that a person takes until the next one."""

    key: str
    then_s: float = 1.0


WAIT = Act("", 0.3)


def outlined(image: Image, dice: Sequence[DieView]) -> Image:
    """Draws what was read over the tray as the browser page does, but beside the pips."""
    out, (height, width) = image.copy(), image.shape[:2]
    seen = [(die, die.outline * (width, height)) for die in dice if len(die.outline)]
    boxes = [cv2.boundingRect(np.rint(corners).astype(np.int32)) for _, corners in seen]
    for (die, corners), box in zip(seen, boxes, strict=True):
        colour = HELD_BGR if die.kept else SURE_BGR if die.sure else DOUBT_BGR
        cv2.polylines(out, [np.rint(corners).astype(np.int32)], True, colour, 2, cv2.LINE_AA)
        text = f"{die.number}: {die.face}" if die.number else die.face
        (wide, high), base = cv2.getTextSize(text, FONT, 0.5, 1)
        wide, high = wide + 8, high + base + 4
        left, top = box[0], box[1] - high - 2
        if top < 0 or any(_meet((left, top, wide, high), other) for other in boxes):
            top = box[1] + box[3] + 2
        cv2.rectangle(out, (left, top), (left + wide, top + high), (20, 20, 20), -1)
        at = (left + 4, top + high - base)
        cv2.putText(out, text, at, FONT, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    return out


def _meet(a: Sequence[int], b: Sequence[int]) -> bool:
    return all(a[k] < b[k] + b[k + 2] and b[k] < a[k] + a[k + 2] for k in (0, 1))


def drawn(view: View) -> Image:
    """The tray, below it the scoreboard, and the line that says what can be done."""
    parts: list[Image] = []
    if view.tray is not None:
        size = (
            FILM_WIDTH_PX,
            round(view.tray.shape[0] * FILM_WIDTH_PX / view.tray.shape[1] / 2) * 2,
        )
        tray = np.asarray(cv2.resize(view.tray, size, interpolation=cv2.INTER_AREA), np.uint8)
        parts.append(outlined(tray, view.dice if view.still else ()))
    parts.append(photograph(view.board or Picture(), LIGHT_PITCH_PX))
    words = np.full((24 * TEXT_LINES + 10, FILM_WIDTH_PX, 3), BACKGROUND_GREY, np.uint8)
    for number, line in enumerate(wrap(view.line.translate(ARROWS), 68)[:TEXT_LINES]):
        at = (10, 24 * (number + 1))
        cv2.putText(words, line, at, FONT, 0.5, TEXT_BGR, 1, cv2.LINE_AA)
    return np.vstack([*parts, words])


def write(path: Path, pictures: Iterable[Image]) -> tuple[int, float]:
    """Writes a film that loops for ever; returns its bytes and seconds."""
    film = cv2.Animation()
    frames = list(pictures)
    # A tray that is found is shown larger: what is less high gets a margin.
    height = max(len(frame) for frame in frames)
    film.frames = [
        np.pad(frame, ((0, height - len(frame)), (0, 0), (0, 0)), constant_values=BACKGROUND_GREY)
        for frame in frames
    ]
    film.durations = [1000 // FPS] * len(film.frames)
    if not cv2.imwriteanimation(str(path), film, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY]):
        raise SystemExit(f"{path}: expected to write it, OpenCV could not")
    return path.stat().st_size, len(film.frames) / FPS


def simulation(stack: ExitStack, seed: int, setup: Setup | None = None) -> SimulatedAppliance:
    """The appliance to film: a person's game, or the menu at a tray that can be calibrated."""
    folder = Path(stack.enter_context(TemporaryDirectory()))
    journal = stack.enter_context(Journal(folder / "games.journal"))
    buttons = Config().buttons
    return stack.enter_context(
        SimulatedAppliance(
            None if setup is None else load_session(journal, setup),
            journal,
            dict(buttons.pins),
            buttons.lights,
            seed=seed,
            stream=HASTY if setup is None else SHARP,
            calibrated=CalibratedTray(folder / "profile") if setup is None else None,
            person=setup is not None,
        )
    )


def first_minute() -> Iterator[View]:
    """A new appliance finds its tray while somebody chooses a game and throws."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        journal = stack.enter_context(Journal(folder / "games.journal"))
        buttons = Config().buttons
        simulated = stack.enter_context(
            SimulatedAppliance(
                *(None, journal, dict(buttons.pins), buttons.lights),
                seed=TURN_SEED,
                stream=SHARP,
                calibrated=CalibratedTray(folder / "profile"),
                person=True,
                finds_tray=True,
            )
        )
        # The tray is found within two seconds.
        next_s, ended_s = 2 * BEFORE_FIRST_KEY_S, MAX_FILM_S
        while simulated.time_s < ended_s:
            view = looked_at(simulated)
            if view.tray is not None:
                yield view
            prompt = simulated.appliance.prompt
            if simulated.tray.busy or isinstance(prompt, NoticePrompt):
                next_s = simulated.time_s + AFTER_NOTICE_S
            elif isinstance(prompt, DicePrompt):
                ended_s = min(ended_s, simulated.time_s + AFTER_LAST_KEY_S / 2)
            elif simulated.time_s >= next_s:
                simulated.obey([THROW_ACTION if isinstance(prompt, ThrowPrompt) else Button.OK])
                next_s = simulated.time_s + 1.0


def looked_at(simulated: SimulatedAppliance) -> View:
    """Takes one frame; shows the board as intended, as its lights change at no fixed moment.

    What can be done is said as at the appliance, with buttons, and dice that people throw; nothing
    while the board has news, or says that dice roll or are read.
    """
    simulated.step()
    appliance = simulated.appliance
    wizard, tray = simulated.wizard, appliance.console.tray.state
    reads = isinstance(appliance.prompt, ShowPrompt) and tray.is_busy
    if wizard is not None:
        guidance = wizard_guidance(wizard_prompt(wizard), hands=False)
    elif appliance.shows_news or reads or tray is TrayState.ROLLING:
        guidance = Guidance()
    else:
        guidance = appliance.prompt.can_do(hands=False)
    return replace(simulated.view(), board=appliance.picture, guidance=guidance.at_buttons)


def game(
    setup: Setup, seed: int, act: Callable[[Prompt], Act | None], *, hurried: bool = False
) -> Iterator[View]:
    """A game until nothing is left to do; if `hurried`, throws go by twice as fast."""
    with ExitStack() as stack:
        simulated = simulation(stack, seed, setup)
        next_s, ended_s = BEFORE_FIRST_KEY_S, MAX_FILM_S
        while simulated.time_s < ended_s:
            view = looked_at(simulated)
            restless = simulated.tray.busy or simulated.appliance.console.tray.state.is_busy
            if not (hurried and restless and simulated.frames % 2):
                yield view
            if restless:
                next_s = max(next_s, simulated.time_s + AFTER_REST_S / (2 if hurried else 1))
            elif simulated.time_s >= next_s and ended_s == MAX_FILM_S:
                done = act(simulated.appliance.prompt)
                if done is None:
                    ended_s = simulated.time_s + (
                        AFTER_LAST_KEY_S / 2 if hurried else AFTER_LAST_KEY_S
                    )
                else:
                    simulated.obey([done.key])
                    next_s = simulated.time_s + done.then_s


class _Player:
    """Plays a turn of any game: holds what is alike, throws again, takes what scores most.

    A game of bets is played up to the pots: where all check, the flop is thrown again, so there are
    bets before and after it.
    """

    def __init__(self) -> None:
        self._player = ""
        self._unbet, self._peeked = ["OPEN", "FLOP"], False
        self.over = False

    def act(self, prompt: Prompt) -> Act | None:
        """What to press or throw; None once the turn is over."""
        match prompt:
            case _ if self.over:
                return None
            case ThrowPrompt(player=player) if self._player and player != self._player:
                self.over = True
                return None
            case ThrowPrompt(player=player):
                self._player = player
                return Act(THROW_ACTION)
            case DicePrompt():
                return self._decide(prompt)
            case ChoicePrompt():
                return Act(Button.OK, 0.1)
            case BetPrompt() if not self._peeked:
                self._peeked = True
                return Act(PEEK_ACTION, 1.2)
            case BetPrompt(stage=stage) if stage in self._unbet:
                self._unbet.remove(stage)
                return Act(Button.RIGHT, 0.3)
            case BetPrompt() | HandPrompt() | ColourPrompt() | FacePrompt():
                return Act(Button.OK, 0.3)
            case DealPrompt():
                return Act(THROW_ACTION)
            case ShowPrompt():
                return Act(SHOW_ACTION)
            case PotPrompt() | OverPrompt():
                self.over = True
                return Act(Button.OK, 0.1)
            case _:
                return WAIT

    def _decide(self, prompt: DicePrompt) -> Act:
        """Holds, one die after another, the dice that are alike, and throws the others, or ends."""
        numbers = [face for face in prompt.dice if isinstance(face, int)]
        again = prompt.may_roll and (prompt.roll < TURN_ROLLS or not prompt.purpose)
        if not again or len(numbers) < 2:
            return Act(Button.OK, CHOICE_S)
        best = max(Counter(numbers).items(), key=lambda counted: (counted[1], counted[0]))[0]
        left = [n for n, face in enumerate(prompt.dice) if face == best and n not in prompt.held]
        if left:
            return Act(HOLD_BUTTONS[left[0]], 1.2 if len(left) == 1 else 0.6)
        return Act(THROW_ACTION)


def turn_of(name: str) -> Iterator[View]:
    """A turn of a game: throw, read, hold, throw again, score; of a game of bets, a whole hand."""
    first = seat_option(name)
    setup = Setup(name, ("ANNA", "BEN"), ((first, 0),) if first else ())
    bets = setup.rules.bets(setup.rules.start(setup.players, dict(setup.options))) is not None
    player, news = _Player(), 0
    for view in game(setup, HAND_SEED if bets else TURN_SEED, player.act, hurried=bets):
        news += player.over
        if news > NEWS_S * FPS:
            return
        yield view


def calibration() -> Iterator[View]:
    """A calibration from the menu to its result; most of its waiting and throws are left out."""
    with ExitStack() as stack:
        simulated = simulation(stack, CALIBRATION_SEED)
        user = MenuUser(simulated.mock_buttons, Wishes("CLASSIC", ("ANNA",)), before=("CALIBRATE",))
        begun, lasted, last = False, 0, list[View]()
        scene: tuple[Page, str] | None = None
        while not begun or simulated.wizard is not None:
            view, wizard = looked_at(simulated), simulated.wizard
            begun = begun or wizard is not None
            before, scene = scene, None if wizard is None else (wizard.page, view.line)
            lasted = lasted + 1 if scene == before else 0
            if before and (not scene or scene[0] != before[0]):
                # The last view of a step stays for a moment.
                yield from last * END_OF_STEP_FRAMES
                last = []
            if wizard is not None and shown(wizard) and lasted < MAX_UNCHANGING_FRAMES:
                last = [view]
                yield view
            if wizard is not None or not user.act(simulated.appliance.prompt, simulated.time_s):
                simulated.let_play()


def shown(wizard: Wizard) -> bool:
    """True if this part of the calibration is in the film: two faces, the first and last throw."""
    if wizard.page is Page.CHECK:
        return throws_in(wizard) in (0, CHECKED_THROWS - 1)
    return wizard.page is not Page.POWER or len(wizard.faces) in (0, 1)


class Finger:
    """Somebody who plays a turn on the page of a phone, and taps what they look at for a while.

    Args:
        tab: Playwright's, with the page.
    """

    def __init__(self, tab: Any) -> None:
        self._tab = tab
        self._rolled, self._looked = 0, ""
        self.place: tuple[int, int] | None = None
        self.done = False

    def act(self) -> bool:
        """Taps what comes next; False while there is nothing to tap."""
        seen = self._tab.evaluate(READ_PHONE)
        if self._looked and not any(pick == self._looked for pick, _ in seen["boxes"]):
            self.done = True
            return True
        left = [k for k, die in enumerate(seen["dice"]) if die == wanted_face(seen["dice"])]
        left = [k for k in left if not seen["held"][k]]
        if self._rolled == TURN_ROLLS and seen["boxes"]:
            self._looked = max(seen["boxes"], key=lambda box: box[1])[0]
            self._tap(f"[data-pick='{self._looked}']")
        elif seen["first"] != THROW_ACTION or self._rolled == TURN_ROLLS:
            return False
        elif seen["dice"] and left:
            self._tap(f"#holds button >> nth={left[0]}")
        else:
            self._rolled += 1
            self._tap("#primary")
        return True

    def _tap(self, what: str) -> None:
        box = self._tab.locator(what).first.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self._tab.touchscreen.tap(x, y)
        self.place = round(x), round(y)


def wanted_face(faces: Sequence[str]) -> str:
    """The face that most dice show, the highest of several."""
    counts = Counter(faces).most_common()
    return max(counts, key=lambda count: (count[1], count[0]), default=("", 0))[0]


def finger() -> Iterator[Image]:
    """A turn of Classic on a phone: roll, hold, roll, look what a box pays, take it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        page = stack.enter_context(closing(BrowserPage(folder / "page")))
        page.help = KEY_HELP
        browser = stack.enter_context(launched())
        tab = browser.new_page(viewport=PHONE, has_touch=True)
        tab.goto(page.address)
        simulated = simulation(stack, TURN_SEED, Setup("classic", ("ANNA", "BEN"), (("first", 0),)))
        person = Finger(tab)
        next_s, tapped_s, ended_s = BEFORE_FIRST_KEY_S, -1.0, MAX_FILM_S
        while simulated.time_s < ended_s:
            simulated.obey(page.poll())
            simulated.step()
            page.draw(simulated.view())
            tab.evaluate(DRAWN)
            taken = np.frombuffer(tab.screenshot(type="png"), np.uint8)
            phone = np.asarray(cv2.imdecode(taken, cv2.IMREAD_COLOR), np.uint8)
            if person.place is not None and simulated.time_s - tapped_s < TAP_S:
                cv2.circle(phone, person.place, FINGER_PX, FINGER_BGR, 4, cv2.LINE_AA)
            yield on_a_table(phone)
            if simulated.tray.busy or simulated.appliance.console.tray.state.is_busy:
                next_s = simulated.time_s + AFTER_REST_S
            elif simulated.time_s >= next_s and ended_s == MAX_FILM_S and person.act():
                tapped_s = simulated.time_s
                next_s = tapped_s + BETWEEN_TAPS_S
                if person.done:
                    ended_s = simulated.time_s + AFTER_LAST_KEY_S / 2


def on_a_table(phone: Image) -> Image:
    """The picture of a phone, in the middle of one of a film's width."""
    scale = PHONE_FILM_PX / phone.shape[0]
    small = cv2.resize(phone, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    left = (FILM_WIDTH_PX - small.shape[1]) // 2
    right = FILM_WIDTH_PX - small.shape[1] - left
    around = ((0, 0), (left, right), (0, 0))
    return np.asarray(np.pad(small, around, constant_values=BACKGROUND_GREY), np.uint8)


def _drawn(film: Callable[[], Iterator[View]]) -> Callable[[], Iterator[Image]]:
    return lambda: map(drawn, film())


FILMS: dict[str, Callable[[], Iterator[Image]]] = {
    "turn": _drawn(partial(turn_of, "classic")),
    "finger": finger,
    "holdem": _drawn(partial(turn_of, "holdem")),
    "calibration": _drawn(calibration),
    "first-minute": _drawn(first_minute),
}
"""The films of the documents."""


def main() -> int:
    """Makes the films that were asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "films", nargs="*", metavar="FILM", help=f"of {', '.join(FILMS)}; or a game"
    )
    parser.add_argument("--out", type=Path, default=PICTURES, help="folder to write to")
    args = parser.parse_args()
    films = {name: _drawn(partial(turn_of, name)) for name in GAMES} | FILMS
    if unknown := set(args.films) - set(films):
        parser.error(f"expected films of {', '.join(films)}, found {', '.join(sorted(unknown))}")
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.films or FILMS:
        path = args.out / f"{name}.webp"
        size, length_s = write(path, films[name]())
        print(f"{path}: {size / 1e6:.2f} MB, {length_s:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
