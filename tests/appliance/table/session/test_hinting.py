"""HINT at the table: asked for, shown, followed or ignored, in every mode; never in the way."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.inputs import Button, Pressed
from appliance.journal.journal import Journal
from appliance.screens.draw import pages
from appliance.table.prompts.hints import HintPrompt, WaitPrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt
from appliance.table.session.hinting import wants_hint
from appliance.table.session.listing import ranked_choices
from appliance.table.session.modes import Browsing, Hinting, Playing, Undoing, ViewingSheet
from appliance.table.session.prompting import prompt
from appliance.table.session.session import Hinted, Holding, OnRecord, Session, Setup, new_session
from appliance.table.session.step import step
from appliance.words import Label
from games.boxes import Score
from games.classic import Box
from games.registry import GAMES
from games.strategy import advice
from games.values import Choose, Draw, Hint, Keep, Measure
from tests.builders import throw as roll
from tests.games.strategy.positions import decisions
from tests.rigs.examples import examples

HINT, OK, BACK = (Pressed(button) for button in (Button.HINT, Button.OK, Button.BACK))
LEFT, RIGHT = Pressed(Button.LEFT), Pressed(Button.RIGHT)
SETUP = Setup("classic", ("ANNA", "BOB"), (("first", 0),))


def answered(session: Session) -> Session:
    """The session after its driver has asked a solver."""
    assert wants_hint(session)
    return step(session, Hinted(advice.hint(session.record.rules, session.record.state)))


def rolled(*faces: int) -> Session:
    return step(new_session(SETUP), roll(*faces))


def test_hint_shows_what_to_hold_and_what_to_expect() -> None:
    session = answered(step(rolled(6, 6, 1, 6, 2), HINT))
    said = prompt(session)
    assert isinstance(said, HintPrompt)
    assert (said.player, said.hold, said.label) == ("ANNA", (0, 1, 3), "HOLD 124")
    assert said.measure is Measure.TOTAL
    assert 250 < said.expects < 290
    assert said.reason == "SIXES + BONUS"
    assert "SIXES + BONUS" in [*said.told()]


@pytest.mark.parametrize("press", [HINT, OK], ids=["hint", "ok"])
def test_a_hold_is_followed_by_a_second_press(press: Pressed) -> None:
    session = step(answered(step(rolled(6, 6, 1, 6, 2), HINT)), press)
    assert session.record.holds == {0, 1, 3}
    assert session.record.log[-1] == Holding((0, 1, 3))
    assert isinstance(prompt(session), DicePrompt)


def test_a_score_is_followed_by_showing_it_in_the_list_and_nothing_is_played() -> None:
    session = rolled(2, 3, 4, 5, 6)
    before = session.record.events
    session = step(answered(step(session, HINT)), HINT)
    said = prompt(session)
    assert isinstance(said, ChoicePrompt)
    assert said.label == "LARGE STR"
    assert session.record.events == before
    after = step(session, OK)
    assert after.record.events[-1] == Score(Box.LARGE_STRAIGHT)


def test_back_leaves_the_hint_as_it_was_before() -> None:
    for mode in (Playing(), Browsing(3)):
        session = replace(rolled(6, 6, 1, 6, 2), mode=mode)
        assert step(answered(step(session, HINT)), BACK).mode == mode


def test_left_and_right_go_through_the_odds_one_by_one() -> None:
    session = answered(step(new_session(Setup("holdem", ("ANNA", "BOB"), (("dealer", 0),))), HINT))
    said = prompt(session)
    assert isinstance(said, HintPrompt)
    assert (said.row, len(said.odds)) == (None, 8)
    walked = []
    for press in (RIGHT, RIGHT, LEFT, LEFT):
        session = step(session, press)
        shown = prompt(session)
        assert isinstance(shown, HintPrompt)
        assert pages(shown)[0].words[0] == "IF YOU HAVE"
        walked.append(shown.row)
    assert walked == [0, 1, 0, 7]
    assert isinstance(step(session, BACK).mode, Playing)


def test_holds_of_the_hint_replace_those_of_the_player() -> None:
    session = step(rolled(6, 6, 1, 6, 2), Pressed(Button.HOLD3))
    assert session.record.holds == {2}
    assert step(answered(step(session, HINT)), OK).record.holds == {0, 1, 3}


def test_a_hold_button_leaves_the_hint_and_holds() -> None:
    session = step(answered(step(rolled(6, 6, 1, 6, 2), HINT)), Pressed(Button.HOLD5))
    assert isinstance(session.mode, Playing)
    assert session.record.holds == {4}


def test_a_throw_while_the_hint_is_shown_counts() -> None:
    session = answered(step(rolled(6, 6, 1, 6, 2), HINT))
    again = step(session, roll(1, 1, 2, 3, 4))
    assert len(again.record.events) == 3
    assert not isinstance(again.mode, Hinting)


def test_an_answer_that_is_not_asked_for_or_not_legal_changes_nothing() -> None:
    hint = Hint(Keep((0,)), 1.0, Measure.TOTAL)
    waiting = new_session(SETUP)
    assert step(waiting, Hinted(hint)) == waiting
    late = step(rolled(6, 6, 1, 6, 2), HINT)
    wrong = step(late, Hinted(Hint(Keep((0, 1, 2, 3, 4)), 1.0, Measure.TOTAL)))
    assert wrong.record.holds == late.record.holds
    assert isinstance(prompt(wrong), WaitPrompt)
    assert isinstance(step(wrong, BACK).mode, Playing)


def test_without_an_answer_the_hint_can_be_left() -> None:
    session = step(rolled(6, 6, 1, 6, 2), HINT)
    assert isinstance(prompt(session), WaitPrompt)
    for press in (HINT, OK, BACK):
        assert isinstance(step(session, press).mode, Playing)


def test_hint_says_what_is_waited_for() -> None:
    said = prompt(step(new_session(SETUP), HINT))
    assert said == WaitPrompt((("ANNA", "THROWS 5 DICE"),))
    turned = replace(rolled(1, 2, 3, 4, 6), mode=ViewingSheet(0))
    for session in (turned, replace(turned, mode=Undoing(1))):
        opened = step(session, HINT)
        assert isinstance(prompt(opened), WaitPrompt)
        assert step(opened, HINT).mode == session.mode


def test_hint_at_the_end_says_that_the_game_is_over() -> None:
    state = GAMES["classic"].start(("ANNA", "BOB"), {"first": 0})
    for _ in range(26):
        session = step(Session(OnRecord(SETUP, 1, state)), roll(1, 2, 3, 4, 6))
        choice = next(c for c in ranked_choices(session) if isinstance(c, Score))
        state = session.record.rules.apply(session.record.state, choice)
    over = step(Session(OnRecord(SETUP, 1, state)), HINT)
    assert prompt(over) == WaitPrompt((("GAME OVER", ""), ("PLAY AGAIN?", "")))


def test_a_red_die_is_named() -> None:
    session = step(new_session(Setup("showdown", ("ANNA", "BOB"))), HINT)
    assert prompt(session) == WaitPrompt((("ANNA", "THROWS RED DIE"),))


def test_players_who_turn_up_their_own_cards_see_that_in_the_hint() -> None:
    session = new_session(Setup("free-for-all", ("ANNA", "BOB"), (("deck", "table"),)))
    said = prompt(answered(step(session, HINT)))
    assert said == WaitPrompt((("ANNA", "TELLS"), ("NEW CARD", "")))


@pytest.mark.parametrize("game", sorted(GAMES))
@settings(max_examples=examples(3, 4))
@given(seed=st.integers(0, 10**6))
def test_every_decision_has_a_hint_that_can_be_drawn_and_followed(game: str, seed: int) -> None:
    names = ("WWWWWWWW", "BOB")
    states = list(decisions(game, 2, seed, events=250))
    for state in Random(seed).sample(states, min(3, len(states))):
        session = Session(OnRecord(Setup(game, names), 1, state))
        asked = session.record.rules.ask(state)
        assert isinstance(asked, Choose)
        assert not isinstance(asked, Draw)
        shown = answered(step(session, HINT))
        said = prompt(shown)
        assert pages(said)
        followed = step(shown, HINT)
        assert followed.record.events == session.record.events
        assert isinstance(said, HintPrompt)
        if said.hold is not None:
            assert followed.record.holds == set(said.hold)
        elif said.label:
            assert isinstance(followed.mode, Browsing)
            assert Label(ranked_choices(followed)[followed.mode.index].key) == said.label
        else:
            assert followed.mode == session.mode


def test_the_service_answers_with_the_next_frame(tmp_path: Path) -> None:
    from tests.appliance.service.test_appliance import appliance, feed, keys

    with Journal(tmp_path / "games") as journal:
        made = appliance(journal, roll(6, 6, 1, 6, 2))
        feed(made)
        keys(made).presses = [HINT]
        feed(made)
        assert isinstance(made.prompt, HintPrompt)
        keys(made).presses = [HINT]
        feed(made)
        assert keys(made).lit == {0, 1, 3}
        saved = journal.last()
        assert saved is not None
        assert saved.lines == ("roll 6 6 1 6 2", "holding 1 2 4")
