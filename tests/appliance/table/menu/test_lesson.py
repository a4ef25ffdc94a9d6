"""TRY A TURN: a newcomer plays one turn, told what to do; one press ends it, nothing is kept."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from appliance.inputs import Button, Pressed
from appliance.screens.draw import film, pages
from appliance.service.voice_announcer import sentences
from appliance.table.menu.console import Console
from appliance.table.menu.lesson import Lesson
from appliance.table.menu.prompting import LessonPrompt, ListPrompt
from appliance.table.menu.settings import Settings
from appliance.table.menu.step import Happening
from appliance.table.prompts.looking import StripPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, ThrowPrompt
from appliance.table.session.session import Setup, new_session
from games.registry import GAMES
from tests.appliance.table.menu.fake_service import FakeService
from tests.builders import dice_picked_up, die, roll
from tests.rigs.spoken import spoken
from tests.rigs.strict_drawing import strict_drawing
from vision.events import Roll, TrayChanged
from vision.reading import DieState, TrayState

OK, BACK, LEFT, RIGHT, HINT = map(
    Pressed, (Button.OK, Button.BACK, Button.LEFT, Button.RIGHT, Button.HINT)
)
HOLD_OK = Pressed(Button.OK, long=True)
HOLD1, HOLD2 = Pressed(Button.HOLD1), Pressed(Button.HOLD2)
STEPS = 9


def lesson(console: Console | None = None) -> FakeService:
    service = FakeService(console or Console(settings=Settings(("PLAYER 1",))))
    service.choose("TRY A TURN")
    return service


def told(prompt: Prompt) -> tuple[int, tuple[str, str], type]:
    assert isinstance(prompt, LessonPrompt)
    return prompt.index, prompt.lines, type(prompt.shown)


def first_roll(*faces: int) -> Roll:
    return roll(*(die(slot, face) for slot, face in enumerate(faces)))


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_turn_is_told_step_by_step(language: str) -> None:
    with spoken(language), strict_drawing():
        service = lesson()
        seen: list[Prompt] = []

        def happens(*happened: Happening) -> Prompt:
            shown = service.happen(*happened)
            seen.append(shown)
            return shown

        assert told(happens())[::2] == (0, ThrowPrompt)
        rolling = happens(TrayChanged(0, 0.0, TrayState.ROLLING))
        assert isinstance(rolling, LessonPrompt)
        assert film(rolling) == film(rolling.shown or rolling)
        assert told(happens(first_roll(6, 6, 1, 2, 3)))[::2] == (1, DicePrompt)
        held = happens(HOLD1)
        assert told(held)[::2] == (2, DicePrompt)
        # What a press has done is seen at once.
        more = happens(HOLD2)
        assert isinstance(more, LessonPrompt)
        assert isinstance(more.shown, DicePrompt)
        assert (more.acted, more.shown.held) == (True, (0, 1))
        assert pages(more)[0] == pages(more.shown)[0]
        lying = [die(slot, 6, thrown=False) for slot in (0, 1)]
        again = happens(roll(*lying, *(die(slot, 6) for slot in (2, 3, 4))))
        assert told(again)[::2] == (3, DicePrompt)
        assert told(happens(OK))[::2] == (4, ChoicePrompt)
        assert told(happens(RIGHT, LEFT))[::2] == (4, ChoicePrompt)
        assert told(happens(OK))[::2] == (5, type(None))
        for step in range(6, STEPS):
            assert told(happens(OK))[::2] == (step, type(None))
        for shown in seen:
            assert isinstance(shown, LessonPrompt)
            assert pages(shown)
            assert sentences(shown)
            assert shown.can_do().keys[-1].name == "b"
        over = service.happen(OK)
        assert not isinstance(over, LessonPrompt)
        assert service.console.session is None


@pytest.mark.parametrize("moments", range(STEPS))
@pytest.mark.parametrize("press", [BACK, HOLD_OK])
def test_one_press_ends_it_at_any_time(moments: int, press: Pressed) -> None:
    service = lesson()
    way: Sequence[Happening] = (first_roll(6, 6, 1, 2, 3), HOLD1, OK, OK, OK, OK, OK, OK, OK)
    service.happen(*way[:moments])
    service.happen(press)
    assert not any(isinstance(page, Lesson) for page in service.console.pages)


def test_it_can_be_had_where_a_game_is_chosen_and_tells_hint_again() -> None:
    service = FakeService(Console(settings=Settings(("PLAYER 1",))))
    shown = service.happen(OK, LEFT)
    assert isinstance(shown, ListPrompt)
    assert shown.lines == ("TRY A TURN",)
    assert isinstance(service.happen(OK), LessonPrompt)
    assert service.happen(BACK) == shown
    assert isinstance(service.happen(HINT), LessonPrompt)
    acted = service.happen(first_roll(1, 2, 3, 4, 6), HOLD1, HOLD2)
    again = service.happen(HINT)
    assert isinstance(acted, LessonPrompt)
    assert again == replace(acted, acted=False)


@pytest.mark.parametrize("look", [LEFT, RIGHT])
def test_its_line_is_about_what_can_be_done_whatever_is_looked_at(look: Pressed) -> None:
    service = lesson()
    for happened in (None, first_roll(6, 6, 1, 2, 3), HOLD1):
        before = service.happen(*([happened] if happened else []))
        looked = service.happen(look)
        assert isinstance(before, LessonPrompt)
        assert isinstance(looked, LessonPrompt)
        assert isinstance(looked.shown, StripPrompt)
        assert (looked.index, looked.lines) == (before.index, before.lines)
        assert pages(looked)[0] == pages(looked.shown)[0]
        again = service.happen(OK)
        assert isinstance(again, LessonPrompt)
        assert again.shown == before.shown


def test_a_die_in_doubt_is_asked_about_as_in_a_game() -> None:
    service = lesson()
    leaning = die(0, 3, state=DieState.LEANING)
    shown = service.happen(roll(leaning, *(die(slot, 4) for slot in (1, 2, 3, 4))))
    assert told(shown)[2] is FacePrompt
    assert told(service.happen(OK))[::2] == (1, DicePrompt)


@pytest.mark.parametrize("game", ["classic", "power", "showdown"])
def test_the_game_below_is_as_it_was(game: str) -> None:
    options = (("first", 0),) if "first" in GAMES[game].options else ()
    session = new_session(Setup(game, ("ANNA", "BOB"), options))
    service = FakeService(Console(session, settings=Settings(("ANNA",))))
    service.happen(HOLD_OK)
    service = lesson(service.console)
    service.happen(first_roll(5, 5, 5, 5, 5), OK, OK, dice_picked_up(0, 0.0, (0,)), BACK)
    after = service.console.session
    assert after is not None
    assert (after.record.events, after.record.log, after.record.state) == (
        session.record.events,
        session.record.log,
        session.record.state,
    )
    assert after.tray.lying == service.console.tray.lying == 4


def test_it_is_not_offered_while_dice_of_a_turn_lie_there() -> None:
    session = new_session(Setup("classic", ("ANNA",), (("first", 0),)))
    service = FakeService(Console(session, settings=Settings(("ANNA",))))
    service.happen(first_roll(1, 2, 3, 4, 6), HOLD_OK)
    words = {str(service.happen(RIGHT)) for _ in range(25)}
    assert not any("TRY A TURN" in word for word in words)
