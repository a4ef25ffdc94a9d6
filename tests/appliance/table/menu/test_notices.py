"""Whatever lies under a notice or a hint: the press that takes it away does nothing else."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from inspect import isabstract
from itertools import product
from random import Random
from typing import get_args

import pytest

from appliance.inputs import HOLD_BUTTONS, Button, Pressed, Typed
from appliance.table.menu import (
    at_table,
    draft,
    main_menu,
    new_game,
    played,
    preferences,
    roll_off,
    upkeep,
)
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.board_modules import BoardModules
from appliance.table.menu.console import Aside, Console, Equipment, GamesKept, Notice, Page
from appliance.table.menu.final_scores import FinalScore
from appliance.table.menu.lesson import Lesson
from appliance.table.menu.modules import Modules
from appliance.table.menu.name_entry import Entry
from appliance.table.menu.own_die import OwnDie, ShownFace
from appliance.table.menu.pages import ListRow
from appliance.table.menu.reviewing import Reviewed
from appliance.table.menu.settings import Settings
from appliance.table.menu.step import Happening, advance
from appliance.table.menu.telling import Telling
from appliance.table.session import modes
from appliance.table.session.coloured import open_dice
from appliance.table.session.hinting import what_is_awaited
from appliance.table.session.matching import Answer, Clash, Miscount, ThrownDie, Why
from appliance.table.session.recording import play
from appliance.table.session.session import OnRecord, Session, Setup, new_session
from appliance.table.session.step import step
from appliance.table.session.tray import TraySeen
from games.boxes import Score
from games.chance import random_event, random_game
from games.classic import Box
from games.registry import GAMES
from games.values import DieKind, Hint, Keep, Measure, Slot
from tests.builders import reading, throw
from vision.reading import DieState

PAIR = Setup("classic", ("ANNA", "BOB"), (("first", 0),))
NOTICE = Notice((("TOO LATE", "TO JOIN"), ("JOIN IN THE", "NEXT GAME")))
PRESSES = [Pressed(button, long) for button, long in product(Button, (False, True))]
PRESSED_OR_TYPED: list[Happening] = [*PRESSES, Typed("X")]


@cache
def rolled() -> Session:
    return step(new_session(PAIR), throw(2, 3, 4, 5, 5))


@cache
def decided() -> Session:
    """A box of Anna's is filled, which an undo takes back."""
    session = rolled()
    for button in (Button.OK, Button.OK):
        session = step(session, Pressed(button))
    assert len(session.record.events) == 2
    return step(session, throw(1, 2, 3, 4, 5))


@cache
def over() -> Session:
    events, state = random_game(GAMES["classic"], PAIR.players, {"first": 0}, Random(1))
    return Session(OnRecord(PAIR, 1, state, tuple(events)))


@cache
def flopped() -> Session:
    """Three dice of Hold'em lie open."""
    setup = Setup("holdem", ("ANNA", "BOB"))
    session, chance = new_session(setup), Random(1)
    while not open_dice(session):
        event = random_event(setup.rules, session.record.state, chance)
        assert event is not None
        session = play(session, event)
    return session


def answer() -> Answer:
    thrown = tuple(ThrownDie(Slot(slot), reading(6)) for slot in range(5))
    return Answer((), thrown)


FIRST = Slot(0)
HOLD, SCORE = Keep((0, 1, 2, 3)), Score(Box.SMALL_STRAIGHT)
MODES: tuple[modes.Mode, ...] = (
    modes.Playing(),
    modes.Browsing(0),
    modes.Browsing(1, confirm=True),
    modes.EnteringFace(None, (), FIRST, 2),
    modes.EnteringFace(answer(), (), FIRST, 6),
    modes.EnteringColour(None, ((FIRST, 2),), (), FIRST, DieKind.RED),
    modes.EnteringThrow((), tuple((Slot(slot), 3) for slot in range(5)), Slot(4)),
    modes.Turned(FIRST, 4),
    modes.Miscounted(Miscount(6, 5)),
    modes.Miscounted(Miscount(4, 5, answer())),
    modes.Clashing(Clash(FIRST, Why.LAZY, answer())),
    modes.Clashing(Clash(FIRST, Why.HELD, answer(), answer())),
    modes.Undoing(0),
    modes.Undoing(1),
    modes.ViewingSheet(0),
    modes.LookingOver(),
    modes.LookingOver(2),
    modes.Hinting(modes.Playing()),
    modes.Hinting(modes.Playing(), Hint(HOLD, 240.0, Measure.TOTAL)),
    modes.Hinting(modes.Playing(), Hint(SCORE, 240.0, Measure.TOTAL)),
)
DRAFT = draft.Draft("classic", 2)
SEATED = replace(DRAFT, players=("ANNA", "BOB"))
PAGES: tuple[Page, ...] = (
    *(main_menu.Menu(index) for index in range(18)),
    played.Records(),
    played.OldGames(),
    played.LastTurns((ListRow("ANNA", ("CHANCE",), ok="+20"),)),
    played.Review(),
    upkeep.Stick(),
    upkeep.OtherDice(16.0, 18.0),
    upkeep.OtherColours(("BLUE",), ("RED", "WHITE")),
    OwnDie(),
    OwnDie(reading=reading(2), face=2),
    OwnDie(reading=reading(2, state=DieState.UNSURE), face=2, entering=True),
    OwnDie((ShownFace(2, "LEANS"),), reading(2), 2, judged=True),
    OwnDie(count=3),
    main_menu.Keeping(),
    main_menu.PlayAgain(),
    played.Scores(modes.ViewingSheet(0)),
    preferences.Brightness(3),
    Modules(1),
    preferences.Languages(1),
    main_menu.Games(1),
    preferences.Beginners(),
    preferences.VoicePage(),
    preferences.CameraPage(),
    preferences.HouseRules(),
    Telling("power", 4),
    upkeep.About(),
    preferences.NetworkPage(3),
    upkeep.Off(),
    upkeep.GoodBye(),
    new_game.PickGame(),
    new_game.PickPlayers(DRAFT),
    new_game.PickName(DRAFT),
    new_game.PickStrength(DRAFT),
    new_game.Typing(DRAFT, Entry("CLEO", "")),
    new_game.PickOption(replace(DRAFT, game="showdown"), "showdown_raise_continues"),
    new_game.PickFirst(SEATED, 1),
    roll_off.RollOff(SEATED, (3,), True, 5),
    roll_off.RollOff(SEATED, (3,), thrown=4),
    at_table.AtTable(),
    at_table.Leaving(1),
    Lesson(rolled()),
)


