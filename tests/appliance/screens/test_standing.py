"""How the game stands between two turns: all figures fit, and the leader is marked."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.rules.classic.game import Box, Score
from appliance.rules.game import Choice, Keep
from appliance.rules.registry import GAMES
from appliance.screens.draw import film, pages
from appliance.screens.drawing.layout import two_lines
from appliance.screens.standing import standing_pages
from appliance.table.names import MAX_NAME_LETTERS
from appliance.table.prompts import ThrowPrompt
from appliance.table.prompts.turn import Standing
from appliance.table.session.prompting import prompt
from appliance.table.session.recording import choose, play
from appliance.table.session.session import Scored, Setup, new_session
from appliance.table.session.standing import closing_words
from appliance.words import say
from tests.rigs.random_play import random_event
from tests.rigs.spoken import spoken
from tests.rigs.strict_drawing import strict_drawing
from vision.reading import TrayState

WIDE = "M" * MAX_NAME_LETTERS
CLOSING = (
    "LAST ROUND",
    "ONE SLOT LEFT",
    "SHOWDOWN ROUND",
    "1 CARD LEFT",
    "3 CARDS LEFT",
    "5 CHIPS LEFT",
)


def lit(picture: Picture, columns: range, rows: range) -> float:
    on = sum(picture.is_lit(x, y) for x in columns for y in rows)
    return on / (len(columns) * len(rows))


@pytest.mark.parametrize("count", range(2, 7))
@pytest.mark.parametrize("total", [0, 7, 99, 1575])
def test_everybody_fits_and_only_leaders_stand_out(count: int, total: int) -> None:
    with strict_drawing():
        for leader in range(count):
            points = [total] * count
            points[leader] = total + 1
            totals = tuple((WIDE[seat:], points[seat]) for seat in range(count))
            standing = Standing(totals)
            assert standing.leaders == (leader,)
            (shown,) = standing_pages(standing)
            across = 1 if count == 2 else 2 if count < 5 else 3
            for seat in range(count):
                x, wide = WIDTH // across * (seat % across), WIDTH // across - 1
                y = seat // across * 9
                share = lit(shown, range(x, x + wide), range(y, y + HEIGHT - 9))
                assert (share > 0.5) is (seat == leader), (seat, share)


def test_nobody_leads_before_there_are_points() -> None:
    assert Standing((("ANNA", 0), ("BOB", 0))).leaders == ()
    assert Standing((("ANNA", 9), ("BOB", 9))).leaders == (0, 1)


@pytest.mark.parametrize("code", ["en", "de"])
def test_the_end_is_announced_in_words_that_fit(code: str) -> None:
    with spoken(code), strict_drawing():
        for words in CLOSING:
            assert len(standing_pages(Standing((), words))) == 1
            assert code == "en" or say(words) != words


def turns_begun(setup: Setup, chance: Random) -> Iterator[tuple[ThrowPrompt, tuple[int, ...]]]:
    """What the board shows as each turn of a random game begins, and everybody's points."""
    session = new_session(setup)
    while (event := random_event(session.rules, session.state, chance)) is not None:
        if isinstance(event, Choice) and not isinstance(event, Keep):
            session = choose(session, event)
        else:
            session = play(session, event)
        shown = prompt(session)
        if isinstance(shown, ThrowPrompt) and shown.standing is not None:
            yield shown, session.rules.scores(session.state)


@pytest.mark.parametrize("game", ["classic", "power", "showdown", "free-for-all"])
def test_totals_are_shown_as_a_turn_begins_and_the_end_announces_itself(game: str) -> None:
    names = ("ANNA", "BOB")
    said = set[str]()
    begun = 0
    for seed in range(2):
        for shown, points in turns_begun(Setup(game, names), Random(seed)):
            assert shown.standing is not None
            begun += 1
            assert shown.roll == 1
            assert shown.standing.totals == tuple(zip(names, points, strict=True))
            assert set(standing_pages(shown.standing)) <= set(pages(shown))
            said.add(shown.standing.closing)
            if begun >= 8 and said > {""}:
                break
    assert begun >= 8
    expected = {
        "classic": {"LAST ROUND"},
        "power": {"ONE SLOT LEFT"},
        "showdown": {"SHOWDOWN ROUND"},
        "free-for-all": {"NO CHIPS LEFT", "1 CHIP LEFT", *(f"{n} CHIPS LEFT" for n in range(2, 6))},
    }[game]
    assert said & expected
    assert said <= {"", *expected}


def test_the_score_of_a_turn_is_followed_by_the_totals() -> None:
    totals = Standing((("ANNA", 40), ("BOB", 12)), "LAST ROUND")
    shown = ThrowPrompt(
        "BOB", 1, 3, "ROLL", (0, 1, 2, 3, 4), None, (None,) * 5, TrayState.STILL, True,
        Scored(0, Score(Box.FIVES), 15, ""), "ANNA", standing=totals,
    )  # fmt: skip
    opening = [still.picture for still in film(shown).opening]
    announced, figures = standing_pages(totals)
    assert opening[-1] == figures
    assert opening[-2] == announced
    assert two_lines("LAST", "ROUND") == announced
    assert opening.count(announced) > 2, "it flashes first"


def test_who_plays_alone_or_draws_lots_sees_none() -> None:
    for game in GAMES:
        first = prompt(new_session(Setup(game, ("ANNA", "BOB"))))
        assert getattr(first, "standing", None) is None


def test_cards_that_run_out_are_counted() -> None:
    session = new_session(Setup("free-for-all", ("ANNA", "BOB"), (("first", 0),)))
    full = session.state
    for left, said in ((4, ""), (3, "3 CARDS LEFT"), (1, "1 CARD LEFT"), (0, "NO CARDS LEFT")):
        state = replace(full, deck=full.deck[:left])
        assert closing_words(replace(session, state=state), 0) == said