def console(session: Session | None, *pages: Page) -> Console:
    made = Console(
        session,
        pages,
        settings=Settings(("ANNA", "BOB", "CLEO"), (PAIR,), pin=("123456" * 2)),
        kept=GamesKept(
            aside=(Aside(3, "power", ("ANNA",)),),
            records=(FinalScore("classic", "ANNA", 300),),
            review=(Reviewed("REVIEW", ("ANNA", "PAR 255")),),
            ended=7,
        ),
        equipment=Equipment(
            network=(("PIN", "654321"), ("ADDRESS", "10.0.0.2")),
            can_calibrate=True,
            judges_dice=True,
            modules=BoardModules("1", ("fc16", "generic"), "fc16"),
            stick=("SAVE GAMES",),
        ),
    )
    return main_menu.over_menu(made)


def consoles() -> Iterator[Console]:
    for mode in MODES:
        coloured = isinstance(mode, modes.EnteringColour)
        session = replace(flopped() if coloured else decided(), mode=mode)
        yield console(session)
        yield console(replace(session, tray=TraySeen(blind=True)))
    yield console(new_session(PAIR))
    yield console(replace(new_session(PAIR), tray=TraySeen(blind=True)))
    yield console(over())
    yield console(None)
    for page in PAGES:
        yield console(rolled(), page)
        yield console(over(), page)


def leaves(kind: type[Page]) -> Iterator[type[Page]]:
    for below in kind.__subclasses__():
        yield from leaves(below)
    # A class with slots is one of two, of which only one is in its module under this name.
    if not kind.__subclasses__() and not isabstract(kind):
        yield kind


def test_every_kind_of_page_and_mode_is_tried() -> None:
    every: type[Page] = Page  # type: ignore[type-abstract]
    own = {kind.__qualname__ for kind in leaves(every) if kind.__module__.startswith("appliance.")}
    assert {type(page).__qualname__ for page in PAGES} == own
    assert {type(mode) for mode in MODES} == set(get_args(modes.Mode))


def test_a_press_on_a_notice_takes_it_away_and_does_nothing_else() -> None:
    tried = acts = 0  # and how many would act without the notice
    for beneath in consoles():
        for pressed in PRESSED_OR_TYPED:
            after, requests = advance(replace(beneath, notice=NOTICE), pressed)
            assert (after, requests) == (beneath, ()), (beneath.page, pressed)
            tried += 1
            acts += advance(beneath, pressed) != (beneath, ())
    assert tried > 1900
    assert acts > tried / 2


def test_what_is_awaited_names_no_button_as_the_next_press_only_takes_it_away() -> None:
    said = {
        text
        for beneath in consoles()
        if beneath.session is not None
        for page in what_is_awaited(beneath.session)
        for text in page
    }
    assert len(said) > 20
    assert not [text for text in said if re.search(r"\bOK\b|BACK:|< >", text)]


@pytest.mark.parametrize("press", PRESSES, ids=lambda press: f"{press.button}-{press.long}")
def test_a_press_on_a_hint_follows_it_or_takes_it_away_and_does_nothing_else(
    press: Pressed,
) -> None:
    for mode in MODES:
        back = replace(decided(), mode=mode)
        if isinstance(mode, modes.Hinting):
            continue
        for hint in (None, Hint(SCORE, 240.0, Measure.TOTAL)):
            after = step(replace(back, mode=modes.Hinting(mode, hint)), press)
            if hint is None or press.button not in (Button.OK, Button.HINT):
                assert after == back, mode
            else:
                assert isinstance(after.mode, modes.Browsing), mode
                assert (after.record.log, after.record.holds) == (
                    back.record.log,
                    back.record.holds,
                )


@pytest.mark.parametrize("slot", range(5))
def test_hold_buttons_mean_the_dice_that_a_hint_shows(slot: int) -> None:
    hint = modes.Hinting(modes.Playing(), Hint(HOLD, 240.0, Measure.TOTAL))
    after = step(replace(decided(), mode=hint), Pressed(HOLD_BUTTONS[slot]))
    assert (after.mode, after.record.holds) == (modes.Playing(), frozenset({slot}))


def test_too_late_to_join_then_ok_scores_nothing() -> None:
    first = decided()
    for button in (Button.OK, Button.OK):
        first = step(first, Pressed(button))
    # In the second round.
    session = step(first, throw(1, 2, 3, 4, 6))
    choosing = replace(session, mode=modes.Browsing(0))
    shown = console(choosing, main_menu.Menu(), at_table.AtTable(2))
    said, _ = advance(shown, Pressed(Button.OK))
    assert said.notice == NOTICE
    after, _ = advance(said, Pressed(Button.OK))
    assert after.session == choosing
    assert console_prompt(after) == console_prompt(console(choosing))
